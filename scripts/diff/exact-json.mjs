/**
 * JSON with whole numbers beyond 2^53.
 */

/** JSON in which whole numbers given as bigint keep all their digits. */
export function exactJson(value) {
  const marked = JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `\u0001${member}\u0001` : member));
  return marked.replaceAll(/"\\u0001(-?\d+)\\u0001"/g, '$1');
}

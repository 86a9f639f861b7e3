/**
 * Patterns of names where `*` stands for any characters: indices, fields, settings, columns, aliases, nodes.
 *
 * Linear in the text for any number of stars, so that a pattern from a request cannot make it slow.
 */
export function simpleMatch(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return pattern === text;
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  let from = head.length;
  const end = text.length - tail.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

/** True when any pattern of the list matches. */
export function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => simpleMatch(pattern, text));
}

/**
 * Requests that name fields by patterns: of what is wrong with several of them, servers name one.
 */
const LISTS = ['fields', 'docvalue_fields'];

/** Whether fields are named by a pattern somewhere in the tree. */
export function hasPattern(tree) {
  if (tree === null || typeof tree !== 'object') return false;
  const names = LISTS.flatMap((list) => (Array.isArray(tree[list]) ? tree[list] : []));
  if (names.some((name) => String(name?.field ?? name).includes('*'))) return true;
  return Object.values(tree).some(hasPattern);
}

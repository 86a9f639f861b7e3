/**
 * What explanations look at: the parts of a difference, and what a request holds anywhere.
 */

/** `path: ours, not theirs` in its parts. */
export function parts(difference) {
  const match = /^(.*?): (.*), not (.*)$/s.exec(difference);
  return match === null ? { path: '', ours: '', theirs: '' } : { path: match[1], ours: match[2], theirs: match[3] };
}

/** Whether `name` is the name of a member anywhere in the tree. */
export function names(tree, name) {
  if (tree === null || typeof tree !== 'object') return false;
  return Object.entries(tree).some(([key, value]) => key === name || names(value, name));
}

/** Whether an aggregation somewhere in the tree is of the first kind, with one of the second somewhere inside. */
export function hasInside(aggs, outer, inner) {
  return Object.values(aggs ?? {}).some(
    (one) => (one?.[outer] !== undefined && names(one.aggs, inner)) || hasInside(one?.aggs, outer, inner),
  );
}

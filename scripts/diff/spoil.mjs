/**
 * Wrong requests: one place of a right one is changed to what is not allowed there.
 */

/** Every `[holder, key]` of the tree. */
function* places(tree) {
  if (tree === null || typeof tree !== 'object') return;
  for (const key of Object.keys(tree)) {
    yield [tree, key];
    yield* places(tree[key]);
  }
}

const WRONG = ['text', -1, 1.5, true, null, [], {}, ['a', 'b'], { absent: 1 }, '', 99999999999];

/** A copy of `body` with one mistake. */
export function spoil(r, body) {
  const copy = structuredClone(body);
  const all = [...places(copy)];
  const [holder, key] = r.pick(all);
  const how = r.int(0, 3);
  if (how === 0 && !Array.isArray(holder)) {
    holder[`${key}x`] = holder[key];
    delete holder[key];
  } else if (how === 1 && !Array.isArray(holder)) holder.unknown_member = 1;
  else if (how === 2) delete holder[key];
  else holder[key] = r.pick(WRONG);
  return copy;
}

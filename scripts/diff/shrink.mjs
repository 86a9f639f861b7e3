/**
 * The smallest part of a request that still differs in the same way.
 */

const ROUNDS_MAX = 400;

/** Every smaller tree that lacks one member or item, or has a part in the place of its holder. */
function* smaller(tree) {
  if (tree === null || typeof tree !== 'object') return;
  if (Array.isArray(tree)) {
    for (let at = 0; at < tree.length; at++) yield tree.filter((_, other) => other !== at);
    for (let at = 0; at < tree.length; at++)
      for (const made of smaller(tree[at])) yield tree.map((item, other) => (other === at ? made : item));
    return;
  }
  for (const name of Object.keys(tree)) {
    const { [name]: _, ...rest } = tree;
    yield rest;
  }
  for (const part of queriesInside(tree)) yield part;
  for (const name of Object.keys(tree)) for (const made of smaller(tree[name])) yield { ...tree, [name]: made };
}

/** Queries within a query that may stand in its place. */
function* queriesInside(tree) {
  const names = Object.keys(tree);
  if (names.length !== 1 || tree[names[0]] === null || typeof tree[names[0]] !== 'object') return;
  for (const part of Object.values(tree[names[0]]))
    for (const one of Array.isArray(part) ? part : [part])
      if (one !== null && typeof one === 'object' && !Array.isArray(one) && Object.keys(one).length === 1) yield one;
}

/** Where answers differ, without values: what a smaller request must keep. */
export const signatureOf = (difference) =>
  difference.startsWith('status')
    ? difference.replaceAll(/"reason":"[^"]*"/g, '').slice(0, 60)
    : difference
        .slice(0, difference.indexOf(':'))
        .replaceAll(/\[\d+\]/g, '')
        .split('.')
        .slice(0, 2)
        .join('.');

/**
 * @param request one that differs
 * @param differs gives the difference of a request, or null
 */
export async function shrink(request, differs) {
  const first = await differs(request);
  if (first === null || request.body === undefined) return request;
  const signature = signatureOf(first);
  let best = request;
  let rounds = 0;
  for (let again = true; again && rounds < ROUNDS_MAX; ) {
    again = false;
    for (const body of smaller(best.body)) {
      if ((rounds += 1) > ROUNDS_MAX) break;
      const found = await differs({ ...best, body });
      if (found === null || signatureOf(found) !== signature) continue;
      best = { ...best, body };
      again = true;
      break;
    }
  }
  return best;
}

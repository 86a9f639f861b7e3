/**
 * The aggregation that a place of an answer belongs to.
 */

/** Name of a member that a path begins with, the longest: keys of buckets may have dots in them. */
function memberAt(node, path) {
  if (Array.isArray(node)) return /^\[(\d+)\]/.exec(path)?.[0] ?? null;
  const isAt = (name) => path.startsWith(name) && (path.length === name.length || '.['.includes(path[name.length]));
  const [longest] = Object.keys(node)
    .filter(isAt)
    .sort((a, b) => b.length - a.length);
  return longest ?? null;
}

/**
 * `{kind, asked, answer}` of the innermost aggregation on the way to `path`, an `aggregations.…` of the answer; null without one.
 * `asked` is its declaration, `answer` what stands for it in `tree`.
 */
export function aggregationAt(aggs, tree, path) {
  let [node, rest, inner, found] = [tree, path, null, null];
  while (rest !== '' && node !== null && typeof node === 'object') {
    const name = memberAt(node, rest);
    if (name === null) break;
    node = Array.isArray(node) ? node[Number(name.slice(1, -1))] : node[name];
    rest = rest.slice(name.length).replace(/^\./, '');
    const declared = inner?.[name.replace(/^\w+#/, '')];
    if (inner === null) inner = aggs;
    else if (declared !== undefined) {
      const kind = Object.keys(declared).find((key) => !['aggs', 'meta'].includes(key));
      found = { kind, asked: declared[kind], answer: node };
      inner = declared.aggs ?? {};
    }
  }
  return found;
}

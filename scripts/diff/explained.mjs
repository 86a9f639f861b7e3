/**
 * Differences that are right: each with its reason and a narrow test of the request and of what differs.
 */

/** Whether `name` is the name of a member anywhere in the tree. */
function names(tree, name) {
  if (tree === null || typeof tree !== 'object') return false;
  return Object.entries(tree).some(([key, value]) => key === name || names(value, name));
}

const DIGEST_KINDS = ['percentiles', 'percentile_ranks', 'median_absolute_deviation', 'percentiles_bucket'];
/** Whether a path ends in an estimated quantile. */
const isQuantile = (path) => /\.values(?:\.-?[\d.]+|\[\d+\]\.value)$|\.value$/.test(path);

/** `path: ours, not theirs` in its parts. */
function parts(difference) {
  const match = /^(.*?): (.*), not (.*)$/s.exec(difference);
  return match === null ? { path: '', ours: '', theirs: '' } : { path: match[1], ours: match[2], theirs: match[3] };
}

/** `{reason, matches(request, difference)}` */
export const EXPLAINED = [
  {
    reason:
      'OpenSearch 2 sorts whole numbers and booleans of 32 bits as such; Elasticsearch 7.10 as 64, which a missing one shows',
    matches: (_, difference) => /\.sort\[\d+\]: "#-?922337203685477580[78]", not -?214748364[78]$/.test(difference),
  },
  {
    reason: 'percentiles are estimates: OpenSearch 2 has another t-digest than Elasticsearch 7.10',
    matches: ({ body }, difference) => {
      const { path, ours, theirs } = parts(difference);
      const isNumbers = [ours, theirs].every((value) => value !== '' && Number.isFinite(Number(value)));
      return DIGEST_KINDS.some((kind) => names(body, kind)) && isQuantile(path) && isNumbers;
    },
  },
  {
    reason: 'an empty `meta` says that the server rewrote a filter inside the aggregation: nothing to a client',
    matches: (_, difference) => /\.meta: nothing, not \{\}$/.test(difference),
  },
  {
    reason: '`metadata_field` is told by Elasticsearch since 7.13',
    matches: (request, difference) =>
      request.class === '_field_caps' && /\.metadata_field: \w+, not nothing$/.test(difference),
  },
  {
    reason: 'OpenSearch answers a server error to what Elasticsearch refuses as wrong',
    matches: (_, difference) =>
      /^status: 400 .*, not 500 \{"type":"search_exception","reason":"\[stored_fields\] cannot be disabled/.test(
        difference,
      ),
  },
  {
    reason: 'messages do not name the Java classes of a server',
    matches: (_, difference) =>
      /cannot be used with a parent aggregation of type: \[\w+\]", not .*Aggregat\w+Factory\]"$/.test(difference),
  },
  {
    reason: 'numbers of documents within their segment in descriptions: segments differ',
    matches: (_, difference) => {
      const { path, ours, theirs } = parts(difference);
      const plain = (text) => text.replaceAll(/ (?:in|id) \d+/g, '');
      return path.endsWith('description') && plain(ours) === plain(theirs);
    },
  },
];

/** The reason why `difference` is right, or null. */
export function explanationOf(request, difference) {
  return EXPLAINED.find(({ matches }) => matches(request, difference))?.reason ?? null;
}

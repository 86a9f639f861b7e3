/**
 * Differences of aggregations that are right: each with its reason and a narrow test of the request and of what differs.
 */

import { hasInside, names, parts } from './difference-parts.mjs';
import { exactJson } from './exact-json.mjs';

/** Names of rare terms with aggregations in them that stand inside another aggregation. */
function innerRareTerms(aggs, depth) {
  return Object.entries(aggs ?? {}).flatMap(([name, one]) => {
    const isRare = one?.rare_terms !== undefined && one.aggs !== undefined && depth > 0;
    return [...(isRare ? [name] : []), ...innerRareTerms(one?.aggs, depth + 1)];
  });
}

/** Names of `variable_width_histogram` with aggregations inside, anywhere in the tree. */
function variableWidthNames(aggs) {
  return Object.entries(aggs ?? {}).flatMap(([name, one]) => [
    ...(one?.variable_width_histogram !== undefined && one.aggs !== undefined ? [name] : []),
    ...variableWidthNames(one?.aggs),
  ]);
}

/** Whether what differs is not the bucket of `name` itself but a member of something inside it. */
function isInsideBuckets(difference, name) {
  const inner = new RegExp(`[.#]${name}\\.buckets\\[\\d+\\]\\.(?:\\w+#)?([as]\\d|p_\\w+|back)\\b`);
  return difference.startsWith('aggregations.') && inner.test(parts(difference).path);
}

/** Greatest common divisor of two whole numbers. */
const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));

const MISPLACED =
  /cannot be nested inside an aggregation that collects|cannot be used with a parent aggregation of type|is not supported for aggregation/;
const isMisplaced = (reason) => MISPLACED.exec(reason)?.[0] ?? null;

/** `{reason, matches(request, difference)}` */
export const EXPLAINED_AGGREGATIONS = [
  {
    reason: 'OpenSearch counts other nested documents than those of the bucket inside an adjacency matrix',
    matches: ({ body }, difference) =>
      /\.doc_count: \d+, not \d+$/.test(difference) && hasInside(body?.aggs, 'adjacency_matrix', 'nested'),
  },
  {
    reason:
      'OpenSearch 2 mixes the parts of rare terms of several buckets: they count more documents than their bucket has',
    matches: ({ body }, difference) =>
      difference.startsWith('aggregations.') &&
      innerRareTerms(body?.aggs, 0).some(
        (name) => difference.includes(`.${name}.buckets`) || difference.includes(`#${name}.buckets`),
      ),
  },
  {
    reason: 'buckets that grow are reduced before they are joined: what is inside of them is cut and counted twice',
    matches: ({ body }, difference) =>
      (/\.doc_count_error_upper_bound: -?\d+, not 0$/.test(difference) &&
        hasInside(body?.aggs, 'auto_date_histogram', 'terms')) ||
      (/\.buckets(?:\.[^:]*)?: /.test(difference) && hasInside(body?.aggs, 'auto_date_histogram', 'min_doc_count')) ||
      (/\.hits\.hits: (\d+) hits, not \d+$/.test(difference) && hasInside(body?.aggs, 'auto_date_histogram', 'from')),
  },
  {
    reason:
      'the peer multiplies scaled floats by the inverse of their factor, where a division gives the number that was written',
    matches: ({ body }, difference) => {
      const { path, ours, theirs } = parts(difference);
      const [own, peer] = [ours, theirs].map((text) => text.replaceAll(/^"|"$/g, '').split('|'));
      const isSame = (one, at) => one === peer[at] || Math.abs(Number(one) / Number(peer[at]) - 1) < 1e-14;
      return path.endsWith('.key_as_string') && exactJson(body.aggs).includes('"scaled"') && own.every(isSame);
    },
  },
  {
    reason: 'statistics of a matrix that are reduced twice are divided twice by the number of documents',
    matches: ({ body }, difference) =>
      /\.fields\[\d+\]\.(?:variance|skewness|kurtosis|covariance|correlation)\b/.test(parts(difference).path) &&
      hasInside(body?.aggs, 'auto_date_histogram', 'matrix_stats'),
  },
  {
    reason:
      'the documents behind significant terms are counted once for each bucket that was joined: here as often as intervals grew late',
    matches: ({ body }, difference) => {
      const counts = /\.bg_count: (\d+), not (\d+)$/.exec(difference);
      if (counts === null) return false;
      const [ours, theirs] = [Number(counts[1]), Number(counts[2])];
      const isInside = ['significant_terms', 'significant_text'].some((kind) =>
        hasInside(body?.aggs, 'auto_date_histogram', kind),
      );
      return isInside && ours > 0 && theirs > 0 && divisor(ours, theirs) >= theirs / 10;
    },
  },
  {
    reason: 'a reduce script of the peer is given what another reduce made of a bucket that grew: it fails on it',
    matches: ({ body }, difference) =>
      hasInside(body?.aggs, 'auto_date_histogram', 'scripted_metric') &&
      /^status: 200, not 400 \{"root_cause":\[\],"type":"search_phase_execution_exception",.*"script_exception"/s.test(
        difference,
      ),
  },
  {
    reason:
      'which of two dates of a document is counted where intervals grow meanwhile follows from the order of documents',
    matches: ({ body }, difference) =>
      names(body, 'auto_date_histogram') &&
      /\.buckets(?:\[\d+\](?:\.\w+)*\.doc_count)?: \d+(?: items .*)?, not \d+/s.test(difference),
  },
  {
    reason: 'variances of instants are differences of sums that agree in all but their last digits: rounding decides',
    matches: ({ body }, difference) => {
      const { path, ours, theirs } = parts(difference);
      const isClose = Math.abs(Number(ours) / Number(theirs) - 1) < 1e-4 && Number(ours) > 1e12;
      return names(body, 'extended_stats') && /\.variance\w*$/.test(path) && isClose;
    },
  },
  {
    reason:
      'variable_width_histogram hands the documents of a cluster to another one: what stands inside it is counted for the wrong bucket',
    matches: ({ body }, difference) => variableWidthNames(body?.aggs).some((name) => isInsideBuckets(difference, name)),
  },
  {
    reason:
      'a sampler without aggregations inside is refused at once; OpenSearch does it when it collects the first document',
    matches: (_, difference) =>
      /^status: 500 .*Sampler aggregation must be used with child aggregations\..*, not 200$/s.test(difference),
  },
  {
    reason:
      'covariances of numbers beyond 2^53 are differences of rounded products: the peer has correlations beyond 1',
    matches: ({ body }, difference) =>
      names(body, 'matrix_stats') &&
      names(body, 'fields') &&
      /\.(?:covariance|correlation|skewness|kurtosis)\b.*: /.test(difference) &&
      exactJson(body.aggs).includes('"big"'),
  },
  {
    reason: 'an order by what is not there is refused with 400 since Elasticsearch 8',
    matches: (_, difference) =>
      /^status: 400 \{"type":"aggregation_execution_exception","reason":"Invalid aggregation order path .*, not 500 \{"type":"aggregation_execution_exception","reason":"Invalid aggregation order path /s.test(
        difference,
      ),
  },
  {
    reason: 'of two mistakes in one tree of aggregations another one is told first',
    matches: (_, difference) => {
      const { path, ours, theirs } = parts(difference);
      return /^error\.root_cause\[0\]\.(?:reason|type)$/.test(path) && isMisplaced(ours) !== isMisplaced(theirs);
    },
  },
  {
    reason: 'the peer fails in its own code when it reduces buckets of intervals that grow',
    matches: ({ body }, difference) =>
      names(body, 'auto_date_histogram') &&
      /^status: 200, not 500 .*"reason":"Expected \[\d+\] buckets, but got \[\d+\]"/s.test(difference),
  },
];

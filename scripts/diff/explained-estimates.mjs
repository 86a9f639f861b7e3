/**
 * Differences of estimates that are right: the algorithms of two versions, each held to how far it may be off.
 */
import { aggregationAt } from './aggregation-at.mjs';
import { names, parts } from './difference-parts.mjs';

/** A deviation of the median is the median of distances of an estimate: relative difference at most. */
const DEVIATION_TOLERANCE = 0.02;
/** Percentage points that two estimates of a rank may be apart. */
const RANK_POINTS_MAX = 2;
const CARDINALITY_TOLERANCE = 0.05;
/** Where a threshold is given, it may be so low that most counts are estimates of few registers. */
const LOW_THRESHOLD_TOLERANCE = 0.2;

/** Both numbers of a difference of two numbers of an aggregation, with its declaration; null for any other difference. */
function estimatesOf({ body }, difference, theirs) {
  const { path, ours, theirs: peer } = parts(difference);
  if (!path.startsWith('aggregations.') || [ours, peer].some((text) => text === '' || !Number.isFinite(Number(text))))
    return null;
  const found = aggregationAt(body?.aggs, theirs, path);
  return found === null ? null : { ...found, path, own: Number(ours), peer: Number(peer) };
}

const isNear = ({ own, peer }, tolerance) => Math.abs(own - peer) <= tolerance * Math.abs(peer);

/** `[percent, value]` of an answer of percentiles, whichever form it has. */
const percentilesOf = ({ values }) =>
  Array.isArray(values)
    ? values.map(({ key, value }) => [key, value])
    : Object.entries(values ?? {}).map(([percent, value]) => [Number(percent), value]);

/** Whether a value lies between those that the peer has for the percents next to its own. */
function isBetweenNeighbours(path, { own, answer }) {
  const list = percentilesOf(answer)
    .filter(([, value]) => Number.isFinite(value))
    .sort(([a], [b]) => a - b);
  const at = /\.values\[(\d+)\]\.value$/.exec(path);
  const percent = at === null ? Number(/\.values\.(-?[\d.]+)$/.exec(path)?.[1]) : answer.values[Number(at[1])]?.key;
  const place = list.findIndex(([other]) => other === percent);
  if (place < 0) return false;
  return own >= (list[place - 1]?.[1] ?? -Infinity) && own <= (list[place + 1]?.[1] ?? Infinity);
}

/** `{reason, matches(request, difference, ours, theirs)}` */
export const EXPLAINED_ESTIMATES = [
  {
    reason: 'percentiles are estimates: OpenSearch 2 has another t-digest than Elasticsearch 7.10',
    matches(request, difference, _, theirs) {
      const found = estimatesOf(request, difference, theirs);
      if (found === null || found.asked?.hdr !== undefined) return false;
      switch (found.kind) {
        case 'percentiles':
          return isBetweenNeighbours(found.path, found);
        case 'percentile_ranks':
          return Math.abs(found.own - found.peer) <= RANK_POINTS_MAX;
        case 'median_absolute_deviation':
          return isNear(found, DEVIATION_TOLERANCE);
        default:
          return false;
      }
    },
  },
  {
    reason:
      'HdrHistogram 2.1.9 of Elasticsearch rounds the number of values below a percentile; that of OpenSearch 2 takes the next larger one',
    matches(request, difference, _, theirs) {
      const found = estimatesOf(request, difference, theirs);
      return found?.kind === 'percentiles' && found.asked.hdr !== undefined && found.own < found.peer;
    },
  },
  {
    reason: 'cardinality above its threshold is an estimate',
    matches(request, difference, _, theirs) {
      const found = estimatesOf(request, difference, theirs);
      const tolerance = names(request.body, 'precision_threshold') ? LOW_THRESHOLD_TOLERANCE : CARDINALITY_TOLERANCE;
      return found?.kind === 'cardinality' && isNear(found, tolerance);
    },
  },
  {
    reason: 'a histogram and its empty buckets are reduced by scripts even where no empty bucket is shown',
    matches: ({ body }, difference, ours, theirs) =>
      /^status: 200, not 400 /.test(difference) &&
      ours?.aggregations !== undefined &&
      names(body?.aggs, 'reduce_script') &&
      (names(body.aggs, 'date_histogram') || names(body.aggs, 'histogram')) &&
      theirs?.error?.phase === 'fetch' &&
      theirs.error.caused_by?.caused_by?.type === 'null_pointer_exception',
  },
];

/**
 * `top_hits`: the documents of a bucket that are first by score or sort keys.
 */
import { FloatNumber, illegalArgument, writeJsonText } from '@shoal/core';
import type { SortField } from '@shoal/query';
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import { PrintedJson } from '../../render/answer-text.ts';
import { invalidOrderPath } from '../../request/bucket-order.ts';
import { type BucketKey, compareKeys } from '../../values/bucket-key.ts';
import { TOP_HITS_PARTIAL, type TopHitsPartial, type TopHitsRow } from './top-hits-partial.ts';
import { parseTopHits, readTopHits, type TopHitsAggregation } from './top-hits-request.ts';

/** Microseconds that the result of one more shard costs to merge, about. */
const REDUCE_UNITS = 3;

export const topHits: MetricKind<TopHitsAggregation, TopHitsPartial> = {
  family: 'metric',
  kind: 'topHits',
  parsers: { top_hits: parseTopHits },
  read: readTopHits,
  partial: TOP_HITS_PARTIAL,
  reduceUnits: REDUCE_UNITS,
  isWholeAlone: true,
  resultType: () => 'top_hits',
  reduce: ({ hits }, partials) => ({
    kind: 'topHits',
    total: partials.reduce((sum, { total }) => sum + total, 0),
    maxScore: partials.reduce(highest, null),
    showsPlainTotal: partials.some(({ showsPlainTotal }) => showsPlainTotal),
    rows: firstRows(hits.sort, partials).slice(0, hits.from + hits.size),
  }),
  members: ({ hits: { from, size } }, { total, maxScore, showsPlainTotal, rows }) => {
    const head = {
      total: showsPlainTotal ? total : { value: total, relation: 'eq' },
      max_score: maxScore === null ? null : new FloatNumber(maxScore),
    };
    const shown = rows.slice(from, from + size).map(({ hit }) => hit);
    return { hits: new PrintedJson(`${writeJsonText(head).slice(0, -1)},"hits":[${shown.join(',')}]}`) };
  },
  orderMetric: (_aggregation, _named, path) => {
    throw invalidOrderPath(path, 'top_hits has no number to order by');
  },
  orderNumber: () => Number.NaN,
  pathNumber: ({ name }) => {
    throw illegalArgument(
      `buckets_path must reference either a number value or a single value numeric metric aggregation, got: [InternalTopHits] at aggregation [${name}]`,
    );
  },
};

function highest(best: number | null, { maxScore }: TopHitsPartial): number | null {
  return best === null || (maxScore !== null && maxScore > best) ? maxScore : best;
}

/** Rows of all in order; of equal ones those of earlier results first. */
function firstRows(sort: readonly SortField[], partials: readonly TopHitsPartial[]): readonly TopHitsRow[] {
  return partials.flatMap(({ rows }) => rows).sort((a, b) => compareRows(sort, a, b));
}

function compareRows(sort: readonly SortField[], a: TopHitsRow, b: TopHitsRow): number {
  for (let k = 0; k < Math.max(1, sort.length); k++) {
    const compared = compareSortKeys(sort[k] ?? null, a.keys[k] ?? null, b.keys[k] ?? null);
    if (compared !== 0) return compared;
  }
  return 0;
}

/** @param field null: by score, best first */
function compareSortKeys(field: SortField | null, a: BucketKey | null, b: BucketKey | null): number {
  // Numbers of documents without a value were replaced by their shard: what is null has no text.
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === (field?.missing === '_first') ? -1 : 1;
  }
  // Shards that have no value of a field cannot know whether others hold texts: numbers then come first.
  if (typeof a !== typeof b && (typeof a === 'string' || typeof b === 'string')) return compareKeys(a, b);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  const isDescending = field === null || field.order === 'desc';
  return isDescending ? compareKeys(b, a) : compareKeys(a, b);
}

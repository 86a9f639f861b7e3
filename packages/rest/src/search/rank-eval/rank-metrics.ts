/**
 * Metrics of `_rank_eval`: how well a list of hits is ordered, by what each of its documents is rated.
 */
import { DoubleNumber, illegalArgument } from '@shoal/core';

/** Rating of each hit, in their order; null: nobody rated it. */
export type HitRatings = readonly (number | null)[];

export interface Quality {
  readonly score: number;
  /** What the score was computed from. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface RankMetric {
  readonly name: string;
  /** Hits that are looked at. */
  readonly size: number;
  /** @param known all ratings of the request, found or not */
  evaluate(hits: HitRatings, known: readonly number[]): Quality;
}

/** Members of a metric as written; null: not given. */
export type MetricMember = (name: string) => number | boolean | null;

export interface MetricType {
  /** Members with whole numbers; others are flags. */
  readonly numbers: readonly string[];
  readonly flags: readonly string[];
  /** @throws illegal_argument_exception for values out of range */
  create(member: MetricMember): RankMetric;
}

const SIZE_DEFAULT = 10;
/** Hits that one request may look at: the window of a search is limited by its index too. */
const SIZE_MAX = 2 ** 31 - 1;

export const RANK_METRICS: ReadonlyMap<string, MetricType> = new Map<string, MetricType>([
  ['precision', { numbers: ['relevant_rating_threshold', 'k'], flags: ['ignore_unlabeled'], create: precision }],
  ['recall', { numbers: ['relevant_rating_threshold', 'k'], flags: [], create: recall }],
  ['mean_reciprocal_rank', { numbers: ['relevant_rating_threshold', 'k'], flags: [], create: meanReciprocalRank }],
  ['dcg', { numbers: ['unknown_doc_rating', 'k'], flags: ['normalize'], create: discountedGain }],
  [
    'expected_reciprocal_rank',
    { numbers: ['maximum_relevance', 'unknown_doc_rating', 'k'], flags: [], create: expectedReciprocalRank },
  ],
]);

function precision(member: MetricMember): RankMetric {
  const threshold = thresholdOf(member, 'precision');
  const ignoresUnrated = member('ignore_unlabeled') === true;
  return {
    name: 'precision',
    size: sizeOf(member),
    evaluate(hits) {
      const judged = hits.filter((rating) => rating !== null || !ignoresUnrated);
      const relevant = judged.filter((rating) => rating !== null && rating >= threshold).length;
      return {
        score: judged.length === 0 ? 0 : relevant / judged.length,
        details: { relevant_docs_retrieved: relevant, docs_retrieved: judged.length },
      };
    },
  };
}

function recall(member: MetricMember): RankMetric {
  const threshold = thresholdOf(member, 'recall');
  return {
    name: 'recall',
    size: sizeOf(member),
    evaluate(hits, known) {
      const found = hits.filter((rating) => rating !== null && rating >= threshold).length;
      const relevant = known.filter((rating) => rating >= threshold).length;
      return {
        score: relevant === 0 ? 0 : found / relevant,
        details: { relevant_docs_retrieved: found, relevant_docs: relevant },
      };
    },
  };
}

function meanReciprocalRank(member: MetricMember): RankMetric {
  const threshold = thresholdOf(member, 'precision');
  return {
    name: 'mean_reciprocal_rank',
    size: sizeOf(member),
    evaluate(hits) {
      const at = hits.findIndex((rating) => rating !== null && rating >= threshold);
      return { score: at < 0 ? 0 : 1 / (at + 1), details: { first_relevant: at < 0 ? -1 : at + 1 } };
    },
  };
}

/** @see Järvelin, Kekäläinen, "Cumulated gain-based evaluation of IR techniques" (2002) */
function discountedGain(member: MetricMember): RankMetric {
  const unknown = numberOf(member, 'unknown_doc_rating');
  const normalizes = member('normalize') === true;
  return {
    name: 'dcg',
    size: sizeOf(member),
    evaluate(hits, known) {
      const unrated = { unrated_docs: unratedOf(hits) };
      const dcg = gainOf(hits.map((rating) => rating ?? unknown));
      const best = [...known].sort((a, b) => b - a).slice(0, hits.length);
      const ideal = normalizes ? gainOf(best) : 0;
      if (ideal === 0) return { score: normalizes ? 0 : dcg, details: { dcg: new DoubleNumber(dcg), ...unrated } };
      const score = dcg / ideal;
      const shown = { ideal_dcg: new DoubleNumber(ideal), normalized_dcg: new DoubleNumber(score) };
      return { score, details: { dcg: new DoubleNumber(dcg), ...shown, ...unrated } };
    },
  };
}

function gainOf(ratings: HitRatings): number {
  return ratings.reduce<number>(
    (sum, rating, i) => (rating === null ? sum : sum + (2 ** rating - 1) / (Math.log(i + 2) / Math.LN2)),
    0,
  );
}

/** @see Chapelle et al., "Expected Reciprocal Rank for Graded Relevance" (2009) */
function expectedReciprocalRank(member: MetricMember): RankMetric {
  const maximum = numberOf(member, 'maximum_relevance');
  if (maximum === null) throw illegalArgument('Required [maximum_relevance]');
  const unknown = numberOf(member, 'unknown_doc_rating');
  return {
    name: 'expected_reciprocal_rank',
    size: sizeOf(member),
    evaluate(hits) {
      let goesOn = 1;
      let score = 0;
      for (const [i, rating] of hits.entries()) {
        const grade = rating ?? unknown;
        if (grade === null) continue;
        const stops = (2 ** grade - 1) / 2 ** maximum;
        score += (stops * goesOn) / (i + 1);
        goesOn *= 1 - stops;
      }
      return { score, details: { unrated_docs: unratedOf(hits) } };
    },
  };
}

function unratedOf(hits: HitRatings): number {
  return hits.filter((rating) => rating === null).length;
}

function numberOf(member: MetricMember, name: string): number | null {
  const value = member(name);
  return typeof value === 'number' ? value : null;
}

function sizeOf(member: MetricMember): number {
  const size = numberOf(member, 'k') ?? SIZE_DEFAULT;
  if (size <= 0 || size > SIZE_MAX) throw illegalArgument('Window size k must be positive.');
  return size;
}

function thresholdOf(member: MetricMember, metric: string): number {
  const threshold = numberOf(member, 'relevant_rating_threshold') ?? 1;
  if (threshold < 0) throw illegalArgument(`Relevant rating threshold for ${metric} must be positive integer.`);
  return threshold;
}

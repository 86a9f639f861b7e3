/**
 * rank_feature on a shard.
 */
import { illegalArgument } from '@shoal/core';
import type { RankFeatureQuery } from '@shoal/query';
import { featureCode, featureValue } from '../../field-types/rank-feature/feature-code.ts';
import type { SegmentReader } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { markNothing, type QueryBehaviour } from '../kinds/query-behaviour.ts';
import { NONE_WEIGHT } from '../weight/weight.ts';
import { featureWeight } from './feature-weight.ts';

export const rankFeature: QueryBehaviour<RankFeatureQuery> = {
  compile: (ctx, query, { boost }) => {
    const field = ctx.mapping.field(query.field);
    if (field === null) return NONE_WEIGHT;
    if (field.kind !== 'rank_feature') {
      throw illegalArgument(
        `[rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, not [${field.kind}]`,
      );
    }
    if (field.isInverse && query.shape === 'log') {
      throw illegalArgument(
        'Cannot use the [log] function with a field that has a negative score impact as it would trigger negative scores',
      );
    }
    const text = `FeatureQuery(field=${field.path}, ${query.shape})`;
    return featureWeight({ field: field.path, score: scoreOf(ctx, query, field.path), text, boost });
  },
  describe: ({ field, shape }) => ({ type: 'FeatureQuery', text: `FeatureQuery(field=${field}, ${shape})` }),
  mark: markNothing,
};

function scoreOf(ctx: CompileContext, query: RankFeatureQuery, path: string): (value: number) => number {
  const { shape, exponent, scalingFactor } = query;
  if (shape === 'log') return (value) => Math.log((scalingFactor ?? 1) + value);
  const pivot = Math.fround(query.pivot ?? meanValue(ctx, path));
  // Floats all the way, as others count: the last digits of scores decide on ties.
  const { fround } = Math;
  if (shape === 'saturation') return (value) => fround(1 - fround(pivot / fround(value + pivot)));
  const power = exponent ?? 1;
  const ofPivot = pivot ** power;
  return (value) => 1 - ofPivot / (value ** power + ofPivot);
}

/** Mean code of a feature in each segment: its sum and how many there are. Segments never change. */
const SUMS = new WeakMap<SegmentReader, Map<string, CodeSum>>();

interface CodeSum {
  readonly sum: number;
  readonly count: number;
}

/** Value in the middle of those of the shard, deleted documents among them: that of the mean code, about their geometric mean. */
function meanValue({ searcher }: CompileContext, path: string): number {
  let sum = 0;
  let count = 0;
  for (const { segment } of searcher.views) {
    const known = SUMS.get(segment) ?? new Map<string, CodeSum>();
    SUMS.set(segment, known);
    const found = known.get(path) ?? codeSum(segment, path);
    known.set(path, found);
    sum += found.sum;
    count += found.count;
  }
  return count === 0 ? 1 : featureValue(Math.trunc(sum / count));
}

function codeSum(segment: SegmentReader, path: string): CodeSum {
  const column = segment.numericColumn(path);
  if (column === null) return { sum: 0, count: 0 };
  const count = column.start(segment.docCount);
  let sum = 0;
  for (let at = 0; at < count; at++) sum += featureCode(column.value(at));
  return { sum, count };
}

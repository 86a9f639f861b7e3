/**
 * rank_feature on a shard.
 */
import { illegalArgument, javaFloatText } from '@shoal/core';
import type { RankFeatureQuery } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { featureCode, featureValue } from '../../field-types/rank-feature/feature-code.ts';
import type { SegmentReader } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { markNothing, type QueryBehaviour } from '../kinds/query-behaviour.ts';
import { NONE_WEIGHT } from '../weight/weight.ts';
import { type FeatureFunction, type FeatureName, featureWeight } from './feature-weight.ts';

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
    const scored = functionOf(ctx, query, field.path);
    return featureWeight({ field: field.path, name: featureName(ctx, field), scored, boost });
  },
  describe: ({ field, shape }) => ({ type: 'FeatureQuery', text: `FeatureQuery(field=${field}, ${shape})` }),
  mark: markNothing,
};

/** The field that is indexed, and the feature in it: single features are those of a field of their own. */
function featureName({ mapping }: CompileContext, { path }: FieldMapping): FeatureName {
  const dot = path.lastIndexOf('.');
  const holder = dot < 0 ? null : mapping.field(path.slice(0, dot));
  return holder === null ? { field: '_feature', feature: path } : { field: holder.path, feature: path.slice(dot + 1) };
}

function functionOf(ctx: CompileContext, query: RankFeatureQuery, path: string): FeatureFunction {
  const { shape, exponent, scalingFactor } = query;
  const { fround } = Math;
  if (shape === 'log') {
    const factor = scalingFactor ?? 1;
    return {
      text: `LogFunction(scalingFactor=${javaFloatText(factor)})`,
      formula: ['Log', 'w * log(a + S)'],
      parts: [[factor, 'a, scaling factor']],
      score: (value) => Math.log(factor + value),
    };
  }
  if (shape === 'linear') {
    return { text: 'LinearFunction', formula: ['Linear', 'w * S'], parts: [], score: (value) => value };
  }
  const pivot = fround(query.pivot ?? meanValue(ctx, path));
  const part: FeatureFunction['parts'][number] = [
    pivot,
    'k, pivot feature value that would give a score contribution equal to w/2',
  ];
  // Floats all the way, as others count: the last digits of scores decide on ties.
  if (shape === 'saturation') {
    return {
      text: `SaturationFunction(pivot=${javaFloatText(pivot)})`,
      ...(query.pivot === null && { plainText: 'SaturationFunction(pivot=null)' }),
      formula: ['Saturation', 'w * S / (S + k)'],
      parts: [part],
      score: (value) => fround(1 - fround(pivot / fround(value + pivot))),
    };
  }
  const power = exponent ?? 1;
  const ofPivot = pivot ** power;
  return {
    text: `SigmoidFunction(pivot=${javaFloatText(pivot)}, a=${javaFloatText(power)})`,
    formula: ['Sigmoid', 'w * S^a / (S^a + k^a)'],
    parts: [part, [power, 'a, exponent, higher values make the function grow slower before k and faster after k']],
    score: (value) => 1 - ofPivot / (value ** power + ofPivot),
  };
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

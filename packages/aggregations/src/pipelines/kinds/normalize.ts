/**
 * `normalize`: to each bucket, its value in relation to those of all buckets.
 */
import { illegalArgument } from '@shoal/core';
import type { ParentKind } from '../../contract/pipeline-kind.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { withValues } from '../added-values.ts';
import { parseShared } from '../pipeline-options.ts';
import { largestOf, numberValue, sumOf } from '../pipeline-values.ts';

const METHODS = ['rescale_0_1', 'rescale_0_100', 'percent_of_sum', 'mean', 'z-score', 'softmax'] as const;
type Method = (typeof METHODS)[number];

interface Pipeline extends PipelineNode {
  readonly kind: 'normalize';
  readonly method: Method;
}

export const normalize: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'normalize',
  needs: 'buckets',
  isLast: false,
  parse: (named, options) => {
    const text = options.string('method');
    if (text === null) throw illegalArgument('Required [method]');
    const method = METHODS.find((one) => one === text);
    if (method === undefined) throw illegalArgument(`invalid method [${text}]`);
    // A bucket without a value has no place among the others: gaps are always left out.
    return { ...parseShared(named, options, 'skip', 'none'), kind: 'normalize', method };
  },
  read: (r, parts) => ({ ...parts, kind: 'normalize', method: r.oneOf('method', METHODS) }),
  paths: ({ path }) => [path],
  run: (pipeline, parent, buckets, meter) => {
    let normalized: ((value: number) => number) | null = null;
    return withValues(pipeline, parent, buckets, meter, (numbers, at) => {
      normalized ??= normalizer(pipeline.method, numbers.filter(isNumber));
      return numberValue(normalized(numbers[at] ?? Number.NaN), pipeline.format);
    });
  },
};

function isNumber(value: number | null): value is number {
  return value !== null && !Number.isNaN(value);
}

/** @param values of all buckets that have one */
function normalizer(method: Method, values: readonly number[]): (value: number) => number {
  const sum = sumOf(values);
  const mean = sum / values.length;
  const largest = largestOf(values);
  const least = -largestOf(values.map((value) => -value));
  switch (method) {
    case 'rescale_0_1':
      return (value) => (value - least) / (largest - least);
    case 'rescale_0_100':
      return (value) => (100 * (value - least)) / (largest - least);
    case 'percent_of_sum':
      return (value) => value / sum;
    case 'mean':
      return (value) => (value - mean) / (largest - least);
    case 'z-score': {
      const deviation = Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / values.length);
      return (value) => (value - mean) / deviation;
    }
    case 'softmax': {
      const total = sumOf(values.map(Math.exp));
      return (value) => Math.exp(value) / total;
    }
  }
}

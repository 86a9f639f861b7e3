/**
 * `percentiles_bucket`: values of buckets below which some percents of the values of all buckets are.
 */
import { DoubleNumber, illegalArgument, ValueReader } from '@shoal/core';
import { readNumber } from '@shoal/query';
import type { SiblingKind } from '../../contract/pipeline-kind.ts';
import { readNumbers } from '../../request/number-options.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { parseShared } from '../pipeline-options.ts';
import { formatted, shownFinite } from '../pipeline-values.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'percentiles_bucket';
  /** Each within 0..100. */
  readonly percents: readonly number[];
  readonly isKeyed: boolean;
}

const PERCENTS_DEFAULT: readonly number[] = [1, 5, 25, 50, 75, 95, 99];

export const percentilesBucket: SiblingKind<Pipeline> = {
  family: 'sibling',
  kind: 'percentiles_bucket',
  parse: (named, options) => {
    const given = options.list('percents')?.map((item) => readNumber(item, 'percents'));
    const percents = given ?? PERCENTS_DEFAULT;
    if (!percents.every(isPercent)) {
      throw illegalArgument(
        'percents must only contain non-null doubles from 0.0-100.0 inclusive: they are the percents of [percentiles_bucket]',
      );
    }
    const isKeyed = options.boolean('keyed', true);
    return { ...parseShared(named, options, 'skip'), kind: 'percentiles_bucket', percents, isKeyed };
  },
  read: (r, parts) => {
    const percents = readNumbers(r, 'percents', ValueReader.asNumber);
    if (!percents.every(isPercent)) r.refuse('percents', 'percents');
    return { ...parts, kind: 'percentiles_bucket', percents, isKeyed: r.boolean('isKeyed') };
  },
  combine: (pipeline, taken) => {
    const ordered = taken.map(({ value }) => value).sort((a, b) => a - b);
    const at = (percent: number): number => Math.round((percent / 100) * (ordered.length - 1));
    const values = pipeline.percents.map((percent) => ordered[at(percent)] ?? Number.NaN);
    return {
      typeName: pipeline.kind,
      number: () => null,
      members: () => ({ values: pipeline.isKeyed ? keyed(pipeline, values) : listed(pipeline, values) }),
    };
  },
};

function isPercent(value: number): boolean {
  return value >= 0 && value <= 100;
}

function listed({ percents, format }: Pipeline, values: readonly number[]): readonly unknown[] {
  return percents.map((percent, i) => {
    const value = values[i] ?? Number.NaN;
    return { key: new DoubleNumber(percent), value: shownFinite(value), value_as_string: formatted(value, format) };
  });
}

function keyed({ percents, format }: Pipeline, values: readonly number[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    percents.flatMap((percent, i) => {
      const key = String(new DoubleNumber(percent));
      const value = values[i] ?? Number.NaN;
      const own: [string, unknown][] = [[key, shownFinite(value)]];
      const asText = formatted(value, format);
      if (asText !== undefined) own.push([`${key}_as_string`, asText]);
      return own;
    }),
  );
}

/**
 * `derivative`: to each bucket but the first, how much its value is above that of the bucket before.
 */
import { parseTimeValue } from '@shoal/core';
import type { ParentKind } from '../../contract/pipeline-kind.ts';
import { CALENDAR_UNITS } from '../../intervals/date-interval.ts';
import type { FinishedBucket, PipelineValue } from '../../tree/finished-level.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { withValues } from '../added-values.ts';
import { keyNumber } from '../bucket-value.ts';
import { parseShared } from '../pipeline-options.ts';
import { formatted, shownFinite } from '../pipeline-values.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'derivative';
  /** Milliseconds of the unit by which the rise is also shown; null: none. */
  readonly unitMs: number | null;
}

export const derivative: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'derivative',
  needs: 'sequence',
  isLast: false,
  parse: (named, options) => {
    const unitMs = unitOf(options.string('unit'));
    return { ...parseShared(named, options, 'skip'), kind: 'derivative', unitMs };
  },
  read: (r, parts) => ({ ...parts, kind: 'derivative', unitMs: r.optionalNumber('unitMs') }),
  paths: ({ path }) => [path],
  run: (pipeline, parent, buckets, meter) =>
    withValues(pipeline, parent, buckets, meter, (numbers, at) => {
      const [before, bucket] = [buckets[at - 1], buckets[at]];
      const [last, value] = [numbers[at - 1] ?? null, numbers[at] ?? null];
      if (before === undefined || bucket === undefined || value === null || last === null) return null;
      return riseValue(value - last, unitsBetween(pipeline, before, bucket), pipeline.format);
    }),
};

const CALENDAR_UNIT_MS = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 2_592_000_000,
  quarter: 7_776_000_000,
  year: 31_536_000_000,
} as const;

function unitOf(text: string | null): number | null {
  if (text === null) return null;
  const unit = CALENDAR_UNITS.get(text);
  return unit === undefined ? parseTimeValue(text, 'unit') : CALENDAR_UNIT_MS[unit];
}

function unitsBetween({ unitMs }: Pipeline, before: FinishedBucket, bucket: FinishedBucket): number | null {
  return unitMs === null ? null : (keyNumber(bucket.key) - keyNumber(before.key)) / unitMs;
}

/** @param units units of time that the rise took; null: not asked for */
function riseValue(rise: number, units: number | null, format: string | null): PipelineValue {
  const normalized = units === null ? null : rise / units;
  return {
    typeName: 'derivative',
    number: (metric) => (metric === 'normalized_value' ? (normalized ?? Number.NaN) : rise),
    members: () => ({
      value: shownFinite(rise),
      value_as_string: formatted(rise, format),
      normalized_value: normalized === null ? undefined : shownFinite(normalized),
      normalized_value_as_string: normalized === null ? undefined : formatted(normalized, format),
    }),
  };
}

/**
 * Sources of histograms that are fields of ranges.
 */
import type { ValuesSource } from '@shoal/aggregations';
import { illegalArgument } from '@shoal/core';
import type { RangeReader } from '../../../field-types/contract/field-type.ts';
import { fieldType } from '../../../field-types/field-types.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import { type ResolvedSource, resolveSource } from '../values/field-values.ts';

export interface RangeSource {
  readonly source: ResolvedSource;
  readonly ranges: RangeReader;
}

/** Source with ranges as values; null where the field has none. @throws ShoalError for ranges that have no place in intervals */
export function rangeSource(
  ctx: AggregationContext,
  wanted: ValuesSource,
  { takesDatesAlone, timeZone = 'UTC' }: { readonly takesDatesAlone: boolean; readonly timeZone?: string },
): RangeSource | null {
  const kind = ctx.mapping.field(wanted.field)?.kind;
  const ranges = kind === undefined ? undefined : fieldType(kind).aggregation.ranges;
  if (ranges === undefined || wanted.script !== null) return null;
  const source = resolveSource(ctx, wanted, timeZone);
  if (takesDatesAlone && ranges.type !== 'date') {
    throw illegalArgument(`Expected date range type but found range type [${kind}]`);
  }
  if (ranges.type === 'ip') {
    throw illegalArgument(`Expected numeric range type but found non-numeric range [${kind}]`);
  }
  return { source, ranges };
}

/**
 * Sources of aggregations that take numbers alone.
 */
import type { ValuesSource } from '@shoal/aggregations';
import { illegalArgument } from '@shoal/core';
import { type ResolvedSource, resolveSource, type SourceContext } from './field-values.ts';

/** @throws ShoalError for a field of texts or addresses; `type`: of the aggregation, for the error */
export function numericSource(
  ctx: SourceContext,
  source: ValuesSource,
  type: string,
  timeZone = 'UTC',
): ResolvedSource {
  const resolved = resolveSource(ctx, source, timeZone);
  if (resolved.kind !== null && resolved.keyKind === 'text') throw notNumeric(resolved, type);
  return resolved;
}

/** The source of an aggregation of dates: a field that is not mapped is one, unless the request says otherwise. */
export function asDates(source: ValuesSource): ValuesSource {
  return source.valueType === null ? { ...source, valueType: 'date' } : source;
}

/** 400: an aggregation of this type takes no values of this field. */
export function notNumeric({ field, kind }: ResolvedSource, type: string): Error {
  return illegalArgument(`Field [${field}] of type [${kind}] is not supported for aggregation [${type}]`);
}

/**
 * Sources of aggregations that take numbers alone.
 */
import { declaredKind, type ValuesSource } from '@shoal/aggregations';
import { illegalArgument } from '@shoal/core';
import { fieldType } from '../../../field-types/field-types.ts';
import { isMetadataField } from '../../../format/metadata-fields.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import { isTextKind, type ResolvedSource, resolveSource } from './field-values.ts';

/** @throws ShoalError for a field of texts or addresses; `type`: of the aggregation, for the error */
export function numericSource(
  ctx: AggregationContext,
  source: ValuesSource,
  type: string,
  timeZone = 'UTC',
): ResolvedSource {
  const resolved = resolveSource(ctx, source, timeZone, 'double');
  checkZone(resolved, source);
  if (
    isTextKind(declaredKind(source.valueType)) &&
    source.script === null &&
    ctx.mapping.field(source.field) === null
  ) {
    throw illegalArgument(`unmapped field is not supported for aggregation [${type}]`);
  }
  checkNumeric(resolved, source, type);
  checkNotText(ctx, resolved, source, type);
  checkKeyed(resolved, type);
  return resolved;
}

/** @throws ShoalError where the request names a time zone and the field has no dates */
function checkZone({ field, kind }: ResolvedSource, { hasZone, script }: ValuesSource): void {
  if (hasZone !== true || script !== null || kind === null || fieldType(kind).numbers === 'instant') return;
  throw illegalArgument(`Field [${field}] of type [${kind}] does not support custom time zones`);
}

/** @throws ShoalError for texts and addresses */
export function checkNumeric(resolved: ResolvedSource, { script, field }: ValuesSource, type: string): void {
  if (resolved.kind === null || resolved.keyKind !== 'text') return;
  if (script === null) throw notNumeric(resolved, type);
  const given = field === '' ? 'string' : 'unknown type';
  throw illegalArgument(`Script yielding [${given}] is not supported for aggregation [${type}]`);
}

/** Source whose values are keys or amounts. */
export function keyedSource(ctx: AggregationContext, source: ValuesSource, type: string): ResolvedSource {
  const resolved = resolveSource(ctx, source);
  checkKeyed(resolved, type);
  return resolved;
}

/** @throws ShoalError where the values of a field can be counted only */
export function checkKeyed(source: ResolvedSource, type: string): void {
  if (source.kind !== null && fieldType(source.kind).aggregation.isCountedOnly) throw notNumeric(source, type);
}

/** @throws ShoalError where the request says that numbers of a field are texts; `type`: of the aggregation, for the error */
export function checkNotText(
  { mapping }: Pick<AggregationContext, 'mapping'>,
  resolved: ResolvedSource,
  { field, script, valueType }: ValuesSource,
  type: string,
): void {
  const isOfField = script === null && mapping.field(field) !== null;
  if (isOfField && isTextKind(declaredKind(valueType))) throw notNumeric(resolved, type);
}

/** The source of an aggregation of dates: a field that is not mapped is one, unless the request says otherwise. */
export function asDates({ mapping }: Pick<AggregationContext, 'mapping'>, source: ValuesSource): ValuesSource {
  return source.valueType === null && mapping.field(source.field) === null ? { ...source, valueType: 'date' } : source;
}

/** 400: an aggregation of this type takes no values of this field. */
export function notNumeric({ field, kind }: ResolvedSource, type: string): Error {
  // Fields of every index are of types of their own.
  const fieldKind = isMetadataField(field) ? field : kind;
  return illegalArgument(`Field [${field}] of type [${fieldKind}] is not supported for aggregation [${type}]`);
}

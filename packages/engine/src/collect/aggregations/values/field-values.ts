/**
 * What a field of a request means on this shard: where its values are, how they are shown, what takes the place of none.
 */
import { type BucketKey, type KeyKind, PLAIN_FORMAT, type ValueFormat, type ValuesSource } from '@shoal/aggregations';
import { illegalArgument } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import { dateFormatter, type FieldKind, isNumericKind, type Mapping } from '@shoal/schema';
import { addressValue } from '../../../document/field-value.ts';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import { parseDateMath } from '../../../match/compile/date-math.ts';
import { queryNumber } from '../../../match/compile/number-bounds.ts';
import { latin1Bytes, utf8Bytes } from '../../../match/context/compile-context.ts';

const DATE_FORMAT_DEFAULT = 'strict_date_optional_time||epoch_millis';

/** How values of a field are read and shown. */
export interface ResolvedSource {
  readonly field: string;
  /** null: the index has no such field, and the request says nothing of its kind. */
  readonly kind: FieldKind | null;
  readonly format: ValueFormat;
  readonly keyKind: KeyKind;
  /** As the column would hold it; null: none. */
  readonly missing: BucketKey | null;
}

export interface SourceContext {
  readonly mapping: Mapping;
  readonly nowMs: number;
}

/** @throws ShoalError for a field that has no values by document */
export function resolveSource(ctx: SourceContext, source: ValuesSource, timeZone = 'UTC'): ResolvedSource {
  const mapping = ctx.mapping.field(source.field);
  if (mapping?.kind === 'text') throw noFielddata(source.field);
  if (mapping && !mapping.hasDocValues) {
    throw illegalArgument(
      `Can't load fielddata on [${source.field}] because fielddata is unsupported on fields of type [${mapping.kind}]. Use doc values instead.`,
    );
  }
  const kind = mapping?.kind ?? kindOfRequest(source);
  const dateFormat = source.format ?? (mapping?.kind === 'date' ? mapping.format : DATE_FORMAT_DEFAULT);
  return {
    field: source.field,
    kind,
    format: formatOf(kind, source, dateFormat, timeZone),
    keyKind: keyKindOf(kind),
    missing: source.missing === null ? null : missingValue(ctx, source.missing, kind, dateFormat),
  };
}

function noFielddata(field: string): Error {
  return illegalArgument(
    `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${field}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`,
  );
}

/** Of a field that is not mapped: as named, or as the value that takes its place looks. */
function kindOfRequest({ valueType, missing }: ValuesSource): FieldKind | null {
  switch (valueType) {
    case 'string':
      return 'keyword';
    case 'long':
    case 'integer':
    case 'short':
    case 'byte':
    case 'number':
    case 'numeric':
      return 'long';
    case 'double':
    case 'float':
      return 'double';
    case 'boolean':
    case 'date':
    case 'ip':
      return valueType;
    default:
      if (missing === null) return null;
      if (typeof missing === 'string') return 'keyword';
      if (typeof missing === 'boolean') return 'boolean';
      return Number.isInteger(Number(missing)) ? 'long' : 'double';
  }
}

function keyKindOf(kind: FieldKind | null): KeyKind {
  if (kind === null || kind === 'keyword' || kind === 'ip' || kind === 'text') return 'text';
  return kind === 'double' || kind === 'float' ? 'double' : 'long';
}

function formatOf(kind: FieldKind | null, source: ValuesSource, dateFormat: string, timeZone: string): ValueFormat {
  if (kind === 'date') return { kind: 'date', format: dateFormat, timeZone };
  if (kind === 'boolean') return { kind: 'boolean' };
  if (kind === 'ip') return { kind: 'ip' };
  if (source.format !== null && kind !== null && isNumericKind(kind))
    return { kind: 'decimal', pattern: source.format };
  return PLAIN_FORMAT;
}

function missingValue(ctx: SourceContext, value: QueryValue, kind: FieldKind | null, dateFormat: string): BucketKey {
  if (kind === 'ip') return addressValue(String(value));
  if (kind === 'keyword' || kind === 'text' || kind === null) return String(value);
  return numberOf(ctx, value, kind, dateFormat);
}

/** A value of the request as the column of a number, date or boolean field holds it. */
export function numberOf(ctx: SourceContext, value: QueryValue, kind: FieldKind, dateFormat: string): number {
  if (kind === 'boolean') return value === true || value === 'true' || value === 1 ? 1 : 0;
  if (kind === 'date' && typeof value === 'string') {
    const options = { formatter: dateFormatter(dateFormat), nowMs: ctx.nowMs, roundUp: false, timeZone: null };
    return parseDateMath(value, options);
  }
  return Number(queryNumber(value));
}

/** The text that takes the place of none, as a term is written: an address as its bytes. */
export function missingBytes({ missing, kind }: ResolvedSource): Uint8Array {
  return kind === 'ip' ? latin1Bytes(String(missing)) : utf8Bytes(String(missing));
}

/** The number that takes the place of none; NaN for none. */
export function missingNumber(source: ResolvedSource): number {
  return source.missing === null ? Number.NaN : Number(source.missing);
}

/** The column of a number, date or boolean field; null where the segment has none, or where the kind is another. */
export function numbersOf(view: SegmentView, source: ResolvedSource): NumericColumn | null {
  return source.keyKind === 'text' ? null : view.segment.numericColumn(source.field);
}

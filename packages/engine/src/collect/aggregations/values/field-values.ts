/**
 * Fields of a request's aggregations on this shard: where their values are, how they are shown, which value stands for none.
 */
import { type BucketKey, type KeyKind, PLAIN_FORMAT, type ValueFormat, type ValuesSource } from '@shoal/aggregations';
import type { QueryValue } from '@shoal/query';
import { DATE_FORMAT_DEFAULT, type FieldKind, type Mapping } from '@shoal/schema';
import type { ShardId } from '@shoal/shard-api';
import type { AggregationValues, RequestClock } from '../../../field-types/contract/field-type.ts';
import { decodeTerm, encodeTerm } from '../../../field-types/contract/term-bytes.ts';
import { checkColumn, fieldType } from '../../../field-types/field-types.ts';
import { inMillis } from '../../../format/columns/derived-columns.ts';
import { checkFielddata, INDEX_FIELD } from '../../../format/metadata-fields.ts';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import { wantFielddata } from '../../../match/context/wanted-fielddata.ts';

/** Source of an aggregation's values. */
export interface ResolvedSource {
  /** Path of the field. */
  readonly field: string;
  /** Type of the field; null: the index has no such field, and the request says nothing of its type. */
  readonly kind: FieldKind | null;
  readonly format: ValueFormat;
  readonly keyKind: KeyKind;
  /** Value that stands for none, in the form of the column; null: none does. */
  readonly missing: BucketKey | null;
  /** Makes the values out of those of the column; left out where they are its own. */
  readonly derived?: (column: NumericColumn) => NumericColumn;
}

export interface SourceContext extends Pick<CompileContext, 'searcher' | 'fielddata' | 'prepared'> {
  readonly mapping: Mapping;
  readonly clock: RequestClock;
  readonly shard: Pick<ShardId, 'index'>;
}

/** Types that "value_type" of a request names, for fields that are not mapped. */
const VALUE_TYPES: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ['string', 'keyword'],
  ['long', 'long'],
  ['integer', 'long'],
  ['short', 'long'],
  ['byte', 'long'],
  ['number', 'long'],
  ['numeric', 'long'],
  ['double', 'double'],
  ['float', 'double'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['ip', 'ip'],
]);

/** Values of a field that neither the mapping nor the request gives a type. */
const UNTYPED: AggregationValues = fieldType('keyword').aggregation;

/** @throws ShoalError for a field that has no values by document */
export function resolveSource(ctx: SourceContext, source: ValuesSource, timeZone = 'UTC'): ResolvedSource {
  if (source.field === INDEX_FIELD) return resolveIndexName(ctx, source);
  checkFielddata(source.field);
  const mapping = ctx.mapping.field(source.field);
  if (mapping) {
    checkColumn(mapping);
    wantFielddata(ctx, mapping);
  }
  const kind = mapping?.kind ?? kindOfRequest(source);
  const declared = mapping === null || mapping.format === '' ? DATE_FORMAT_DEFAULT : mapping.format;
  const dateFormat = source.format ?? declared;
  const { keyKind, format, key } = valuesOf(kind);
  // A number for a date is a text of digits in the format of the field.
  const missingOf =
    kind !== null && fieldType(kind).takesDateFormat && typeof source.missing === 'number'
      ? String(source.missing)
      : source.missing;
  return {
    field: mapping?.path ?? source.field,
    kind,
    format: format({ pattern: source.format, dateFormat, timeZone }),
    keyKind,
    missing: missingOf === null ? null : key(missingOf, { dateFormat, timeZone, clock: ctx.clock }),
  };
}

/** No segment has the name of the index: it stands for the value that all documents lack. */
function resolveIndexName({ shard }: SourceContext, { field }: ValuesSource): ResolvedSource {
  return { field, kind: 'keyword', format: PLAIN_FORMAT, keyKind: 'text', missing: shard.index };
}

function valuesOf(kind: FieldKind | null): AggregationValues {
  return kind === null ? UNTYPED : fieldType(kind).aggregation;
}

/** Type of a field that is not mapped: as named, or that of the value that stands for none. */
function kindOfRequest({ valueType, missing }: ValuesSource): FieldKind | null {
  const named = valueType === null ? undefined : VALUE_TYPES.get(valueType);
  if (named !== undefined) return named;
  if (missing === null) return null;
  if (typeof missing === 'string') return 'keyword';
  if (typeof missing === 'boolean') return 'boolean';
  return Number.isInteger(Number(missing)) ? 'long' : 'double';
}

/** Value of the request in the form of the keys of a source's column. */
export function keyOf(
  ctx: Pick<SourceContext, 'clock'>,
  value: QueryValue,
  { kind, format }: ResolvedSource,
): BucketKey {
  const date = format.kind === 'date' ? format : { format: '', timeZone: 'UTC' };
  return valuesOf(kind).key(value, { dateFormat: date.format, timeZone: date.timeZone, clock: ctx.clock });
}

/** True where `include` and `exclude` may be regular expressions. */
export function takesPatterns({ kind }: ResolvedSource): boolean {
  return valuesOf(kind).takesPatterns;
}

/** Term of a text key, as the column holds it. */
export function termOfKey({ kind }: ResolvedSource, key: BucketKey): Uint8Array {
  return encodeTerm(String(key), valuesOf(kind).encoding);
}

/** Text key of a term. */
export function keyOfTerm({ kind }: ResolvedSource, term: Uint8Array): string {
  return decodeTerm(term, valuesOf(kind).encoding);
}

/** Number that stands for none; NaN: none does. */
export function missingNumber(source: ResolvedSource): number {
  return source.missing === null ? Number.NaN : Number(source.missing);
}

/** Column of a source with numbers as keys; null where the segment has none, and for text keys. */
export function numbersOf(view: SegmentView, source: ResolvedSource): NumericColumn | null {
  if (source.keyKind === 'text') return null;
  const column = view.segment.numericColumn(source.field);
  if (source.derived !== undefined) return column && source.derived(column);
  const isInNanos = source.kind !== null && fieldType(source.kind).holdsNanos === true;
  return isInNanos ? inMillis(column) : column;
}

/**
 * Fields of a request's aggregations on this shard: where their values are, how they are shown, which value stands for none.
 */
import {
  type BucketKey,
  declaredKind,
  type KeyKind,
  PLAIN_FORMAT,
  type ValueFormat,
  type ValuesSource,
} from '@shoal/aggregations';
import { illegalArgument } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import { DATE_FORMAT_DEFAULT, type FieldKind, type FieldMapping } from '@shoal/schema';
import { type AggregationValues, checkNoFormat } from '../../../field-types/contract/field-type.ts';
import { decodeTerm, encodeTerm } from '../../../field-types/contract/term-bytes.ts';
import { checkColumn, fieldType } from '../../../field-types/field-types.ts';
import { inMillis } from '../../../format/columns/derived-columns.ts';
import { checkFielddata, ID_FIELD, INDEX_FIELD } from '../../../format/metadata-fields.ts';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import { wantFielddata } from '../../../match/context/wanted-fielddata.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import { type DocumentValues, type ScriptedValues, ScriptTexts } from './scripted-values.ts';
import { documentScript, valueScript } from './source-script.ts';

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
  /** Values that a script makes; left out where they are those of the field. */
  readonly scripted?: ScriptedValues;
  /** Texts that the numbers of a script stand for; left out where they are numbers themselves. */
  readonly texts?: ScriptTexts;
}

/** Values of a field that neither the mapping nor the request gives a type. */
const UNTYPED: AggregationValues = fieldType('keyword').aggregation;

/**
 * @param scriptKind type of what a script alone makes, where the request does not name one
 * @throws ShoalError for a field that has no values by document
 */
export function resolveSource(
  ctx: AggregationContext,
  source: ValuesSource,
  timeZone = 'UTC',
  scriptKind: FieldKind = 'keyword',
): ResolvedSource {
  const { script } = source;
  if (script === null) return resolveField(ctx, source, timeZone);
  if (source.field === '') {
    const kind = declaredKind(source.valueType) ?? scriptKind;
    const own = resolveKind(ctx, source, timeZone, { path: '', kind, format: '' });
    checkMadeTexts(own);
    const texts = new ScriptTexts();
    const scripted = documentScript(ctx, script, own.keyKind, texts);
    return own.keyKind === 'text' ? { ...own, scripted, texts } : { ...own, scripted };
  }
  const own = resolveField(ctx, source, timeZone);
  // Values that stand for none are shown as texts where no field says what they are.
  if (ctx.mapping.field(source.field) === null) {
    return source.valueType === null ? resolveField(ctx, { ...source, valueType: 'string' }, timeZone) : own;
  }
  if (own.keyKind !== 'text') {
    const scripted = valueScript(ctx, script, (view) => numbersOfDocument(numbersOf(view, own)), null);
    return { ...own, keyKind: 'double', scripted };
  }
  checkMadeTexts(own);
  const texts = new ScriptTexts();
  return { ...own, scripted: valueScript(ctx, script, (view) => textsOfDocument(view, own), texts), texts };
}

/** @throws ShoalError where texts that a script makes would have to be bytes of another form */
function checkMadeTexts({ kind, format }: ResolvedSource): void {
  if (kind !== null && (format.kind === 'ip' || format.kind === 'binary' || format.kind === 'version')) {
    throw illegalArgument('encoded bytes are of incorrect length');
  }
}

function numbersOfDocument(column: NumericColumn | null): DocumentValues {
  if (column === null) return () => [];
  return (doc) => {
    const values: number[] = [];
    const end = column.start(doc + 1);
    for (let at = column.start(doc); at < end; at++) {
      values.push(column.isWide ? Number(column.bigValue(at)) : column.value(at));
    }
    return values;
  };
}

function textsOfDocument({ segment }: SegmentView, source: ResolvedSource): DocumentValues {
  const column = segment.ordinalColumn(source.field);
  if (column === null) return () => [];
  return (doc) => {
    const values: string[] = [];
    const end = column.start(doc + 1);
    for (let at = column.start(doc); at < end; at++) values.push(keyOfTerm(source, column.value(column.ordinal(at))));
    return values;
  };
}

function resolveField(ctx: AggregationContext, source: ValuesSource, timeZone: string): ResolvedSource {
  if (source.field === INDEX_FIELD) return resolveIndexName(ctx, source);
  checkFielddata(source.field, ctx.refusesIdValues);
  if (source.field === ID_FIELD) return { ...TEXTS, field: ID_FIELD, missing: null };
  const mapping = ctx.mapping.field(source.field);
  if (mapping) {
    checkColumn(mapping);
    checkTaken(mapping);
    checkDeclared(mapping, source);
    if (hasOneForm(mapping.kind)) checkNoFormat(mapping, source.format);
    wantFielddata(ctx, mapping);
  }
  const kind = mapping?.kind ?? kindOfRequest(source);
  return resolveKind(ctx, source, timeZone, {
    path: mapping?.path ?? source.field,
    kind,
    format: mapping?.format ?? '',
  });
}

function checkTaken(field: FieldMapping): void {
  const refusal = fieldType(field.kind).aggregation.refusal?.(field);
  if (refusal !== undefined) throw illegalArgument(refusal);
}

/** @throws ShoalError where the request says that texts, or points, are numbers */
function checkDeclared({ path, kind }: FieldMapping, { valueType, script }: ValuesSource): void {
  const declared = declaredKind(valueType);
  if (declared === null || isTextKind(declared) || script !== null) return;
  const { keyKind, isCountedOnly } = valuesOf(kind);
  if (keyKind !== 'text' && isCountedOnly !== true) return;
  throw illegalArgument(`Expected numeric type on field [${path}], but got [${kind}]`);
}

/** True for a type of values whose keys are texts. */
export function isTextKind(declared: FieldKind | null): boolean {
  return declared === 'keyword' || declared === 'ip';
}

/** Values that are shown in one form: neither amounts nor dates. */
function hasOneForm(kind: FieldKind): boolean {
  const { keyKind, ranges } = valuesOf(kind);
  return kind === 'boolean' || (keyKind === 'text' && ranges === undefined);
}

function resolveKind(
  ctx: Pick<AggregationContext, 'clock'>,
  source: ValuesSource,
  timeZone: string,
  field: { readonly path: string; readonly kind: FieldKind | null; readonly format: string },
): ResolvedSource {
  const { kind } = field;
  const declared = field.format === '' ? DATE_FORMAT_DEFAULT : field.format;
  const dateFormat = source.format ?? declared;
  const { keyKind, format, key } = valuesOf(kind);
  // A number for a date is a text of digits in the format of the field.
  const missingOf =
    kind !== null && fieldType(kind).takesDateFormat && typeof source.missing === 'number'
      ? String(source.missing)
      : source.missing;
  return {
    field: field.path,
    kind,
    format: format({ pattern: source.format, dateFormat, timeZone }),
    keyKind,
    missing: missingOf === null ? null : key(missingOf, { dateFormat, timeZone, clock: ctx.clock }),
  };
}

/** No segment has the name of the index: it stands for the value that all documents lack. */
function resolveIndexName({ shard }: AggregationContext, { field }: ValuesSource): ResolvedSource {
  return { ...TEXTS, field, missing: shard.index };
}

/** Values of a field that no mapping declares. */
const TEXTS = { kind: 'keyword', format: PLAIN_FORMAT, keyKind: 'text' } as const;

function valuesOf(kind: FieldKind | null): AggregationValues {
  return kind === null ? UNTYPED : fieldType(kind).aggregation;
}

/** Type of a field that is not mapped: as named, or that of the value that stands for none. */
function kindOfRequest({ valueType, missing }: ValuesSource): FieldKind | null {
  const named = declaredKind(valueType);
  if (named !== null) return named;
  if (missing === null) return null;
  if (typeof missing === 'string') return 'keyword';
  if (typeof missing === 'boolean') return 'boolean';
  return Number.isInteger(Number(missing)) ? 'long' : 'double';
}

/** Value of the request in the form of the keys of a source's column. */
export function keyOf(
  ctx: Pick<AggregationContext, 'clock'>,
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
  if (source.missing !== null && source.texts !== undefined) return source.texts.of(String(source.missing));
  return source.missing === null ? Number.NaN : Number(source.missing);
}

/** Column of a source with numbers as keys; null where the segment has none, and for text keys that no script makes. */
export function numbersOf(view: SegmentView, source: ResolvedSource): NumericColumn | null {
  if (source.scripted !== undefined) return source.scripted.column(view);
  if (source.keyKind === 'text') return null;
  const column = view.segment.numericColumn(source.field);
  if (source.derived !== undefined) return column && source.derived(column);
  const isInNanos = source.kind !== null && fieldType(source.kind).holdsNanos === true;
  return isInNanos ? inMillis(column) : column;
}

/**
 * `docvalue_fields`: values of fields as the columns of a segment hold them, in the format asked for.
 */
import { printAddress, printDecimal } from '@shoal/aggregations';
import { DoubleNumber, illegalArgument, simpleMatch } from '@shoal/core';
import type { ShownField } from '@shoal/query';
import { dateFormatter, type FieldMapping } from '@shoal/schema';
import type { NumericColumn, OrdinalColumn } from '../../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { FetchedDocument } from './fetched-document.ts';

const FIELDS_MAX_DEFAULT = 100;

interface DocValueField {
  readonly name: string;
  readonly read: (document: FetchedDocument) => readonly unknown[];
}

/** What is the same for all documents of a request. */
export class DocValueReader {
  private readonly fields: readonly DocValueField[];

  /** @param collapseField shown of every hit as well; null without one */
  constructor(ctx: CompileContext, wanted: readonly ShownField[], collapseField: string | null) {
    checkDocValueCount(ctx, wanted);
    const isNamed = wanted.some(({ pattern }) => pattern === collapseField);
    const shown = { pattern: collapseField ?? '', format: null, includesUnmapped: false };
    const all = collapseField === null || isNamed ? wanted : [...wanted, shown];
    this.fields = all.flatMap((one) => fieldsNamed(ctx, one));
  }

  readInto(document: FetchedDocument, shown: Map<string, readonly unknown[]>): void {
    for (const { name, read } of this.fields) {
      const values = read(document);
      if (values.length > 0) shown.set(name, [...(shown.get(name) ?? []), ...values]);
    }
  }
}

export function checkDocValueCount(ctx: CompileContext, wanted: readonly ShownField[]): void {
  const max = Number(ctx.settings['index.max_docvalue_fields_search'] ?? FIELDS_MAX_DEFAULT);
  if (wanted.length > max) {
    throw illegalArgument(
      `Trying to retrieve too many docvalue_fields. Must be less than or equal to: [${max}] but was [${wanted.length}]. This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.`,
    );
  }
}

function fieldsNamed(ctx: CompileContext, { pattern, format }: ShownField): readonly DocValueField[] {
  const ofDocument = METADATA.get(pattern);
  if (ofDocument) return [{ name: pattern, read: ofDocument }];
  if (!pattern.includes('*')) {
    const field = ctx.mapping.field(pattern);
    return field === null ? [] : [columnField(field, format)];
  }
  const found = [...ctx.mapping.fields.values()].filter(({ path }) => simpleMatch(pattern, path));
  return found
    .filter((field) => field.kind !== 'text' && field.hasDocValues)
    .map((field) => columnField(field, format));
}

/** Kept of every document beside its fields. */
const METADATA: ReadonlyMap<string, DocValueField['read']> = new Map<string, DocValueField['read']>([
  ['_seq_no', ({ segment, doc }) => [segment.meta(doc).seqNo]],
  ['_version', ({ segment, doc }) => [segment.meta(doc).version]],
  ['_primary_term', ({ segment, doc }) => [segment.meta(doc).primaryTerm]],
  ['_id', ({ segment, doc }) => [segment.id(doc)]],
]);

function columnField(field: FieldMapping, format: string | null): DocValueField {
  const { path } = field;
  if (field.kind === 'text') {
    throw illegalArgument(
      `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${path}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`,
    );
  }
  if (!field.hasDocValues) {
    throw illegalArgument(
      `Can't load fielddata on [${path}] because fielddata is unsupported on fields of type [${field.kind}]. Use doc values instead.`,
    );
  }
  if (field.kind === 'keyword' || field.kind === 'ip') {
    if (format !== null) {
      throw illegalArgument(`Field [${path}] of type [${field.kind}] does not support custom formats`);
    }
    const decode = field.kind === 'ip' ? addressText : utf8Text;
    return { name: path, read: ({ segment, doc }) => ordinalValues(segment.ordinalColumn(path), doc, decode) };
  }
  const print = numberPrinter(field, format);
  return { name: path, read: ({ segment, doc }) => numericValues(segment.numericColumn(path), doc, print) };
}

function ordinalValues(
  column: OrdinalColumn | null,
  doc: number,
  decode: (bytes: Uint8Array) => string,
): readonly string[] {
  const values: string[] = [];
  if (column === null) return values;
  for (let at = column.start(doc); at < column.start(doc + 1); at++)
    values.push(decode(column.value(column.ordinal(at))));
  return values;
}

function utf8Text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

function addressText(bytes: Uint8Array): string {
  return printAddress(String.fromCharCode(...bytes));
}

function numericValues(
  column: NumericColumn | null,
  doc: number,
  print: (value: number | bigint) => unknown,
): readonly unknown[] {
  const values: unknown[] = [];
  if (column === null) return values;
  for (let at = column.start(doc); at < column.start(doc + 1); at++) {
    values.push(print(column.isWide ? column.bigValue(at) : column.value(at)));
  }
  return values;
}

function numberPrinter(field: FieldMapping, format: string | null): (value: number | bigint) => unknown {
  switch (field.kind) {
    case 'date': {
      const formatter = dateFormatter(format ?? field.format);
      return (ms) => formatter.print(Number(ms));
    }
    case 'boolean':
      if (format !== null)
        throw illegalArgument(`Field [${field.path}] of type [boolean] does not support custom formats`);
      return (value) => Number(value) !== 0;
    case 'double':
    case 'float':
      return format === null
        ? (value) => new DoubleNumber(Number(value))
        : (value) => printDecimal(Number(value), format);
    default:
      return format === null ? (value) => value : (value) => printDecimal(Number(value), format);
  }
}

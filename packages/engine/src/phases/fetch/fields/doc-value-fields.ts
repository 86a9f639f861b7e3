/**
 * `docvalue_fields`: values of fields from the columns of a segment, in the format asked for.
 */
import { assert, illegalArgument, simpleMatch } from '@shoal/core';
import type { ShownField } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { checkColumn, fieldType } from '../../../field-types/field-types.ts';
import { checkFielddata, INDEX_FIELD } from '../../../format/metadata-fields.ts';
import type { NumericColumn, OrdinalColumn } from '../../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import { wantFielddata } from '../../../match/context/wanted-fielddata.ts';
import type { FetchedDocument } from './fetched-document.ts';

const FIELDS_MAX_DEFAULT = 100;

interface DocValueField {
  readonly name: string;
  readonly read: (document: FetchedDocument) => readonly unknown[];
}

/** Reader of the fields of one request, for all of its documents. */
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
  if (pattern === INDEX_FIELD) return [{ name: pattern, read: () => [ctx.shard.index] }];
  checkFielddata(pattern, ctx.refusesIdValues);
  const ofDocument = METADATA.get(pattern);
  if (ofDocument) return [{ name: pattern, read: ofDocument }];
  if (!pattern.includes('*')) {
    const field = ctx.mapping.field(pattern);
    return field === null ? [] : [columnField(ctx, pattern, field, format)];
  }
  const found = [...ctx.mapping.named].filter(([name]) => simpleMatch(pattern, name));
  return found.map(([name, field]) => columnField(ctx, name, field, format));
}

/** Metadata of every document beside its fields. */
const METADATA: ReadonlyMap<string, DocValueField['read']> = new Map<string, DocValueField['read']>([
  ['_id', ({ segment, doc }) => [segment.id(doc)]],
  ['_seq_no', ({ segment, doc }) => [segment.meta(doc).seqNo]],
  ['_version', ({ segment, doc }) => [segment.meta(doc).version]],
  ['_primary_term', ({ segment, doc }) => [segment.meta(doc).primaryTerm]],
]);

function columnField(ctx: CompileContext, name: string, field: FieldMapping, format: string | null): DocValueField {
  const { path } = field;
  checkColumn(field);
  wantFielddata(ctx, field);
  const printer = fieldType(field.kind).columnPrinter(field, format);
  assert(printer !== null, `field [${path}] of type [${field.kind}] has a column without a printer`);
  if (printer.column === 'terms') {
    return { name, read: ({ segment, doc }) => ordinalValues(segment.ordinalColumn(path), doc, printer.print) };
  }
  const read: DocValueField['read'] = ({ segment, doc }) =>
    numericValues(segment.numericColumn(path), doc, printer.print);
  return { name, read: printer.sortsTexts === true ? (document) => [...read(document)].sort(compareTexts) : read };
}

/** Order of printed values: by their characters, all of which are ASCII. */
function compareTexts(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : 1;
}

function ordinalValues(
  column: OrdinalColumn | null,
  doc: number,
  print: (bytes: Uint8Array) => unknown,
): readonly unknown[] {
  const values: unknown[] = [];
  if (column === null) return values;
  for (let at = column.start(doc); at < column.start(doc + 1); at++) {
    values.push(print(column.value(column.ordinal(at))));
  }
  return values;
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

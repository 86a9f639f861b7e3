/**
 * Documents of a segment as scripts see them: `doc['price'].value`. Columns are looked up when a script first names their field.
 */
import { assert, DoubleNumber, FloatNumber, illegalArgument } from '@shoal/core';
import type { FieldKind, FieldMapping } from '@shoal/schema';
import {
  DocumentFields,
  FieldDateTime,
  FieldValues,
  type FieldValuesClass,
  type FieldValuesReader,
  ScriptPoint,
  VectorFieldValues,
} from '@shoal/script';
import { copyVector } from '../../field-types/dense-vector/vector-terms.ts';
import { checkColumn, fieldType } from '../../field-types/field-types.ts';
import { checkFielddata, ID_FIELD, INDEX_FIELD } from '../../format/metadata-fields.ts';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { wantFielddata } from '../context/wanted-fielddata.ts';
import { PointColumn } from '../geo/point-column.ts';

const WHOLE_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>(['long', 'integer', 'short', 'byte', 'unsigned_long']);
const NANOS_PER_MS = 1_000_000n;

/** Reader of the values of such a field as scripts see them, by documents of the segment. */
export type MadeValues = (field: FieldMapping) => (doc: number) => readonly unknown[];

/** The present document of a segment. */
export class ScriptDocument {
  /** In its segment. Set by whoever runs the script, before it runs. */
  doc = 0;
  /** The variable `doc`. */
  readonly fields: DocumentFields;

  /** @param made reader of the fields whose values are made when a document is searched */
  constructor(ctx: CompileContext, view: SegmentView, made: MadeValues) {
    this.fields = new DocumentFields((name) => {
      checkFielddata(name, ctx.refusesIdValues);
      if (name === INDEX_FIELD) return this.#field('Strings', ONE_VALUE, () => ctx.shard.index);
      if (name === ID_FIELD) return this.#field('Strings', ONE_VALUE, () => view.segment.id(this.doc));
      const field = ctx.mapping.field(name);
      if (field === null) return null;
      return field.runtime === null ? this.#values(ctx, view, field) : this.#madeValues(field, made(field));
    });
  }

  #madeValues(field: FieldMapping, read: (doc: number) => readonly unknown[]): FieldValues {
    assert(field.runtime !== null, `the values of [${field.path}] are indexed, not made`);
    let [doc, values]: [number, readonly unknown[]] = [-1, []];
    const valuesNow = (): readonly unknown[] => {
      if (doc !== this.doc) {
        values = read(this.doc);
        doc = this.doc;
      }
      return values;
    };
    return new FieldValues(classOf(field.kind), {
      count: () => valuesNow().length,
      first: () => valuesNow()[0],
      value: (index) => valuesNow()[index],
    });
  }

  #values(ctx: CompileContext, view: SegmentView, field: FieldMapping): FieldValues {
    checkColumn(field);
    wantFielddata(ctx, field);
    const { segment } = view;
    const { path, kind } = field;
    if (kind === 'geo_point') {
      const points = PointColumn.of(view, path);
      return this.#field('GeoPoints', points, (index) =>
        points === null ? null : new ScriptPoint(points.latitude(index), points.longitude(index)),
      );
    }
    if (field.vectors !== null) return this.#vectors(field, segment.ordinalColumn(path));
    const printer = fieldType(kind).columnPrinter(field, null);
    if (printer === null) throw illegalArgument(`Fielddata is not supported on field [${path}] of type [${kind}]`);
    if (printer.column === 'terms') {
      const column = segment.ordinalColumn(path);
      return this.#field('Strings', column, (index) =>
        column === null ? null : String(printer.print(column.value(column.ordinal(index)))),
      );
    }
    const column = segment.numericColumn(path);
    const read = column === null ? () => null : numberReader(kind, column, printer.print);
    return this.#field(classOf(kind), column, read);
  }

  #vectors({ dims }: FieldMapping, column: OrdinalColumn | null): FieldValues {
    const vector = new Float32Array(dims);
    let [doc, isPresent] = [-1, false];
    const read = (): Float32Array | null => {
      if (doc !== this.doc) {
        doc = this.doc;
        const index = column?.start(doc) ?? 0;
        isPresent = column !== null && index < column.start(doc + 1);
        if (column !== null && isPresent) copyVector(column.value(column.ordinal(index)), vector);
      }
      return isPresent ? vector : null;
    };
    return new VectorFieldValues({ dims, read, doc: () => this.doc });
  }

  #field(kind: FieldValuesClass, column: ValueColumn | null, read: (index: number) => unknown): FieldValues {
    if (column === null) return new FieldValues(kind, NO_VALUES);
    if (column.isDense === true) {
      return new FieldValues(kind, { count: () => 1, first: () => read(this.doc), value: () => read(this.doc) });
    }
    return new FieldValues(kind, {
      count: () => column.start(this.doc + 1) - column.start(this.doc),
      first: () => {
        const index = column.start(this.doc);
        return index < column.start(this.doc + 1) ? read(index) : undefined;
      },
      value: (index) => read(column.start(this.doc) + index),
    });
  }
}

/** Where the values of documents stand in a column. */
interface ValueColumn {
  /** Index of the first value of a document. */
  start(doc: number): number;
  /** Every document has one value, at the index that is its own. */
  readonly isDense?: boolean;
}

/** Column of a field that every document has one value of. */
const ONE_VALUE: ValueColumn = { start: (doc) => doc, isDense: true };

const NO_VALUES: FieldValuesReader = { count: () => 0, first: () => undefined, value: () => undefined };

/** Kinds whose values scripts see as longs. */
export function isWholeKind(kind: FieldKind): boolean {
  return WHOLE_KINDS.has(kind);
}

function classOf(kind: FieldKind): FieldValuesClass {
  if (WHOLE_KINDS.has(kind)) return 'Longs';
  if (kind === 'date' || kind === 'date_nanos') return 'Dates';
  if (kind === 'geo_point') return 'GeoPoints';
  if (kind === 'keyword' || kind === 'ip' || kind === 'version') return 'Strings';
  return kind === 'boolean' ? 'Booleans' : 'Doubles';
}

function numberReader(
  kind: FieldKind,
  column: NumericColumn,
  print: (value: number | bigint) => unknown,
): (index: number) => unknown {
  if (WHOLE_KINDS.has(kind)) {
    return (index) => BigInt.asIntN(64, column.isWide ? column.bigValue(index) : BigInt(column.value(index)));
  }
  switch (kind) {
    case 'date':
      return (index) => new FieldDateTime(column.value(index));
    case 'date_nanos':
      return (index) => {
        const nanos = column.isWide ? column.bigValue(index) : BigInt(column.value(index));
        const ms = nanos / NANOS_PER_MS - (nanos < 0n && nanos % NANOS_PER_MS !== 0n ? 1n : 0n);
        return new FieldDateTime(Number(ms), undefined, Number(nanos - ms * NANOS_PER_MS));
      };
    case 'boolean':
      return (index) => column.value(index) !== 0;
    case 'double':
    case 'float':
      return (index) => column.value(index);
    default:
      return (index) => plainNumber(print(column.isWide ? column.bigValue(index) : column.value(index)));
  }
}

/** A number as it is shown, without what says how it is printed. */
function plainNumber(shown: unknown): number {
  return shown instanceof DoubleNumber || shown instanceof FloatNumber ? shown.value : Number(shown);
}

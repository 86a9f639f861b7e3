/**
 * `fields`: values of fields as the document gave them, in the form that the mapping gives to their kind.
 *
 * What a field left out when it was indexed (too long, malformed) is left out here too, so that a value shown is one that
 * a search can find.
 */
import { assert, illegalArgument, isShoalError, simpleMatch } from '@shoal/core';
import type { ShownField } from '@shoal/query';
import { type DateFormatter, dateFormatter, type FieldMapping } from '@shoal/schema';
import { valuesAtPath } from '@shoal/shard-api';
import { fieldType } from '../../../field-types/field-types.ts';
import { normalizerOf } from '../../../match/compile/normalized-value.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import { runtimeReader } from '../../../match/scripts/runtime-values.ts';
import { FetchedDocument } from './fetched-document.ts';
import { type SourceObject, sourceValues } from './source-values.ts';

interface SourceField {
  /** Name that the request uses. */
  readonly name: string;
  readonly field: FieldMapping;
  /** Format that the request names; null: that of the field. */
  readonly format: string | null;
  readonly print: (value: unknown) => unknown;
}

/** Fields of nested objects of one path, shown in an object for each. */
interface NestedFields {
  readonly path: string;
  readonly reader: SourceFieldReader;
}

/** Reader of the fields of one request, for all of its documents. */
export class SourceFieldReader {
  private readonly ctx: CompileContext;
  /** Path of the objects that are read with its dot; '' for documents. */
  private readonly prefix: string;
  /** Part of the paths that is not in the names of the answer. */
  private readonly shownPrefix: string;
  private readonly fields: readonly SourceField[];
  private readonly nested: readonly NestedFields[];
  /** Patterns that also match paths that are not mapped. */
  private readonly unmapped: readonly string[];

  /**
   * @param around path of the nested objects that are read; '' for documents
   * @param showsPaths fields of nested objects have their whole path as their name, not the part behind that of the object
   */
  constructor(ctx: CompileContext, wanted: readonly ShownField[], around = '', showsPaths = false) {
    this.ctx = ctx;
    this.prefix = around === '' ? '' : `${around}.`;
    this.shownPrefix = showsPaths ? '' : this.prefix;
    if (wanted.length > 0 && !ctx.mapping.source.isEnabled) {
      throw illegalArgument(
        `Unable to retrieve the requested [fields] since _source is disabled in the mappings for index [${ctx.shard.index}]`,
      );
    }
    const { mapping } = ctx;
    const found = wanted.flatMap((one) => this.fieldsNamed(one));
    this.fields = found.filter(({ field }) => mapping.nestedAround(field.path) === around);
    this.unmapped = wanted.filter(({ includesUnmapped }) => includesUnmapped).map(({ pattern }) => pattern);
    this.nested = mapping.nestedPaths
      .filter((path) => mapping.nestedAround(path) === around)
      .filter((path) => this.unmapped.length > 0 || found.some(({ field }) => field.path.startsWith(`${path}.`)))
      .map((path) => ({ path, reader: new SourceFieldReader(ctx, wanted, path) }));
  }

  /** @param ignored gets the values that their field does not index */
  readInto(
    object: SourceObject,
    shown: Map<string, readonly unknown[]>,
    ignored: Map<string, readonly unknown[]>,
  ): void {
    for (const { name, field, format, print } of this.fields) {
      if (field.runtime !== null) {
        const made = this.madeValues(field, format, object);
        if (made.length > 0) shown.set(this.nameIn(name), made);
        continue;
      }
      const values: unknown[] = [];
      const others: unknown[] = [];
      if (fieldType(field.kind).showsColumn === true) values.push(...countsOf(field, object));
      else
        for (const value of sourceValues(this.ctx.mapping, field, object, this.prefix)) {
          const printed = printedOrNull(print, value);
          if (Array.isArray(printed) && fieldType(field.kind).showsItems === true) values.push(...printed);
          else if (printed !== null) values.push(printed);
          else if (value !== null) others.push(value);
        }
      if (values.length > 0) shown.set(this.nameIn(name), values);
      if (others.length > 0) ignored.set(name, [...(ignored.get(name) ?? []), ...others]);
    }
    for (const one of this.nested) this.readNested(one, object, shown, ignored);
    if (this.unmapped.length > 0) this.readUnmapped(this.prefix.slice(0, -1), object.values(), shown);
  }

  /** Values of a runtime field; of a geometry not rounded as its column is. */
  private madeValues(field: FieldMapping, format: string | null, object: SourceObject): readonly unknown[] {
    if (!(object instanceof FetchedDocument)) return [];
    const { searcher } = this.ctx;
    const view = searcher.views.find(({ segment }) => segment === object.segment);
    assert(view !== undefined, `a document of segment ${object.segment.name} is shown, which is not searched`);
    const print = fieldType(field.kind).printer(field, format, dateFormatter);
    return runtimeReader(this.ctx, view, field)(object.doc).map(print);
  }

  private readNested(
    { path, reader }: NestedFields,
    object: SourceObject,
    shown: Map<string, readonly unknown[]>,
    ignored: Map<string, readonly unknown[]>,
  ): void {
    const objects: unknown[] = [];
    for (const value of valuesAtPath(object.values(), path.slice(this.prefix.length))) {
      const fields = new Map<string, readonly unknown[]>();
      reader.readInto({ values: () => value }, fields, ignored);
      if (fields.size > 0) objects.push(Object.fromEntries(fields));
    }
    if (objects.length > 0) shown.set(this.nameIn(path), objects);
  }

  /** In an object of a nested field names begin behind its path. */
  private nameIn(path: string): string {
    return path.startsWith(this.shownPrefix) ? path.slice(this.shownPrefix.length) : path;
  }

  private fieldsNamed({ pattern, format }: ShownField): readonly SourceField[] {
    const { mapping } = this.ctx;
    const single = mapping.field(pattern);
    const found = pattern.includes('*')
      ? [...mapping.named].filter(([name]) => simpleMatch(pattern, name))
      : single === null
        ? []
        : [[pattern, single] as const];
    return found.map(([name, field]) => ({
      name,
      field,
      format,
      print: normalizedPrinter(this.ctx, field, printer(field, format)),
    }));
  }

  /** Values of the document at paths that are not mapped. */
  private readUnmapped(path: string, value: unknown, shown: Map<string, readonly unknown[]>): void {
    if (Array.isArray(value)) {
      for (const item of value) this.readUnmapped(path, item, shown);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const below = path === '' ? name : `${path}.${name}`;
        if (!this.ctx.mapping.objects.get(below)?.nested) this.readUnmapped(below, inner, shown);
      }
    } else if (value !== null && this.ctx.mapping.field(path) === null) {
      if (this.unmapped.some((pattern) => simpleMatch(pattern, path))) {
        const name = this.nameIn(path);
        shown.set(name, [...(shown.get(name) ?? []), value]);
      }
    }
  }
}

/** Numbers that the column of a field has for a document; none for objects inside, whose documents have them. */
function countsOf({ path, hasDocValues }: FieldMapping, object: SourceObject): readonly number[] {
  if (!hasDocValues || !(object instanceof FetchedDocument)) return [];
  const { segment, doc } = object;
  const column = segment.numericColumn(path);
  if (column === null) return [];
  const first = column.start(doc);
  return Array.from({ length: column.start(doc + 1) - first }, (_, i) => column.value(first + i));
}

/** Printed value; null for one that the field has ignored, since the document was accepted with it. */
function printedOrNull(print: (value: unknown) => unknown, value: unknown): unknown {
  try {
    return print(value);
  } catch (error) {
    if (isShoalError(error)) return null;
    throw error;
  }
}

/** Whole values are shown as their normalizer makes them. */
function normalizedPrinter(
  ctx: CompileContext,
  field: FieldMapping,
  print: (value: unknown) => unknown,
): (value: unknown) => unknown {
  const normalizer = normalizerOf(ctx, field);
  if (normalizer === null) return print;
  return (value) => {
    const printed = print(value);
    return typeof printed === 'string' ? normalizer.normalize(printed) : printed;
  };
}

/** Printer of a document's value; it returns null for one that the field does not index. */
function printer(field: FieldMapping, format: string | null): (value: unknown) => unknown {
  const type = fieldType(field.kind);
  if (format !== null && !type.takesDateFormat && type.takesGeometryFormat !== true) {
    throw illegalArgument(`Field [${field.path}] of type [${field.kind}] doesn't support formats.`);
  }
  const formatters = new Map<string, DateFormatter>();
  const dates = (name: string): DateFormatter => {
    const formatter = formatters.get(name) ?? dateFormatter(name);
    formatters.set(name, formatter);
    return formatter;
  };
  const print = type.printer(field, format, dates);
  return (value) => {
    const indexed = type.read(field, value, dates);
    return indexed === null ? null : print(indexed);
  };
}

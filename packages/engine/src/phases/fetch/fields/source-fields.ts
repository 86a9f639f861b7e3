/**
 * `fields`: values of fields as the document gave them, in the form that the mapping gives to their kind.
 *
 * What a field left out when it was indexed (too long, malformed) is left out here too, so that a value shown is one that
 * a search can find.
 */
import { printAddress } from '@shoal/aggregations';
import { DoubleNumber, FloatNumber, illegalArgument, isShoalError, simpleMatch } from '@shoal/core';
import type { ShownField } from '@shoal/query';
import { type DateFormatter, dateFormatter, type FieldMapping } from '@shoal/schema';
import { fieldValue } from '../../../document/field-value.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { FetchedDocument } from './fetched-document.ts';
import { sourceValues } from './source-values.ts';

interface SourceField {
  readonly field: FieldMapping;
  readonly print: (value: unknown) => unknown;
}

/** What is the same for all documents of a request. */
export class SourceFieldReader {
  private readonly ctx: CompileContext;
  private readonly fields: readonly SourceField[];
  /** Patterns that also find what the mapping does not know. */
  private readonly unmapped: readonly string[];

  constructor(ctx: CompileContext, wanted: readonly ShownField[]) {
    this.ctx = ctx;
    if (wanted.length > 0 && !ctx.mapping.isSourceEnabled) {
      throw illegalArgument(
        `Unable to retrieve the requested [fields] since _source is disabled in the mappings for index [${ctx.shard.index}]`,
      );
    }
    this.fields = wanted.flatMap((one) => this.fieldsNamed(one));
    this.unmapped = wanted.filter(({ includesUnmapped }) => includesUnmapped).map(({ pattern }) => pattern);
  }

  readInto(document: FetchedDocument, shown: Map<string, readonly unknown[]>): void {
    for (const { field, print } of this.fields) {
      const values: unknown[] = [];
      for (const value of sourceValues(this.ctx.mapping, field, document)) {
        const printed = printedOrNull(print, value);
        if (printed !== null) values.push(printed);
      }
      if (values.length > 0) shown.set(field.path, values);
    }
    if (this.unmapped.length > 0) this.readUnmapped('', document.values(), shown);
  }

  private fieldsNamed({ pattern, format }: ShownField): readonly SourceField[] {
    const { mapping } = this.ctx;
    const found = pattern.includes('*')
      ? [...mapping.fields.values()].filter(({ path }) => simpleMatch(pattern, path))
      : [mapping.field(pattern)];
    return found.flatMap((field) => (field === null ? [] : [{ field, print: printer(field, format) }]));
  }

  /** Leaves of the document that no field of the mapping stands for. */
  private readUnmapped(path: string, value: unknown, shown: Map<string, readonly unknown[]>): void {
    if (Array.isArray(value)) {
      for (const item of value) this.readUnmapped(path, item, shown);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        this.readUnmapped(path === '' ? name : `${path}.${name}`, inner, shown);
      }
    } else if (value !== null && this.ctx.mapping.field(path) === null) {
      if (this.unmapped.some((pattern) => simpleMatch(pattern, path))) {
        shown.set(path, [...(shown.get(path) ?? []), value]);
      }
    }
  }
}

/** null for what the field has ignored: the document was accepted with it. */
function printedOrNull(print: (value: unknown) => unknown, value: unknown): unknown {
  try {
    return print(value);
  } catch (error) {
    if (isShoalError(error)) return null;
    throw error;
  }
}

/** From a value of the document to the one that is shown; null for none. */
function printer(field: FieldMapping, format: string | null): (value: unknown) => unknown {
  if (format !== null && field.kind !== 'date') {
    throw illegalArgument(`Field [${field.path}] of type [${field.kind}] doesn't support formats.`);
  }
  const own = new Map<string, DateFormatter>();
  const dates = (name: string): DateFormatter => {
    const formatter = own.get(name) ?? dateFormatter(name);
    own.set(name, formatter);
    return formatter;
  };
  const read = (value: unknown) => fieldValue(field, value, dates);
  switch (field.kind) {
    case 'date': {
      const shown = dates(format ?? field.format);
      return (value) => {
        const ms = read(value);
        return ms === null ? null : shown.print(Number(ms));
      };
    }
    case 'ip':
      return (value) => {
        const bytes = read(value);
        return bytes === null ? null : printAddress(String(bytes));
      };
    case 'double':
    case 'float': {
      const Kind = field.kind === 'float' ? FloatNumber : DoubleNumber;
      return (value) => {
        const number = read(value);
        return number === null ? null : new Kind(Number(number));
      };
    }
    default:
      return read;
  }
}

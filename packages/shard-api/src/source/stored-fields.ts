/**
 * `stored_fields` of the get APIs: values of the fields that the mapping stores, as lists under `fields`.
 *
 * Nothing is stored twice: the values are taken from the `_source` that a document keeps, or from what is kept beside it where
 * the mapping leaves them out of it, in the form in which a field of that kind would have kept them. A name that is mapped but not stored, or not mapped at all, is passed over.
 */
import { ANY_TOKENS, illegalArgument, parseJson, simpleMatch } from '@shoal/core';
import type { HitOptions } from '@shoal/query';
import {
  type FieldMapping,
  isWholeValue,
  type Mapping,
  type SourceValue,
  typeOfField,
  valuePathsOf,
} from '@shoal/schema';
import { valuesAtPath } from './values-at-path.ts';

/** What a segment keeps of a document. */
export interface StoredDocument {
  readonly source: Uint8Array | null;
  /** JSON of the values of stored fields that the source leaves out; null without any. */
  readonly storedApart: Uint8Array | null;
}

type Fields = Readonly<Record<string, readonly unknown[]>>;

/** Names that are parts of the answer already, and no fields. */
const METADATA_NAMES: ReadonlySet<string> = new Set(['_source', '_routing', '_id', '_index']);

const NOT_FIELDS: ReadonlySet<string> = new Set(['_source', '_none_']);

/**
 * Names of `stored_fields`: patterns find the stored fields of a mapping that they match; other names stand for themselves.
 *
 * @param mapping null: patterns stand for themselves too
 */
export function storedNames({ storedFields }: HitOptions, mapping: Mapping | null): readonly string[] {
  const wanted = (storedFields ?? []).filter((name) => !NOT_FIELDS.has(name));
  if (mapping === null) return wanted;
  return wanted.flatMap((name) => {
    if (!name.includes('*')) return [name];
    const stored = [...mapping.fields.values()].filter((field) => field.isStored && simpleMatch(name, field.path));
    return stored.map((field) => field.path);
  });
}

/**
 * @param nestedPath path of the nested object that the document is; '' for a document that is nested in none
 * @returns null when the document has a value for none of the names; illegal_argument_exception for an object
 */
export function storedFieldsOf(
  mapping: Mapping,
  document: StoredDocument,
  names: readonly string[],
  nestedPath = '',
): Fields | null {
  const wanted = names.filter((name) => !METADATA_NAMES.has(name));
  if (wanted.length === 0) return null;
  const source = valuesOfJson(document.source);
  const apart = valuesOfJson(document.storedApart);
  const found: [string, readonly unknown[]][] = [];
  for (const name of new Set(wanted)) {
    if (mapping.isObject(name)) throw illegalArgument(`field [${name}] isn't a leaf field`);
    const field = mapping.field(name);
    if (field === null || !field.isStored || !isValueOf(mapping, field, nestedPath)) continue;
    const values = valuesOf(mapping, field, mapping.storedApart?.fields.has(field.path) ? apart : source);
    if (values.length > 0) found.push([name, values]);
  }
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** True where a field's values are those of the documents of a path: its own, or of an object that they include. */
function isValueOf(mapping: Mapping, { path }: FieldMapping, nestedPath: string): boolean {
  let around = mapping.nestedAround(path);
  while (around !== nestedPath) {
    const nested = mapping.objects.get(around)?.nested;
    if (nested?.isInRoot === true && nestedPath === '') return true;
    if (nested?.isInParent !== true) return false;
    around = mapping.nestedAround(around);
  }
  return true;
}

function valuesOfJson(bytes: Uint8Array | null): unknown {
  return bytes === null ? null : parseJson(bytes, ANY_TOKENS);
}

function valuesOf(mapping: Mapping, field: FieldMapping, source: unknown): readonly unknown[] {
  const raw = valuePathsOf(mapping.fields, field).flatMap((path) =>
    valuesAtPath(source, path, (value) => isWholeValue(field.kind, value)),
  );
  return raw.map((value) => storedValue(field, value ?? field.nullValue)).filter((value) => value !== null);
}

/** null for what the field did not keep: nothing, or what it was told to ignore. */
function storedValue(field: FieldMapping, value: unknown): unknown {
  return isValue(field, value) ? typeOfField(field.kind).storedValue(value, field) : null;
}

function isValue({ kind }: FieldMapping, value: unknown): value is SourceValue {
  if (typeof value === 'object') return value !== null && isWholeValue(kind, value);
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

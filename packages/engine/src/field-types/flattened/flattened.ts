/**
 * `flattened`: the leaves of an object as whole values, of the field and of one more field for each key.
 *
 * Only keys that documents have make fields, in the segments that hold them; the mapping never grows.
 */
import { illegalArgument } from '@shoal/core';
import { type FieldMapping, keyedField } from '@shoal/schema';
import type { FieldType, FieldValue } from '../contract/field-type.ts';
import { ComposedValue, TERM_BYTES_MAX } from '../contract/indexed-value.ts';
import { KEYWORD } from '../keyword/keyword.ts';

/** Most leaves of one object. */
const LEAVES_MAX = 10_000;

/** Object of a document; its leaves are what is indexed. */
class FlattenedValue extends ComposedValue {
  readonly indexed = '';
  readonly json: object;

  constructor(json: object) {
    super();
    this.json = json;
  }
}

export const FLATTENED: FieldType = {
  ...KEYWORD,
  read: ({ path }, value) => {
    if (typeof value === 'object' && value !== null) return new FlattenedValue(value);
    throw illegalArgument(`[flattened] unexpected value [${String(value)}] for field [${path}], which takes objects`);
  },
  check: () => {},
  spread: (field, value) => {
    if (!(value instanceof FlattenedValue)) return [];
    const leaves: Leaf[] = [];
    collectLeaves(field, value.json, '', 1, leaves);
    return leaves.flatMap((leaf) => indexedLeaf(field, leaf));
  },
  printer: () => (value) => (value instanceof FlattenedValue ? value.json : null),
};

interface Leaf {
  readonly key: string;
  readonly text: string;
}

function collectLeaves(field: FieldMapping, value: unknown, key: string, depth: number, into: Leaf[]): void {
  if (Array.isArray(value)) {
    for (const entry of value) collectLeaves(field, entry, key, depth, into);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    const text = value ?? field.nullValue;
    if (text === null) return;
    if (into.length === LEAVES_MAX) {
      throw illegalArgument(
        `The [flattened] field [${field.path}] has more than [${LEAVES_MAX}] values in one document`,
      );
    }
    into.push({ key, text: String(text) });
    return;
  }
  if (depth > field.depthLimit) {
    throw illegalArgument(
      `The provided [flattened] field [${field.path}] exceeds the maximum depth limit of [${field.depthLimit}].`,
    );
  }
  for (const [name, child] of Object.entries(value)) {
    if (name.includes('\0')) {
      throw illegalArgument(
        `Keys in [flattened] fields cannot contain the reserved character \\0. Offending key: [${name}].`,
      );
    }
    collectLeaves(field, child, key === '' ? name : `${key}.${name}`, depth + 1, into);
  }
}

/** The value of the field itself, and of the field of its key. */
function indexedLeaf(field: FieldMapping, { key, text }: Leaf): readonly FieldValue[] {
  if (field.ignoreAbove !== null && text.length > field.ignoreAbove) return [];
  if (Buffer.byteLength(text, 'utf8') > TERM_BYTES_MAX) {
    throw illegalArgument(
      `Flattened field [${field.path}] contains one immense field whose keyed encoding is longer than the allowed max length of ${TERM_BYTES_MAX} bytes. Key length: ${key.length}, value length: ${text.length} for key starting with [${key.slice(0, 50)}]`,
    );
  }
  const keyed = keyedField(field, key);
  return [{ field, value: text }, ...(keyed === null ? [] : [{ field: keyed, value: text }])];
}

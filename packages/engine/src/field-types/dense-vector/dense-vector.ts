/**
 * `dense_vector` and `knn_vector`: one list of floats a document, in a column that scripts and searches for the nearest vectors read; found by
 * whether there is one.
 */
import { illegalArgument } from '@shoal/core';
import type { FieldMapping } from '@shoal/schema';
import { checkNoFormat, type FieldType, NO_PARTS } from '../contract/field-type.ts';
import { ComposedValue } from '../contract/indexed-value.ts';
import { unexpectedToken } from '../contract/json-token.ts';
import { KEYWORD } from '../keyword/keyword.ts';
import { checkBytes, checkFinite, checkMagnitude } from './vector-similarity.ts';
import { vectorTerm } from './vector-terms.ts';

/** A list of a document, and what is indexed of it. */
class VectorValue extends ComposedValue {
  readonly indexed: string;
  readonly numbers: readonly unknown[];

  constructor(indexed: string, numbers: readonly unknown[]) {
    super();
    this.indexed = indexed;
    this.numbers = numbers;
  }
}

export const DENSE_VECTOR: FieldType = {
  ...KEYWORD,
  // Written as floats when its length is known to fit, by `spread`, which knows the document that errors name.
  read: (_field, value) => new VectorValue('', numbersIn(value)),
  spread: (field, value, { id }) => {
    const numbers = value instanceof VectorValue ? value.numbers : [];
    checkCount(field, numbers.length, id);
    checkNumbers(field, numbers);
    return [{ field, value: new VectorValue(vectorTerm(numbers), numbers) }];
  },
  check: () => {},
  learned: ({ path, dims, isMultiField }, value) => {
    if (dims > 0) return null;
    if (isMultiField) throw illegalArgument(`Field [${path}] below another field must have [dims]`);
    return { dims: numbersIn(value).length };
  },
  isSingle: ({ path, kind }) =>
    `Field [${path}] of type [${kind}] doesn't not support indexing multiple values for the same field in the same document`,
  parts: () => ({
    ...NO_PARTS,
    terms: { encoding: 'latin1', hasFreqs: false, hasPositions: false, hasPostings: false },
    hasOrdinals: true,
  }),
  textQueries: 'none',
  term: ({ path, kind }) => {
    throw illegalArgument(`Field [${path}] of type [${kind}] doesn't support queries`);
  },
  range: ({ path, kind }) => {
    throw illegalArgument(`Field [${path}] of type [${kind}] does not support range queries`);
  },
  sort: { column: 'none', refusal: "can't sort on the vector field" },
  collapse: 'none',
  aggregation: {
    ...KEYWORD.aggregation,
    encoding: 'latin1',
    takesPatterns: false,
    refusal: notShown,
  },
  columnPrinter: (field) => {
    throw illegalArgument(notShown(field));
  },
  showsItems: true,
  printer: (field, format) => {
    checkNoFormat(field, format);
    return (value) => (value instanceof VectorValue ? value.numbers : null);
  },
};

function notShown({ path, kind }: FieldMapping): string {
  return `Field [${path}] of type [${kind}] doesn't support docvalue_fields or aggregations`;
}

function checkCount({ path, kind, dims }: FieldMapping, count: number, id: string): void {
  const named = `Field [${path}] of type [${kind}] of doc [${id}]`;
  if (dims > 0 && count > dims) {
    throw illegalArgument(`${named} has exceeded the number of dimensions [${dims}] defined in mapping`);
  }
  // A mapping without a length learns it from this one, and refuses what cannot be one.
  if (count === dims || dims === 0) return;
  throw illegalArgument(`${named} has number of dimensions [${count}] less than defined in the mapping [${dims}]`);
}

/** Refuses numbers that the field, or searches for the nearest vectors, cannot take. */
function checkNumbers({ vectors }: FieldMapping, numbers: readonly unknown[]): void {
  if (vectors === null) return;
  if (vectors.isByte) checkBytes(numbers, 'vectors');
  if (vectors.checksLength && vectors.similarity !== null) {
    const floats = Float32Array.from(numbers, Number);
    checkFinite(floats);
    checkMagnitude(vectors.similarity, floats, vectors.isByte);
  }
}

function numbersIn(list: unknown): readonly unknown[] {
  if (!Array.isArray(list)) throw unexpectedToken('START_ARRAY', list);
  const other = list.find((entry: unknown) => typeof entry !== 'number' && typeof entry !== 'bigint');
  if (other !== undefined) throw unexpectedToken('VALUE_NUMBER', other);
  return list;
}

/**
 * `histogram`: values with their counts, in a column; aggregated, and found by whether there are any.
 */
import { PLAIN_FORMAT } from '@shoal/aggregations';
import { illegalArgument, javaDoubleText, ShoalError } from '@shoal/core';
import { type CountedNumbers, checkNoFormat, type FieldType, NO_PARTS } from '../contract/field-type.ts';
import { ComposedValue, TERM_BYTES_MAX } from '../contract/indexed-value.ts';
import { unexpectedToken } from '../contract/json-token.ts';
import { KEYWORD } from '../keyword/keyword.ts';
import { countedTerm, readCountedTerm } from './counted-numbers.ts';

const COUNT_MAX = 2 ** 31 - 1;

class HistogramValue extends ComposedValue {
  readonly indexed: string;
  /** Value as the document has it. */
  readonly json: unknown;

  constructor(indexed: string, json: unknown) {
    super();
    this.indexed = indexed;
    this.json = json;
  }
}

export const HISTOGRAM: FieldType = {
  ...KEYWORD,
  read: ({ path }, value) => new HistogramValue(countedTerm(readHistogram(path, value)), value),
  check: ({ path }, value) => {
    if (!(value instanceof HistogramValue) || value.indexed.length <= TERM_BYTES_MAX) return;
    throw illegalArgument(`DocValuesField "${path}" is too large, must be <= ${TERM_BYTES_MAX}`);
  },
  isSingle: ({ path }) =>
    `Field [${path}] of type [histogram] doesn't not support indexing multiple values for the same field in the same document`,
  parts: () => ({
    ...NO_PARTS,
    terms: { encoding: 'latin1', hasFreqs: false, hasPositions: false, hasPostings: false },
    hasOrdinals: true,
  }),
  textQueries: 'none',
  term: ({ path }) => {
    throw notSearched(path);
  },
  range: ({ path }) => {
    throw notSearched(path);
  },
  sort: { column: 'none', refusal: "can't sort on the [histogram] field" },
  collapse: 'none',
  aggregation: {
    ...KEYWORD.aggregation,
    encoding: 'latin1',
    takesPatterns: false,
    isCountedOnly: true,
    histogram: readCountedTerm,
    format: () => PLAIN_FORMAT,
    key: () => {
      throw illegalArgument("Can't apply missing values on a [histogram] field");
    },
  },
  columnPrinter: () => {
    throw illegalArgument('The [histogram] field does not support scripts');
  },
  printer: (field, format) => {
    checkNoFormat(field, format);
    return (value) => (value instanceof HistogramValue ? value.json : null);
  },
};

function notSearched(path: string): ShoalError {
  return new ShoalError(
    'query_shard_exception',
    400,
    `[histogram] field do not support searching, use dedicated aggregations instead: [${path}]`,
  );
}

function readHistogram(path: string, json: unknown): CountedNumbers {
  if (typeof json !== 'object' || json === null) throw unexpectedToken('START_OBJECT', json);
  let values: readonly number[] | null = null;
  let counts: readonly number[] | null = null;
  for (const [name, list] of Object.entries(json)) {
    if (name === 'values') values = ascending(path, numbersIn(list));
    else if (name === 'counts') counts = numbersIn(list).map(countOf);
    else throw malformed(path, `, with unknown parameter [${name}]`);
  }
  if (values === null) throw malformed(path, ', expected field called [values]');
  if (counts === null) throw malformed(path, ', expected field called [counts]');
  if (values.length !== counts.length) {
    throw malformed(
      path,
      `, expected same length from [values] and [counts] but got [${values.length} != ${counts.length}]`,
    );
  }
  return counted(path, values, counts);
}

/** Values that were met; equal ones are one. */
function counted(path: string, values: readonly number[], counts: readonly number[]): CountedNumbers {
  const found = new Map<number, number>();
  for (const [i, value] of values.entries()) {
    const count = counts[i] ?? 0;
    if (count < 0) throw malformed(path, `, [counts] elements must be >= 0 but got ${count}`);
    if (count > 0) found.set(value, (found.get(value) ?? 0) + count);
  }
  const tooMany = [...found.values()].find((count) => count > COUNT_MAX);
  if (tooMany !== undefined) throw malformed(path, `, [counts] of equal values add up to ${tooMany}`);
  return { values: Float64Array.from(found.keys()), counts: Uint32Array.from(found.values()) };
}

function numbersIn(list: unknown): readonly number[] {
  if (!Array.isArray(list)) throw unexpectedToken('START_ARRAY', list);
  return list.map((entry: unknown) => {
    if (typeof entry !== 'number' && typeof entry !== 'bigint') throw unexpectedToken('VALUE_NUMBER', entry);
    return Number(entry);
  });
}

function ascending(path: string, values: readonly number[]): readonly number[] {
  let last = -Number.MAX_VALUE;
  for (const value of values) {
    if (value < last) {
      const found = `got [${javaDoubleText(value)}] but previous value was [${javaDoubleText(last)}]`;
      throw malformed(path, `, [values] values must be in increasing order, ${found}`);
    }
    last = value;
  }
  return values;
}

function countOf(number: number): number {
  const count = Math.trunc(number);
  if (count >= -COUNT_MAX - 1 && count <= COUNT_MAX) return count;
  throw new ShoalError(
    'input_coercion_exception',
    400,
    `Numeric value (${number}) out of range of int (${-COUNT_MAX - 1} - ${COUNT_MAX})`,
  );
}

function malformed(path: string, what: string): ShoalError {
  return new ShoalError('mapper_parsing_exception', 400, `error parsing field [${path}]${what}`);
}

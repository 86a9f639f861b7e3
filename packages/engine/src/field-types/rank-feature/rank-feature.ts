/**
 * `rank_feature`: positive numbers of nine significant bits in a column that the `rank_feature` query alone reads.
 */
import { FloatNumber, illegalArgument, javaFloatText } from '@shoal/core';
import type { FieldMapping } from '@shoal/schema';
import type { FieldType } from '../contract/field-type.ts';
import { NO_PARTS } from '../contract/field-type.ts';
import { ComposedValue } from '../contract/indexed-value.ts';
import { fractionType } from '../number/number-type.ts';
import { fractionValue } from '../number/number-value.ts';
import { featureCode, featureValue } from './feature-code.ts';

/** Least value: smaller ones have fewer bits than others. */
const LEAST = 2 ** -126;

const FLOAT = fractionType('float');

class FeatureNumber extends ComposedValue {
  /** Value of the document, a float. */
  readonly given: number;
  readonly indexed: number;

  constructor(given: number, indexed: number) {
    super();
    this.given = given;
    this.indexed = indexed;
  }
}

export const RANK_FEATURE: FieldType = {
  ...FLOAT,
  read: (field, value) => {
    const number = fractionValue({ kind: 'float', coerce: true }, value, Math.fround);
    return number === null ? null : readFeature(field, number);
  },
  isSingle: ({ path }) =>
    `[rank_feature] fields do not support indexing multiple values for the same field [${path}] in the same document`,
  parts: () => ({ ...NO_PARTS, numbers: 'double' }),
  term: () => {
    throw illegalArgument('Queries on [rank_feature] fields are not supported');
  },
  range: ({ path }) => {
    throw illegalArgument(`Field [${path}] of type [rank_feature] does not support range queries`);
  },
  numbers: null,
  hasColumn: false,
  sort: { column: 'none', refusal: '[rank_feature] fields do not support sorting, scripting or aggregating' },
  collapse: 'none',
  aggregation: { ...FLOAT.aggregation, isCountedOnly: true },
  printer: () => (value) => (value instanceof FeatureNumber ? new FloatNumber(value.given) : null),
};

/** A value as it is indexed: those that lower the score are turned over. */
export function readFeature({ path, isInverse }: FieldMapping, number: number): FeatureNumber {
  if (!(number >= LEAST)) {
    throw illegalArgument(
      `featureValue must be a positive normal float, got: ${javaFloatText(number)} for feature ${path} on field _feature which is less than the minimum positive normal float: ${javaFloatText(LEAST)}`,
    );
  }
  const impact = isInverse ? Math.fround(1 / number) : number;
  return new FeatureNumber(number, featureValue(featureCode(impact)));
}

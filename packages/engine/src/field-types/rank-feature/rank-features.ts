/**
 * `rank_features`: an object of features, each of them a field of its own below the name of this one.
 */
import { illegalArgument } from '@shoal/core';
import { type FieldMapping, keyedField } from '@shoal/schema';
import { type FieldType, type FieldValue, NO_PARTS } from '../contract/field-type.ts';
import { ComposedValue } from '../contract/indexed-value.ts';
import { fractionValue } from '../number/number-value.ts';
import { RANK_FEATURE, readFeature } from './rank-feature.ts';

/** Features of a document by name. */
class Features extends ComposedValue {
  readonly indexed = 0;
  readonly json: object;

  constructor(json: object) {
    super();
    this.json = json;
  }
}

export const RANK_FEATURES: FieldType = {
  ...RANK_FEATURE,
  read: (_field, value) => {
    if (typeof value === 'object' && value !== null) return new Features(value);
    throw illegalArgument(
      `[rank_features] fields must be json objects, expected a START_OBJECT but got: ${tokenOf(value)}`,
    );
  },
  spread: (field, value) => {
    if (!(value instanceof Features)) return [];
    return Object.entries(value.json).flatMap(([name, given]) => feature(field, name, given));
  },
  isSingle: ({ path }) =>
    `[rank_features] fields do not support indexing multiple values for the same rank feature [${path}] in the same document`,
  parts: () => NO_PARTS,
  term: () => {
    throw illegalArgument('Queries on [rank_features] fields are not supported');
  },
  refusesExists: '[rank_features] fields do not support [exists] queries',
  sort: { column: 'none', refusal: '[rank_features] fields do not support sorting, scripting or aggregating' },
  printer: () => (value) => (value instanceof Features ? value.json : null),
};

function feature(field: FieldMapping, name: string, given: unknown): readonly FieldValue[] {
  if (given === null) return [];
  if (typeof given !== 'number' && typeof given !== 'string' && typeof given !== 'bigint') {
    throw illegalArgument(
      `[rank_features] fields take hashes that map a feature to a strictly positive float, but got unexpected token ${tokenOf(given)}`,
    );
  }
  const keyed = keyedField(field, name);
  const number = fractionValue({ kind: 'float', coerce: true }, given, Math.fround);
  return keyed === null || number === null ? [] : [{ field: keyed, value: readFeature(keyed, number) }];
}

function tokenOf(value: unknown): string {
  if (Array.isArray(value)) return 'START_ARRAY';
  if (typeof value === 'object') return 'START_OBJECT';
  if (typeof value === 'boolean') return value ? 'VALUE_TRUE' : 'VALUE_FALSE';
  return typeof value === 'string' ? 'VALUE_STRING' : 'VALUE_NUMBER';
}

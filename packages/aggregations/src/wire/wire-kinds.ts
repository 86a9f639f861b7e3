/**
 * What the numbers on the wire stand for. A place in a list is its number: new ones go to the end.
 */
import type { PartialResult, TermsKeyKind, ValueFormat } from '../partials/partial-result.ts';

export const KINDS: readonly PartialResult['kind'][] = [
  'stats',
  'cardinality',
  'percentiles',
  'terms',
  'histogram',
  'range',
  'filters',
  'composite',
  'weightedAverage',
];

/** Those without buckets. */
export type LeafKind = 'stats' | 'cardinality' | 'percentiles' | 'weightedAverage';

export function isLeafKind(kind: PartialResult['kind']): kind is LeafKind {
  return kind === 'stats' || kind === 'cardinality' || kind === 'percentiles' || kind === 'weightedAverage';
}

export const FORMATS: readonly ValueFormat['kind'][] = ['plain', 'boolean', 'ip', 'date', 'decimal'];
export const KEY_KINDS: readonly TermsKeyKind[] = ['text', 'long', 'double'];

/** Kinds of keys. */
export const KEY_NONE = 0;
export const KEY_TEXT = 1;
export const KEY_NUMBER = 2;
export const KEY_BIGINT = 3;

/** Microseconds that a sketch costs to write, read or merge, about: they are some kilobytes each. */
export const SKETCH_UNITS = 20;

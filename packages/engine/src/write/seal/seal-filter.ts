/**
 * Filter of the terms of a field that was inverted.
 */
import { assert } from '@shoal/core';
import { TermFilterBuilder, type TermFilterContent } from '../../format/terms/term-filter.ts';
import type { InvertedField } from './write-inverted.ts';

/** Terms between two yields: a millisecond of work or less. */
const TERMS_PER_STEP = 8_192;

/** Yields every millisecond or so. */
export function* filterOfInverted({ terms, order }: InvertedField): Generator<void, TermFilterContent> {
  const [least] = order;
  const greatest = order.at(-1);
  assert(least !== undefined && greatest !== undefined, 'a filter of no terms');
  const { bytes } = terms;
  const filter = new TermFilterBuilder(order.length);
  for (let id = 0; id < order.length; id++) {
    filter.add(bytes, terms.start(id), terms.end(id));
    if (id % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
  }
  const termOf = (id: number): Uint8Array => bytes.slice(terms.start(id), terms.end(id));
  return { words: filter.words, least: termOf(least), greatest: termOf(greatest) };
}

/**
 * In how many documents of the background each of some terms is: by the postings of the terms.
 */
import type { BucketKey } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import { NO_MORE_DOCS, type TermDictionary } from '../../../format/reader/segment-reader.ts';
import { utf8Bytes } from '../../../match/context/compile-context.ts';
import { FilterMatches } from '../filters/filter-matches.ts';
import { type Background, type BackgroundFrequencies, batchesOf } from './background-counts.ts';

/** Microseconds that a term, and a posting, cost, about. */
const TERM_UNITS = 2;
const POSTING_UNITS = 0.01;
const DOC_UNITS = 0.02;

export class TermBackground implements BackgroundFrequencies {
  size = 0;
  readonly #background: Background;
  readonly #counts = new Map<BucketKey, number>();

  constructor(background: Background, keys: Iterable<BucketKey>) {
    this.#background = background;
    for (const key of keys) this.#counts.set(key, 0);
  }

  of(key: BucketKey): number {
    return this.#counts.get(key) ?? 0;
  }

  *count(meter: StepMeter): Steps<void> {
    const { views, filter, source } = this.#background;
    const matches = filter && new FilterMatches(filter);
    for (const view of views) {
      const { segment } = view;
      const terms = segment.terms(source.field);
      if (matches === null) {
        this.size += segment.docCount;
        if (terms !== null) yield* this.#countAll(terms, meter);
        continue;
      }
      matches.enter(view);
      const isTaken = new Uint8Array(segment.docCount);
      for (const { docs, count } of batchesOf(view, matches)) {
        for (let i = 0; i < count; i++) isTaken[docs[i] as number] = 1;
        this.size += count;
        if (meter.isDue(DOC_UNITS * count + 1)) yield;
      }
      matches.leave();
      if (terms !== null) yield* this.#countTaken(terms, isTaken, meter);
    }
  }

  /** Deleted documents count until they are merged away, as they do in scores. */
  *#countAll(terms: TermDictionary, meter: StepMeter): Steps<void> {
    for (const [key, count] of this.#counts) {
      const ordinal = terms.find(utf8Bytes(String(key)));
      if (ordinal >= 0) this.#counts.set(key, count + terms.docFreq(ordinal));
      if (meter.isDue(TERM_UNITS)) yield;
    }
  }

  *#countTaken(terms: TermDictionary, isTaken: Uint8Array, meter: StepMeter): Steps<void> {
    for (const [key, count] of this.#counts) {
      const ordinal = terms.find(utf8Bytes(String(key)));
      if (ordinal < 0) continue;
      let found = 0;
      const postings = terms.postings(ordinal);
      for (let doc = postings.next(); doc !== NO_MORE_DOCS; doc = postings.next()) {
        assert(doc < isTaken.length, `document ${doc} of ${isTaken.length}`);
        found += isTaken[doc] as number;
      }
      this.#counts.set(key, count + found);
      if (meter.isDue(TERM_UNITS + POSTING_UNITS * terms.docFreq(ordinal))) yield;
    }
  }
}

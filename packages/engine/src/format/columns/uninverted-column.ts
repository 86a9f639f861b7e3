/**
 * Column of ordinals made of the postings of a field: the values by document of a text field with `fielddata`.
 *
 * It reads every posting of the field once to count and once to place, and is made when a search first wants it.
 */
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { FrequencyFilter } from '@shoal/schema';
import { NumberBlocks } from '../reader/number-blocks.ts';
import { NO_MORE_DOCS, type OrdinalColumn, type TermDictionary } from '../reader/segment-reader.ts';
import type { SortedTerms } from '../reader/term-prefixes.ts';
import { isMultiValued, startsFromCounts } from './value-starts.ts';

/** Microseconds to read a posting, about. */
const POSTING_UNITS = 0.02;

export class UninvertedColumn implements OrdinalColumn {
  readonly bytes: number;
  readonly valueCount: number;
  readonly isMultiValued: boolean;
  private readonly terms: TermDictionary;
  /** Ordinals in the dictionary of the terms that the filter takes; null: all of them, under their own ordinals. */
  private readonly taken: Uint32Array | null;
  private readonly starts: Uint32Array | null;
  private readonly ordinals: Uint32Array;
  private keptBlocks: NumberBlocks | null = null;

  constructor(terms: TermDictionary, taken: Uint32Array | null, counts: Uint32Array, ordinals: Uint32Array) {
    this.terms = terms;
    this.taken = taken;
    this.valueCount = taken?.length ?? terms.size;
    this.starts = startsFromCounts(counts);
    this.isMultiValued = isMultiValued(this.starts);
    this.ordinals = ordinals;
    this.bytes = ordinals.byteLength + (this.starts?.byteLength ?? 0) + (taken?.byteLength ?? 0);
  }

  start(doc: number): number {
    return this.starts === null ? doc : (this.starts[doc] as number);
  }

  get flat(): Uint32Array | null {
    return this.starts === null ? this.ordinals : null;
  }

  get isDense(): boolean {
    return this.starts === null;
  }

  readRange(from: number, to: number): ArrayLike<number> {
    return this.ordinals.subarray(from, to);
  }

  blocks(docCount: number): NumberBlocks {
    return (this.keptBlocks ??= new NumberBlocks(this, docCount));
  }

  ordinal(index: number): number {
    return this.ordinals[index] as number;
  }

  value(ordinal: number): Uint8Array {
    return this.terms.term(this.taken === null ? ordinal : (this.taken[ordinal] as number));
  }

  sorted(): SortedTerms {
    if (this.taken === null) return this.terms.sorted();
    const termStarts = new Uint32Array(this.valueCount + 1);
    const parts: Uint8Array[] = [];
    let length = 0;
    for (let ordinal = 0; ordinal < this.valueCount; ordinal++) {
      const term = this.value(ordinal).slice();
      parts.push(term);
      length += term.length;
      termStarts[ordinal + 1] = length;
    }
    return { termLength: 0, termStarts, termBytes: Buffer.concat(parts, length) };
  }
}

/** Bytes of a column over all postings of a dictionary. */
export function uninvertedBytes({ stats, size }: TermDictionary, docCount: number): number {
  return (stats.sumDocFreq + docCount + 1 + size) * Uint32Array.BYTES_PER_ELEMENT;
}

/** The column of the terms that a filter takes. */
export function* uninvert(
  terms: TermDictionary,
  docCount: number,
  filter: FrequencyFilter,
  meter: StepMeter,
): Steps<UninvertedColumn> {
  const taken = yield* takenTerms(terms, filter, meter);
  const size = taken?.length ?? terms.size;
  terms.prepareWalk(size);
  const counts = new Uint32Array(docCount);
  for (let ordinal = 0; ordinal < size; ordinal++) {
    const cursor = terms.postings(taken === null ? ordinal : (taken[ordinal] as number));
    for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) {
      counts[doc] = (counts[doc] as number) + 1;
      if (meter.isDue(POSTING_UNITS)) yield;
    }
  }
  const next = new Uint32Array(docCount);
  let total = 0;
  for (let doc = 0; doc < docCount; doc++) {
    next[doc] = total;
    total += counts[doc] as number;
  }
  assert(total <= terms.stats.sumDocFreq, `${total} of ${terms.stats.sumDocFreq} postings in a column`);
  const ordinals = new Uint32Array(total);
  // Terms come in their order, so that the ordinals of a document ascend.
  for (let ordinal = 0; ordinal < size; ordinal++) {
    const cursor = terms.postings(taken === null ? ordinal : (taken[ordinal] as number));
    for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) {
      const at = next[doc] as number;
      ordinals[at] = ordinal;
      next[doc] = at + 1;
      if (meter.isDue(POSTING_UNITS)) yield;
    }
  }
  return new UninvertedColumn(terms, taken, counts, ordinals);
}

/** Ordinals of the terms that few enough and many enough documents have; null: all terms. */
function* takenTerms(terms: TermDictionary, filter: FrequencyFilter, meter: StepMeter): Steps<Uint32Array | null> {
  const { docCount } = terms.stats;
  if (docCount < filter.minSegmentSize) return null;
  const countOf = (frequency: number): number => Math.trunc(frequency > 1 ? frequency : docCount * frequency);
  const [min, max] = [countOf(filter.min), countOf(filter.max)];
  if (min <= 1 && max >= docCount) return null;
  const taken: number[] = [];
  for (let ordinal = 0; ordinal < terms.size; ordinal++) {
    const docFreq = terms.docFreq(ordinal);
    if (docFreq >= min && docFreq <= max) taken.push(ordinal);
    if (meter.isDue(POSTING_UNITS)) yield;
  }
  return Uint32Array.from(taken);
}

/**
 * Documents of many terms of one field: given one by one, by a range of the dictionary, or by a test on each term.
 */
import type { SegmentView, TermDictionary } from '../segment/segment-reader.ts';
import { DocBitset } from './doc-bitset.ts';
import { OrdinalRange, ordinalCeiling } from './ordinal-range.ts';
import type { DocIterator } from './scorer.ts';
import { termCursor } from './term-weight.ts';

/** Runs of more terms than this are looked up in the column, where there is one. */
const POSTINGS_LISTS_MAX = 64;

/** Documents that hold any of `terms`. */
export function docsOfTerms(view: SegmentView, field: string, terms: readonly Uint8Array[]): DocIterator | null {
  const cursors: DocIterator[] = [];
  for (const term of terms) {
    const cursor = termCursor(view, field, term);
    if (cursor) cursors.push(cursor);
  }
  return union(view, cursors);
}

function union(view: SegmentView, cursors: readonly DocIterator[]): DocIterator | null {
  const [only] = cursors;
  if (!only) return null;
  if (cursors.length === 1) return only;
  const bits = new DocBitset(view.segment.docCount);
  for (const cursor of cursors) bits.addAll(cursor);
  return bits.iterator();
}

/** A run of the dictionary: `from` inclusive, `to` exclusive, as ordinals. */
export function docsOfOrdinals(
  view: SegmentView,
  terms: TermDictionary,
  range: { readonly from: number; readonly to: number },
  accept: ((term: Uint8Array) => boolean) | null = null,
): DocIterator | null {
  if (range.from >= range.to) return null;
  if (range.to - range.from === 1 && (!accept || accept(terms.term(range.from)))) return terms.postings(range.from);
  const bits = new DocBitset(view.segment.docCount);
  for (let ordinal = range.from; ordinal < range.to; ordinal++) {
    if (accept && !accept(terms.term(ordinal))) continue;
    bits.addAll(terms.postings(ordinal));
  }
  return bits.iterator();
}

export function docsOfPrefix(view: SegmentView, field: string, prefix: Uint8Array): DocIterator | null {
  const terms = view.segment.terms(field);
  if (!terms) return null;
  return docsOfRun(view, field, terms, prefixRange(terms, prefix));
}

/** A run of the dictionary by its postings lists, or by the column when there are many of them. */
function docsOfRun(
  view: SegmentView,
  field: string,
  terms: TermDictionary,
  run: { readonly from: number; readonly to: number },
): DocIterator | null {
  const column = run.to - run.from > POSTINGS_LISTS_MAX ? view.segment.ordinalColumn(field) : null;
  if (!column) return docsOfOrdinals(view, terms, run);
  // The column may lack values that the dictionary has, so that ordinals are found anew.
  const from = ordinalCeiling(column, terms.term(run.from).slice());
  const to = run.to === terms.size ? column.valueCount : ordinalCeiling(column, terms.term(run.to).slice());
  return new OrdinalRange(column, { from, to }, view.segment.docCount);
}

export function prefixRange(terms: TermDictionary, prefix: Uint8Array): { from: number; to: number } {
  const after = successor(prefix);
  return { from: terms.ceiling(prefix), to: after ? terms.ceiling(after) : terms.size };
}

/** The smallest byte string behind everything that starts with `prefix`; null when there is none. */
export function successor(prefix: Uint8Array): Uint8Array | null {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 0xff) end--;
  if (end === 0) return null;
  const after = prefix.slice(0, end);
  after[end - 1] = (after[end - 1] as number) + 1;
  return after;
}

export interface TermBounds {
  readonly from: Uint8Array | null;
  readonly includesFrom: boolean;
  readonly to: Uint8Array | null;
  readonly includesTo: boolean;
}

export function docsOfTermRange(view: SegmentView, field: string, bounds: TermBounds): DocIterator | null {
  const terms = view.segment.terms(field);
  if (!terms) return null;
  const { from, to } = bounds;
  let first = from ? terms.ceiling(from) : 0;
  if (from && !bounds.includesFrom && terms.find(from) === first) first++;
  let end = to ? terms.ceiling(to) : terms.size;
  if (to && bounds.includesTo && terms.find(to) >= 0) end++;
  return docsOfRun(view, field, terms, { from: first, to: end });
}

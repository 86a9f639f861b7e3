/**
 * Documents of many terms of one field: given one by one, by a range of the dictionary, or by a test on each term.
 */
import { assert, StepMeter, type Steps } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { PairedTerms, TermBounds } from '../../field-types/contract/field-match.ts';
import type { SegmentView, TermDictionary } from '../../format/reader/segment-reader.ts';
import { type OrdinalRuns, ordinalsOf } from '../automaton/matching-terms.ts';
import { DocBitset } from '../bits/doc-bitset.ts';
import { OrdinalRange, ordinalCeiling } from '../bits/ordinal-range.ts';
import type { DocsMaker } from '../context/prepared-docs.ts';
import { termCursor } from '../scorers/term-weight.ts';
import type { DocIterator } from '../weight/doc-iterator.ts';

/** Runs of more terms than this are looked up in the column, where there is one. */
const POSTINGS_LISTS_MAX = 64;
/** Microseconds that a term costs, about, and a document of its postings. */
const TERM_UNITS = 3;
const DOC_UNITS = 0.01;
/** Microseconds that it takes to look at a term, about. */
const PAIR_UNITS = 0.3;
const NO_DOCS: DocsMaker = () => null;

/** Documents that hold any of `terms`, which are sought in the order of the dictionary when they are many. */
export function docsOfTerms(view: SegmentView, field: string, terms: readonly Uint8Array[]): DocIterator | null {
  const dictionary = view.segment.terms(field);
  if (!dictionary) return null;
  const [only] = terms;
  if (terms.length === 1 && only) return termCursor(view, field, only);
  const last = terms.at(-1);
  assert(
    only === undefined || last === undefined || compareBytes(only, 0, only.length, last) < 0,
    `${terms.length} terms of ${field} do not ascend`,
  );
  const cursors: DocIterator[] = [];
  let from = 0;
  for (const term of terms) {
    const ordinal = dictionary.ceiling(term, from);
    if (ordinal === dictionary.size) break;
    from = ordinal;
    if (!isTermAt(dictionary, ordinal, term)) continue;
    if (dictionary.docFreq(ordinal) > 0) cursors.push(dictionary.postings(ordinal));
    if (++from === dictionary.size) break;
  }
  return union(view, cursors);
}

function isTermAt(dictionary: TermDictionary, ordinal: number, term: Uint8Array): boolean {
  const found = dictionary.term(ordinal);
  return compareBytes(found, 0, found.length, term) === 0;
}

/** Each term once, in the order of a dictionary, as `docsOfTerms` wants them. */
export function sortedTerms(terms: readonly Uint8Array[]): Uint8Array[] {
  const sorted = [...terms].sort((a, b) => compareBytes(a, 0, a.length, b));
  return sorted.filter((term, i) => {
    const before = sorted[i - 1];
    return before === undefined || compareBytes(before, 0, before.length, term) !== 0;
  });
}

function union(view: SegmentView, cursors: readonly DocIterator[]): DocIterator | null {
  const [only] = cursors;
  if (!only) return null;
  if (cursors.length === 1) return only;
  const bits = new DocBitset(view.segment.docCount);
  for (const cursor of cursors) bits.addAll(cursor);
  return bits.iterator();
}

/** Does what `docsOfTerms` does in steps, for many terms. */
export function* docsOfManyTerms(view: SegmentView, field: string, terms: readonly Uint8Array[]): Steps<DocsMaker> {
  const dictionary = view.segment.terms(field);
  if (!dictionary) return NO_DOCS;
  const bits = new DocBitset(view.segment.docCount);
  const meter = new StepMeter();
  let from = 0;
  for (const term of terms) {
    if (from === dictionary.size) break;
    from = dictionary.ceiling(term, from);
    if (from === dictionary.size) break;
    const docFreq = isTermAt(dictionary, from, term) ? dictionary.docFreq(from) : 0;
    if (docFreq > 0) bits.addAll(dictionary.postings(from));
    if (meter.isDue(TERM_UNITS + docFreq * DOC_UNITS)) yield;
  }
  return () => bits.iterator();
}

function* docsOfOrdinals(view: SegmentView, terms: TermDictionary, runs: OrdinalRuns): Steps<DocsMaker> {
  terms.prepareWalk(countOf(runs));
  const bits = new DocBitset(view.segment.docCount);
  const meter = new StepMeter();
  for (const ordinal of ordinalsOf(runs)) {
    const postings = terms.postings(ordinal);
    const units = TERM_UNITS + postings.cost * DOC_UNITS;
    bits.addAll(postings);
    if (meter.isDue(units)) yield;
  }
  return () => bits.iterator();
}

function countOf(runs: OrdinalRuns): number {
  let count = 0;
  for (let i = 0; i < runs.length; i += 2) count += (runs[i + 1] as number) - (runs[i] as number);
  return count;
}

/** Documents of the terms that an automaton found. */
export function* docsOfRuns(
  view: SegmentView,
  field: string,
  terms: TermDictionary,
  runs: OrdinalRuns,
): Steps<DocsMaker> {
  const [from = 0, to = 0] = runs;
  assert(runs.length % 2 === 0, `${runs.length} ends of term ranges in ${field}`);
  if (runs.length <= 2) return yield* docsOfRun(view, field, terms, { from, to });
  return yield* docsOfOrdinals(view, terms, runs);
}

export function* docsOfPrefix(view: SegmentView, field: string, prefix: Uint8Array): Steps<DocsMaker> {
  const terms = view.segment.terms(field);
  if (!terms) return NO_DOCS;
  return yield* docsOfRun(view, field, terms, prefixRange(terms, prefix));
}

/** A run of the dictionary, `to` exclusive: by its postings lists, or by the column when there are many of them. */
function* docsOfRun(
  view: SegmentView,
  field: string,
  terms: TermDictionary,
  run: { readonly from: number; readonly to: number },
): Steps<DocsMaker> {
  const { from, to } = run;
  assert(from >= 0 && to <= terms.size, `terms ${from}..${to} of ${terms.size} in ${field}`);
  if (from >= to) return NO_DOCS;
  if (to - from === 1) return () => terms.postings(from);
  const column = to - from > POSTINGS_LISTS_MAX ? view.segment.writtenOrdinals(field) : null;
  if (!column) return yield* docsOfOrdinals(view, terms, [from, to]);
  // The column may lack values that the dictionary has, so that ordinals are found anew.
  const first = ordinalCeiling(column, terms.term(from).slice());
  const end = to === terms.size ? column.valueCount : ordinalCeiling(column, terms.term(to).slice());
  assert(first <= end, `ordinals ${first}..${end} of terms ${from}..${to} in ${field}`);
  return () => new OrdinalRange(column, { from: first, to: end }, view.segment.docCount);
}

export function prefixRange(terms: TermDictionary, prefix: Uint8Array): { from: number; to: number } {
  const after = successor(prefix);
  assert(after === null || compareBytes(prefix, 0, prefix.length, after) < 0, `a successor of ${after?.length} bytes`);
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

export function* docsOfTermRange(view: SegmentView, field: string, bounds: TermBounds): Steps<DocsMaker> {
  const terms = view.segment.terms(field);
  if (!terms) return NO_DOCS;
  return yield* docsOfRun(view, field, terms, runOf(terms, bounds));
}

/** Terms within bounds, as a run of the dictionary. */
function runOf(terms: TermDictionary, bounds: TermBounds): { readonly from: number; readonly to: number } {
  const { from, to } = bounds;
  let first = from ? terms.ceiling(from) : 0;
  if (from && !bounds.includesFrom && terms.find(from) === first) first++;
  let end = to ? terms.ceiling(to) : terms.size;
  if (to && bounds.includesTo && terms.find(to) >= 0) end++;
  return { from: first, to: end };
}

/** Documents of the terms within bounds whose second half is within bounds too: all terms of the run are looked at. */
export function* docsOfPairedTerms(view: SegmentView, field: string, match: PairedTerms): Steps<DocsMaker> {
  const terms = view.segment.terms(field);
  if (!terms) return NO_DOCS;
  const { from, to } = runOf(terms, match.bounds);
  const { from: least, to: most } = match.second;
  const bits = new DocBitset(view.segment.docCount);
  const meter = new StepMeter();
  for (let ordinal = from; ordinal < to; ordinal++) {
    const term = terms.term(ordinal);
    const half = term.subarray(term.length / 2);
    const isMeant =
      (least === null || compareBytes(half, 0, half.length, least) >= 0) &&
      (most === null || compareBytes(half, 0, half.length, most) <= 0);
    const docFreq = isMeant ? terms.docFreq(ordinal) : 0;
    if (docFreq > 0) bits.addAll(terms.postings(ordinal));
    if (meter.isDue(PAIR_UNITS + docFreq * DOC_UNITS)) yield;
  }
  return () => bits.iterator();
}

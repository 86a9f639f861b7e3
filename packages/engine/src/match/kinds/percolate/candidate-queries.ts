/**
 * Stored queries of a segment by the terms that they need: only those need be run that need none, or one that the documents have.
 *
 * Made of the sources when a segment is percolated first, and kept with it: a segment never changes, and what terms a query is
 * made of is for the mapping and its analysis to say, by which the rest is made anew when it changes.
 */
import type { AnalyzerRegistry } from '@shoal/analysis';
import { assert, isShoalError, type StepMeter, type Steps } from '@shoal/core';
import type { Mapping } from '@shoal/schema';
import { NO_MORE_DOCS, type SegmentReader } from '../../../format/reader/segment-reader.ts';
import { DocBitset } from '../../bits/doc-bitset.ts';
import type { DocIterator } from '../../weight/doc-iterator.ts';
import type { RequiredTerms } from '../../weight/weight.ts';
import type { Percolation } from './percolation.ts';

/** Terms that are kept for a segment, at some 100 bytes each; beyond, all of its queries are run. */
const TERMS_MAX = 500_000;
/** Microseconds that it takes to read a query and compile it, about. */
const QUERY_UNITS = 25;
/** Microseconds that it takes to look a term up, about. */
const TERM_UNITS = 0.3;

/** Documents with queries, by field and term; `always`: those that no terms rule out. */
interface QueriesByTerm {
  readonly mapping: Mapping;
  readonly analyzers: AnalyzerRegistry;
  readonly always: readonly number[];
  readonly byField: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;
}

const KEPT = new WeakMap<SegmentReader, Map<string, QueriesByTerm>>();

/** @param marked documents of the segment that have a query */
export function* candidateQueries(
  segment: SegmentReader,
  percolation: Percolation,
  marked: DocIterator,
  meter: StepMeter,
): Steps<DocBitset> {
  const { path } = percolation.field;
  assert(marked.doc === -1, `stored queries that stand at ${marked.doc}`);
  const { mapping, analyzers } = percolation.ctx;
  const kept = KEPT.get(segment) ?? new Map<string, QueriesByTerm>();
  KEPT.set(segment, kept);
  const known = kept.get(path);
  const isGood = known?.mapping === mapping && known.analyzers === analyzers;
  const queries = isGood ? known : yield* queriesByTerm(segment, percolation, marked, meter);
  kept.set(path, queries);
  return yield* candidatesAmong(queries, percolation.view.segment, new DocBitset(segment.docCount), meter);
}

function* candidatesAmong(
  { always, byField }: QueriesByTerm,
  documents: SegmentReader,
  found: DocBitset,
  meter: StepMeter,
): Steps<DocBitset> {
  for (const doc of always) found.add(doc);
  for (const [field, byTerm] of byField) {
    const terms = documents.terms(field);
    for (let ordinal = 0; terms !== null && ordinal < terms.size; ordinal++) {
      for (const doc of byTerm.get(keyOf(terms.term(ordinal))) ?? []) found.add(doc);
      if (meter.isDue(TERM_UNITS)) yield;
    }
  }
  return found;
}

function* queriesByTerm(
  segment: SegmentReader,
  percolation: Percolation,
  marked: DocIterator,
  meter: StepMeter,
): Steps<QueriesByTerm> {
  const always: number[] = [];
  const byField = new Map<string, Map<string, number[]>>();
  let termCount = 0;
  for (let doc = marked.next(); doc !== NO_MORE_DOCS; doc = marked.next()) {
    const terms = termCount < TERMS_MAX ? termsOf(segment, percolation, doc) : null;
    if (meter.isDue(QUERY_UNITS)) yield;
    if (terms === null) {
      always.push(doc);
      continue;
    }
    termCount += terms.length;
    for (const { field, term } of terms) {
      const byTerm = byField.get(field) ?? new Map<string, number[]>();
      byField.set(field, byTerm);
      const docs = byTerm.get(keyOf(term));
      if (docs === undefined) byTerm.set(keyOf(term), [doc]);
      else if (docs.at(-1) !== doc) docs.push(doc);
    }
  }
  const { mapping, analyzers } = percolation.ctx;
  assert(
    always.every((doc) => doc < segment.docCount),
    `a stored query beyond ${segment.docCount} documents`,
  );
  assert(termCount === 0 || byField.size > 0, `${termCount} terms of stored queries in no field`);
  return { mapping, analyzers, always, byField };
}

/** null also where the query cannot be read: whoever runs it tells what is wrong. */
function termsOf(segment: SegmentReader, percolation: Percolation, doc: number): RequiredTerms {
  try {
    const terms = percolation.requiredTerms(segment, doc);
    // What documents of a request have of other fields is none of a stored document's.
    return terms?.every(({ field }) => percolation.ctx.mapping.field(field) !== null) === false ? null : terms;
  } catch (error) {
    if (isShoalError(error)) return null;
    throw error;
  }
}

/** Bytes of a term, one character each. */
function keyOf(term: Uint8Array): string {
  return Buffer.from(term.buffer, term.byteOffset, term.byteLength).toString('latin1');
}

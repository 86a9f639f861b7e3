/**
 * Everything that a segment answers, as plain data: two segments with the same documents give the same.
 */
import { expect } from 'vitest';
import type { FlatSegment } from './flat-segment.ts';
import { NO_MORE_DOCS, type TermDictionary } from './reader/segment-reader.ts';

export function dumpSegment(segment: FlatSegment): unknown {
  const out: Record<string, unknown> = {};
  const docs = Array.from({ length: segment.docCount }, (_, doc) => doc);
  for (const field of [...segment.fieldNames].sort()) {
    const terms = segment.terms(field);
    if (terms !== null) out[`terms ${field}`] = dumpTerms(terms);
    const ordinals = segment.ordinalColumn(field);
    if (ordinals !== null)
      out[`ordinals ${field}`] = docs.map((doc) =>
        Array.from({ length: ordinals.start(doc + 1) - ordinals.start(doc) }, (_, i) =>
          Buffer.from(ordinals.value(ordinals.ordinal(ordinals.start(doc) + i))).toString('hex'),
        ),
      );
    const numbers = segment.numericColumn(field);
    if (numbers !== null)
      out[`numbers ${field}`] = docs.map((doc) =>
        Array.from({ length: numbers.start(doc + 1) - numbers.start(doc) }, (_, i) =>
          numbers.kind === 'long' ? numbers.bigValue(numbers.start(doc) + i) : numbers.value(numbers.start(doc) + i),
        ),
      );
    const norms = segment.norms(field);
    if (norms !== null) out[`norms ${field}`] = Array.from(norms);
  }
  out.docs = docs.map((doc) => [
    segment.id(doc),
    segment.routing(doc),
    segment.meta(doc),
    new TextDecoder().decode(segment.source(doc)),
  ]);
  return out;
}

function dumpTerms(terms: TermDictionary): unknown {
  const positions = new Uint32Array(10_000);
  return {
    stats: terms.stats,
    terms: Array.from({ length: terms.size }, (_, ordinal) => {
      const term = terms.term(ordinal).slice();
      expect(terms.find(term)).toBe(ordinal);
      const postings: unknown[] = [];
      const cursor = terms.postings(ordinal);
      for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) {
        const count = cursor.positions(positions);
        postings.push([doc, cursor.freq, Array.from(positions.subarray(0, terms.hasPositions ? count : 0))]);
      }
      expect(postings.length).toBe(terms.docFreq(ordinal));
      return [Buffer.from(term).toString('hex'), terms.totalTermFreq(ordinal), postings];
    }),
  };
}

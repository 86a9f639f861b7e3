import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SortedTerms } from '../reader/term-prefixes.ts';
import { TermSamples } from './term-samples.ts';

function sortedTerms(terms: readonly Buffer[]): SortedTerms {
  const lengths = new Set(terms.map(({ length }) => length));
  const termStarts = new Uint32Array(terms.length + 1);
  terms.forEach((term, i) => {
    termStarts[i + 1] = (termStarts[i] as number) + term.length;
  });
  const [termLength = 0] = lengths.size === 1 ? lengths : [0];
  const starts = termLength === 0 ? termStarts : new Uint32Array(0);
  return { termLength, termStarts: starts, termBytes: Buffer.concat(terms) };
}

/** Bytes that make equal samples, and terms that begin others, likely. */
const tail = fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes.map((byte) => byte % 3)));
const prefix = fc.constantFrom('', 'http://', 'http://a/b/c/d', '\u{10ffff}');

describe('samples of a dictionary', () => {
  test('leave a range that has the first term not below the one that is looked for', () => {
    const distinct = { minLength: 256, maxLength: 400, selector: (term: Buffer) => term.toString('hex') };
    fc.assert(
      fc.property(prefix, fc.uniqueArray(tail, distinct), fc.array(tail, { maxLength: 50 }), (start, tails, others) => {
        const whole = (end: Buffer): Buffer => Buffer.concat([Buffer.from(start), end]);
        const terms = tails.map(whole).sort(Buffer.compare);
        const samples = TermSamples.of(sortedTerms(terms), terms.length);
        if (samples === null) return expect.unreachable('terms enough for samples');
        for (const term of [...terms, ...others.map(whole), ...others, Buffer.from('http:'), Buffer.from('zz')]) {
          const found = terms.findIndex((one) => Buffer.compare(one, term) >= 0);
          const first = found < 0 ? terms.length : found;
          samples.narrow(term);
          expect(samples.low).toBeLessThanOrEqual(first);
          expect(samples.high).toBeGreaterThanOrEqual(first);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('of distinct beginnings leave few terms', () => {
    const terms = Array.from({ length: 10_000 }, (_, i) => Buffer.from(`key-${String(i).padStart(6, '0')}`));
    const samples = TermSamples.of(sortedTerms(terms), terms.length);
    if (samples === null) return expect.unreachable('terms enough for samples');
    for (const term of terms) {
      samples.narrow(term);
      expect(samples.high - samples.low).toBeLessThan(64);
    }
  });

  test('are not made of few terms', () => {
    const terms = Array.from({ length: 255 }, (_, i) => Buffer.of(i));
    expect(TermSamples.of(sortedTerms(terms), terms.length)).toBeNull();
  });
});

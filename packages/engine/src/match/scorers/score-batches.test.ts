import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import { memoryContext } from '../../phases/query/memory-searcher.test-support.ts';
import { utf8Bytes } from '../context/compile-context.ts';
import { BATCH_SIZE, type Scorer } from '../weight/scorer.ts';
import { booleanWeight } from './boolean-weight.ts';
import { StatisticsCache } from './statistics-cache.ts';
import { termWeight } from './term-weight.ts';

const docs = Array.from({ length: 9_000 }, (_, i) => {
  const mixed = Math.imul(i + 7, 2_654_435_761) >>> 0;
  const words = Array.from(
    { length: 1 + (mixed % 6) },
    (_, k) => `w${Math.trunc(((mixed >>> (k * 3)) & 1023) ** 0.4)}`,
  );
  return { id: String(i), source: JSON.stringify({ body: words.join(' ') }) };
});
const { searcher } = memoryContext({ properties: { body: { type: 'text' } } }, [docs]);
const statistics = new StatisticsCache(searcher);
const view = searcher.views[0]!;

function term(rank: number, isScored: boolean) {
  const use = { boost: 1, isScored, docFreq: null };
  return termWeight(statistics, { field: 'body', term: utf8Bytes(`w${rank}`), ...use });
}

function inBatches(scorer: Scorer, isScored: boolean): [number, number][] {
  const into = new Uint32Array(BATCH_SIZE);
  const scores = new Float32Array(BATCH_SIZE);
  const found: [number, number][] = [];
  for (;;) {
    const count = scorer.nextBatch?.(into, scores, isScored) ?? 0;
    if (count === 0) return found;
    for (let i = 0; i < count; i++) found.push([into[i]!, isScored ? scores[i]! : 0]);
  }
}

function oneByOne(scorer: Scorer, isScored: boolean): [number, number][] {
  const found: [number, number][] = [];
  for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) {
    found.push([doc, isScored ? scorer.score() : 0]);
  }
  return found;
}

describe('scorers that hand on batches', () => {
  test('find what they find one by one, with the same scores to the last bit', () => {
    const rank = fc.nat(16);
    fc.assert(
      fc.property(
        fc.array(rank, { maxLength: 2 }),
        fc.array(rank, { minLength: 1, maxLength: 5 }),
        fc.nat(4),
        fc.boolean(),
        (must, should, minimumShouldMatch, isScored) => {
          const weight = booleanWeight({
            must: must.map((one) => term(one, isScored)),
            filter: [],
            should: should.map((one) => term(one, isScored)),
            mustNot: [],
            minimumShouldMatch: Math.max(must.length === 0 ? 1 : 0, minimumShouldMatch),
          });
          const scorer = weight.scorer(view);
          const again = weight.scorer(view);
          if (scorer === null || again === null || !scorer.nextBatch) return;
          expect(inBatches(scorer, isScored)).toEqual(oneByOne(again, isScored));
        },
      ),
      { numRuns: 200 },
    );
  });
});

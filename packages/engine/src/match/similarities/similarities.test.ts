/** Scores of models other than BM25 are those of another server that has them, on the same documents. */

import { parseJson } from '@shoal/core';
import { indexSimilarities, parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';
import { ModelScores } from './model-scores.ts';

const SIMILARITIES = {
  dfr: { type: 'DFR', basic_model: 'g', after_effect: 'b', normalization: 'h2', 'normalization.h2.c': '3.0' },
  ine: { type: 'DFR', basic_model: 'ine', after_effect: 'l', normalization: 'z' },
  ib: { type: 'IB', distribution: 'spl', lambda: 'ttf', normalization: 'h1' },
  dfi: { type: 'DFI', independence_measure: 'standardized' },
  lmd: { type: 'LMDirichlet', mu: '5' },
  lmj: { type: 'LMJelinekMercer' },
};
const NAMES = Object.keys(SIMILARITIES);
const settings = Object.fromEntries(
  Object.entries(SIMILARITIES).flatMap(([name, group]) =>
    Object.entries(group).map(([key, value]) => [`index.similarity.${name}.${key}`, value]),
  ),
);
const mapping = { properties: Object.fromEntries(NAMES.map((name) => [name, { type: 'text', similarity: name }])) };
const TEXTS = [
  'fox',
  'the fox',
  'the quick fox jumps',
  'quick quick fox fox fox',
  'a dog and a fox and a cat and another dog',
  'the the the the',
  'dog',
  'cat dog',
  'fast fox fast dog fast cat',
  'red panda and the quick brown fox jumping over the lazy dog again and again',
];
const docs = TEXTS.map((text, i) => {
  return { id: String(i), source: JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, text]))) };
});
const context = memoryContext(mapping, [docs], () => false, createSegmentMemory({ bytesMax: 2 ** 27 }), settings);

interface Node {
  readonly value: number;
  readonly description: string;
  readonly details: readonly Node[];
}

/** Scores by document, and their explanations. */
async function found(query: object): Promise<ReadonlyMap<number, Node & { readonly score: number }>> {
  const body = { query, size: 20, explain: true };
  const { ords, columns } = await runQuery(context, body, { topN: 20 });
  const [column] = columns;
  const { request } = shardSearch(body);
  const clock = { monotonicMs: () => 0, wallMs: () => 0 };
  const hits = await fetchHits(context, { ords, request }, { isStopped: false }, clock);
  return new Map(
    hits.map(({ id, explanation }, i) => {
      const tree = parseJson(explanation?.tree ?? new Uint8Array(0)) as unknown as Node;
      return [Number(id), { ...tree, score: column?.kind === 'score' ? (column.values[i] ?? -1) : -1 }];
    }),
  );
}

describe('scores of a similarity', () => {
  test.each(NAMES)('%s have an explanation with the same value, of a word and a phrase', async (name) => {
    for (const query of [
      { match: { [name]: { query: 'fox dog', boost: 2 } } },
      { match_phrase: { [name]: 'quick fox' } },
      { span_near: { clauses: [{ span_term: { [name]: 'the' } }, { span_term: { [name]: 'fox' } }], slop: 3 } },
    ]) {
      const hits = await found(query);
      expect(hits.size).toBeGreaterThan(0);
      for (const { score, value } of hits.values()) expect(value).toBeCloseTo(score, 5);
    }
  });
});

describe('a model of scores', () => {
  test('that does not smooth what it takes the logarithm of scores nothing', () => {
    const term = { boost: 1, docCount: 2, sumDocFreq: 1, tokenCount: 5, docFreq: 1, totalTermFreq: 2 };
    expect(new ModelScores({ kind: 'LMDirichlet', mu: 0 }, [term]).score(2, 3)).toBe(0);
  });

  test('never scores below zero, nor a document with more occurrences below one with fewer', () => {
    const similarities = indexSimilarities(settings);
    const counts = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 50 }), fc.nat(50), fc.nat(50));
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), counts, fc.integer({ min: 1, max: 200 }), (name, numbers, norm) => {
        const [docFreq, repeats, others, fillers] = numbers;
        const similarity = similarities.get(name);
        if (similarity === undefined || similarity.kind === 'BM25' || similarity.kind === 'boolean')
          throw new Error(name);
        const totalTermFreq = docFreq + repeats;
        const docCount = docFreq + others;
        const tokenCount = totalTermFreq + others + fillers;
        const scores = new ModelScores(similarity, [
          { boost: 1, docCount, sumDocFreq: 1, tokenCount, docFreq, totalTermFreq },
        ]);
        const [once, twice] = [scores.score(1, norm), scores.score(2, norm)];
        expect(once).toBeGreaterThanOrEqual(0);
        expect(twice).toBeGreaterThanOrEqual(once * (1 - 1e-6));
      }),
    );
    expect(parseMapping(mapping).fields.size).toBe(NAMES.length);
  });
});

import { parseJson } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../../phases/fetch/fetch-hits.ts';
import {
  idsOf,
  memoryContext,
  runQuery,
  shardSearch,
  type TestDoc,
} from '../../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    t: { type: 'text', analyzer: 'whitespace' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    hidden: { type: 'long', doc_values: false },
  },
};
const TERMS = ['a', 'b', 'c', 'd', 'e'];

interface Doc {
  readonly t?: string;
  readonly k?: readonly string[];
  readonly n?: number | readonly number[];
  readonly d?: number;
}

const docArb: fc.Arbitrary<Doc> = fc.record(
  {
    t: fc.array(fc.constantFrom(...TERMS), { maxLength: 6 }).map((words) => words.join(' ')),
    k: fc.uniqueArray(fc.constantFrom(...TERMS), { maxLength: 4 }),
    n: fc.oneof(fc.integer({ min: -1, max: 4 }), fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 2 })),
    d: fc.constantFrom(0.5, 1.9, 2.1, 3),
  },
  { requiredKeys: [] },
);

/** Values of the document, and the least of its numbers without its fraction; null without one. */
function matches(doc: Doc, field: 't' | 'k', terms: readonly string[], minimumField: 'n' | 'd'): boolean {
  const held = field === 't' ? (doc.t ?? '').split(' ') : (doc.k ?? []);
  const numbers = [doc[minimumField] ?? []].flat();
  if (numbers.length === 0) return false;
  return terms.filter((term) => held.includes(term)).length >= Math.max(1, Math.trunc(Math.min(...numbers)));
}

const contextOf = (docs: readonly Doc[], isDeleted: (id: string) => boolean = () => false) => {
  const all = docs.map((doc, i): TestDoc => ({ id: String(i), source: JSON.stringify(doc) }));
  const parts = [all.slice(0, 4), all.slice(4)].filter((part) => part.length > 0);
  return memoryContext(MAPPING, parts, isDeleted);
};

const query = (terms: readonly unknown[], rest: object = { minimum_should_match_field: 'n' }, field = 'k') => ({
  terms_set: { [field]: { terms, ...rest } },
});

async function found(docs: readonly Doc[], json: object): Promise<string[]> {
  const context = contextOf(docs);
  return idsOf(context, (await runQuery(context, { query: json }, { topN: 50 })).ords).sort();
}

test('terms_set finds what a scan finds, ranked and counted, and scores the sum of the terms that match', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(docArb, { minLength: 1, maxLength: 12 }),
      fc.constantFrom<'t' | 'k'>('t', 'k'),
      fc.array(fc.constantFrom(...TERMS), { minLength: 1, maxLength: 5 }),
      fc.constantFrom<'n' | 'd'>('n', 'd'),
      fc.integer({ min: 2, max: 5 }),
      fc.constantFrom(1, 2.5),
      async (docs, field, terms, minimumField, deleteEvery, boost) => {
        const isDeleted = (id: string): boolean => Number(id) % deleteEvery === 1;
        const context = contextOf(docs, isDeleted);
        const json = query(terms, { minimum_should_match_field: minimumField, boost }, field);
        const expected = docs
          .map((doc, i) => ({ doc, id: String(i) }))
          .filter(({ doc, id }) => !isDeleted(id) && matches(doc, field, terms, minimumField))
          .map(({ id }) => id);
        const ranked = await runQuery(context, { query: json }, { topN: 50 });
        expect(idsOf(context, ranked.ords).sort((a, b) => Number(a) - Number(b))).toEqual(expected);
        const filtered = { query: { bool: { filter: json } }, size: 0 };
        expect((await runQuery(context, filtered, { topN: 0 })).total?.value).toBe(expected.length);
        const should = terms.map((value) => ({ term: { [field]: { value, boost } } }));
        const sums = await runQuery(context, { query: { bool: { should } } }, { topN: 50 });
        const scoresOf = ({ ords, columns: [column] }: typeof ranked) =>
          new Map(Array.from(ords, (ord, i) => [ord, column?.kind === 'score' ? column.values[i] : undefined]));
        const expectedScores = scoresOf(sums);
        for (const [ord, score] of scoresOf(ranked)) expect(score).toBeCloseTo(expectedScores.get(ord) ?? -1, 5);
      },
    ),
    { numRuns: 300 },
  );
});

describe('terms_set', () => {
  test('counts a term given twice twice', async () => {
    expect(await found([{ k: ['a'], n: 2 }], query(['a', 'a']))).toEqual(['0']);
    expect(await found([{ k: ['a'], n: 2 }], query(['a', 'b']))).toEqual([]);
  });

  test('leaves out documents without the number, and finds nothing without terms or on an unmapped field', async () => {
    expect(await found([{ k: ['a'] }, { k: ['a'], n: -7 }], query(['a']))).toEqual(['1']);
    expect(await found([{ k: ['a'], n: 0 }], query([]))).toEqual([]);
    expect(await found([{ k: ['a'], n: 0 }], query(['a'], { minimum_should_match_field: 'n' }, 'nosuch'))).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['no number field', {}, 'No minimum should match has been specified'],
    [
      'an unmapped number field',
      { minimum_should_match_field: 'nosuch' },
      'failed to find minimum_should_match field [nosuch]',
    ],
    [
      'a text for a number field',
      { minimum_should_match_field: 'k' },
      'minimum_should_match field [k] is of type [keyword], but only numeric types are supported.',
    ],
    [
      'a number field without doc values',
      { minimum_should_match_field: 'hidden' },
      "Can't load fielddata on [hidden] because fielddata is unsupported on fields of type [long]. Use doc values instead.",
    ],
    ['an option that it does not have', { nosuch: 1 }, '[terms_set] query does not support [nosuch]'],
  ])('refuses %s', async (_, rest, reason) => {
    await expect(found([{ k: ['a'], n: 1 }], query(['a'], rest))).rejects.toThrow(reason);
  });

  test('explains how many of its terms match, and which', async () => {
    const context = contextOf([{ k: ['a', 'b'], n: 2 }, { k: ['a'], n: 2 }, { k: ['a'] }]);
    const { request } = shardSearch({ query: query(['a', 'b', 'c']), explain: true });
    const ords = Uint32Array.of(0, 1, 2);
    const clock = { monotonicMs: () => 0, wallMs: () => 0 };
    const hits = await fetchHits(context, { ords, request }, { isStopped: false }, clock);
    const trees = hits.map(({ explanation }) => parseJson(explanation!.tree));
    expect(hits.map(({ explanation }) => explanation!.isMatch)).toEqual([true, false, false]);
    expect(trees).toMatchObject([
      { description: '2 matches for 2 required matches, sum of:', details: [{}, {}] },
      { description: '1 matches for 2 required matches', value: expect.anything() },
      { description: 'minimumNumberMatch has no value on the current document' },
    ]);
  });
});

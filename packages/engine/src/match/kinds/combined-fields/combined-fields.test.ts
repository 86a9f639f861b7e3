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

const text = { type: 'text', analyzer: 'whitespace' };
const MAPPING = {
  properties: {
    a: text,
    b: text,
    synonyms: { ...text, search_analyzer: 'syn' },
    others: { ...text, search_analyzer: 'syn' },
    english: { type: 'text', analyzer: 'english' },
    lengthless: { ...text, norms: false },
    same: { ...text, similarity: 'boolean' },
    k: { type: 'keyword' },
  },
};
const SETTINGS = {
  'index.analysis.filter.s.type': 'synonym_graph',
  'index.analysis.filter.s.synonyms.0': 'usa, united states',
  'index.analysis.analyzer.syn.type': 'custom',
  'index.analysis.analyzer.syn.tokenizer': 'whitespace',
  'index.analysis.analyzer.syn.filter.0': 's',
};

type Doc = Readonly<Record<string, string>>;

const contextOf = (docs: readonly Doc[]) => {
  const all = docs.map((doc, i): TestDoc => ({ id: String(i), source: JSON.stringify(doc) }));
  return memoryContext(
    MAPPING,
    [all.slice(0, 3), all.slice(3)].filter(({ length }) => length > 0),
    undefined,
    undefined,
    SETTINGS,
  );
};
const combined = (query: string, fields: readonly string[], more: object = {}) => ({
  combined_fields: { query, fields, ...more },
});

async function scoresOf(docs: readonly Doc[], query: object): Promise<ReadonlyMap<string, number>> {
  const context = contextOf(docs);
  const { ords, columns } = await runQuery(context, { query }, { topN: 50 });
  const scores = columns[0]?.kind === 'score' ? columns[0].values : [];
  return new Map(idsOf(context, ords).map((id, i) => [id, scores[i] ?? 0]));
}

async function found(docs: readonly Doc[], query: object): Promise<readonly string[]> {
  return [...(await scoresOf(docs, query)).keys()].sort();
}

const words = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 8 }).map((list) => list.join(' '));
const docArb: fc.Arbitrary<Doc> = fc.record({ a: words, b: words }, { requiredKeys: [] });
const count = (value: string | undefined, word: string): number =>
  (value ?? '').split(' ').filter((w) => w === word).length;
const lengthOf = (value: string | undefined): number => (value ?? '').split(' ').filter((w) => w !== '').length;

describe('combined_fields', () => {
  test('scores a word by its occurrences and the lengths of all fields, each times the weight of its field', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(docArb, { minLength: 1, maxLength: 7 }),
        fc.constantFrom(1, 2, 3),
        async (docs, weight) => {
          const scores = await scoresOf(docs, combined('x', ['a', `b^${weight}`]));
          const has = (field: 'a' | 'b', word: (value: string) => boolean): number =>
            docs.filter((doc) => doc[field] !== undefined && word(doc[field])).length;
          const n = Math.max(
            has('a', (v) => count(v, 'x') > 0),
            has('b', (v) => count(v, 'x') > 0),
          );
          const all = Math.max(
            has('a', () => true),
            has('b', () => true),
          );
          const total = docs.reduce((sum, { a, b }) => sum + lengthOf(a) + weight * lengthOf(b), 0);
          const expected = docs.flatMap(({ a, b }, i): readonly (readonly [string, number])[] => {
            const freq = count(a, 'x') + weight * count(b, 'x');
            const length = lengthOf(a) + weight * lengthOf(b);
            if (freq === 0) return [];
            const share = 1.2 * (0.25 + (0.75 * rounded(length)) / (total / all));
            return [[String(i), 2.2 * Math.log(1 + (all - n + 0.5) / (n + 0.5)) * (freq / (freq + share))]];
          });
          expect([...scores.keys()].sort()).toEqual(expected.map(([id]) => id));
          for (const [id, score] of expected) expect(scores.get(id)).toBeCloseTo(score, 4);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('of one field scores as match does', async () => {
    const docs = [{ a: 'x y y' }, { a: 'y z' }, { b: 'x' }, { a: 'x x z z z' }];
    expect(await scoresOf(docs, combined('x y', ['a']))).toEqual(await scoresOf(docs, { match: { a: 'x y' } }));
  });

  test('asks for all words in any of the fields, or as many as it is told', async () => {
    const docs = [{ a: 'x', b: 'y' }, { a: 'x' }, { b: 'x y' }, { a: 'z' }];
    expect(await found(docs, combined('x y', ['a', 'b'], { operator: 'and' }))).toEqual(['0', '2']);
    expect(await found(docs, combined('x y', ['a', 'b']))).toEqual(['0', '1', '2']);
    expect(await found(docs, combined('x y z', ['a', 'b'], { minimum_should_match: 2 }))).toEqual(['0', '2']);
    expect(await found(docs, { bool: { filter: combined('x', ['a', 'b']) } })).toEqual(['0', '1', '2']);
  });

  test('looks for synonyms of several words as phrases, or anywhere', async () => {
    const docs = [
      { synonyms: 'united states' },
      { synonyms: 'states united' },
      { others: 'usa' },
      { others: 'united' },
    ];
    const fields = ['synonyms', 'others'];
    expect(await found(docs, combined('usa', fields))).toEqual(['0', '2']);
    const anywhere = { auto_generate_synonyms_phrase_query: false };
    expect(await found(docs, combined('usa', fields, anywhere))).toEqual(['0', '1', '2']);
  });

  test('takes patterns of names, passes by names that nothing has, and finds nothing without any', async () => {
    const docs = [{ a: 'x' }];
    expect(await found(docs, combined('x', ['a*', 'nosuch']))).toEqual(['0']);
    expect(await found(docs, combined('x', ['nosuch']))).toEqual([]);
    expect(await found(docs, combined(' ', ['a']))).toEqual([]);
    expect(await found(docs, combined(' ', ['a'], { zero_terms_query: 'all' }))).toEqual(['0']);
  });

  test('explains its score as one word of one field', async () => {
    const context = contextOf([{ a: 'x', b: 'x x' }]);
    const { request } = shardSearch({ query: combined('x', ['a', 'b^2']), explain: true });
    const clock = { monotonicMs: () => 0, wallMs: () => 0 };
    const hits = await fetchHits(context, { ords: Uint32Array.of(0), request }, { isStopped: false }, clock);
    expect(parseJson(hits[0]!.explanation!.tree)).toMatchObject({
      description: 'weight(CombinedFieldQuery((a b^2.0)(x)) in 0) [PerFieldSimilarity], result of:',
      details: [{ description: 'score(freq=5.0), computed as boost * idf * tf from:' }],
    });
  });

  test.each<[readonly string[], object, string]>([
    [['a', 'k'], {}, 'Field [k] of type [keyword] does not support [combined_fields] queries'],
    [['a', 'english'], {}, 'All fields in [combined_fields] query must have the same search analyzer'],
    [['a', 'lengthless'], {}, 'CombinedFieldQuery requires norms to be consistent across fields'],
    [['same'], {}, '[combined_fields] queries cannot be used with per-field similarities'],
    [[], {}, 'In [combined_fields] query, at least one field must be provided'],
    [['a^0.5'], {}, '[combined_fields] failed to parse field [fields]'],
    [['a'], { fuzziness: 1 }, '[combined_fields] unknown field [fuzziness]'],
  ])('of %j %j is refused', async (fields, more, reason) => {
    await expect(found([{ a: 'x' }], combined('x', fields, more))).rejects.toThrow(reason);
  });
});

/** A length as a norm keeps it: exact to 24, then every second one to 40. */
function rounded(length: number): number {
  if (length < 32) return length;
  return length - ((length - 24) % 2);
}

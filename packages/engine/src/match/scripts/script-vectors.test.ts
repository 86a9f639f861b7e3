/** Scripts over batches of documents, against the same computation in the test, and against scripts that run one by one. */
import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    n: { type: 'double' },
    sparse: { type: 'long' },
    word: { type: 'keyword' },
    items: { type: 'nested', properties: { x: { type: 'long' } } },
  },
};
/** More than two batches of vectors, in one segment and part of another. */
const COUNT = 1_300;
const number = (i: number): number => ((i * 37) % 1_000) / 4;
const sources = Array.from({ length: COUNT }, (_, i) => ({
  id: String(i),
  source: JSON.stringify({
    n: number(i),
    word: i % 2 === 0 ? 'even' : 'odd',
    ...(i % 3 === 0 ? { sparse: i } : {}),
    // Nested documents stand between the others, and have no value.
    ...(i % 5 === 0 ? { items: [{ x: i }, { x: 1 }] } : {}),
  }),
}));
const context = memoryContext(MAPPING, [sources.slice(0, 1_200), sources.slice(1_200)]);
const ids = (matches: (i: number) => boolean): string[] =>
  sources.map(({ id }) => id).filter((id) => matches(Number(id)));

/** Two forms of one script: the second is left to the compiled script. */
const forms = (source: string): string[] => [source, `double own(double x) { return x } ${source}`];

async function found(query: object): Promise<string[]> {
  const { ords } = await runQuery(context, { query, sort: ['_doc'] }, { topN: COUNT });
  return idsOf(context, ords).sort((a, b) => Number(a) - Number(b));
}

describe('a query by a script', () => {
  test.each(forms("doc['n'].value > params.p"))('matches the documents that it says yes to: %s', async (source) => {
    const script = { script: { script: { source, params: { p: 100 } } } };
    expect(await found(script)).toEqual(ids((i) => number(i) > 100));
    const odd = { bool: { filter: [script, { term: { word: 'odd' } }] } };
    expect(await found(odd)).toEqual(ids((i) => number(i) > 100 && i % 2 === 1));
    expect(await found({ bool: { must_not: [script] } })).toEqual(ids((i) => number(i) <= 100));
    expect(await found({ bool: { should: [script, { term: { word: 'odd' } }] } })).toEqual(
      ids((i) => number(i) > 100 || i % 2 === 1),
    );
  });

  test.each(forms("doc['sparse'].value % 2 == 1"))('fails for a document without a value: %s', async (source) => {
    const script = { script: { script: { source } } };
    await expect(found(script)).rejects.toThrow('runtime error');
    // It is not asked of those that another clause leaves out.
    const guarded = { bool: { filter: [{ exists: { field: 'sparse' } }, script] } };
    expect(await found(guarded)).toEqual(ids((i) => i % 3 === 0 && i % 2 === 1));
  });
});

describe('a score by a script', () => {
  test.each(forms("_score + doc['n'].value * params.f"))('is made of every match: %s', async (source) => {
    const query = { constant_score: { filter: { term: { word: 'even' } }, boost: 2 } };
    const scored = { script_score: { query, script: { source, params: { f: 0.5 } }, boost: 3 } };
    const { ords, columns } = await runQuery(context, { query: scored }, { topN: COUNT });
    const scores = columns[0]?.kind === 'score' ? columns[0].values : [];
    const expected = ids((i) => i % 2 === 0).map((id) => Math.fround(3 * (2 + number(Number(id)) * 0.5)));
    expect([...scores]).toEqual(expected.toSorted((a, b) => b - a));
    for (const [at, id] of idsOf(context, ords).entries()) {
      expect(scores[at]).toBe(Math.fround(3 * (2 + number(Number(id)) * 0.5)));
    }
  });

  test.each(forms("doc['n'].value - 1"))('is refused below zero: %s', async (source) => {
    const query = { script_score: { query: { match_all: {} }, script: { source } } };
    await expect(runQuery(context, { query })).rejects.toThrow('Must be a non-negative score!');
  });

  test.each(forms("doc['n'].value"))('is not made of what is nested in the matches: %s', async (source) => {
    const query = { script_score: { query: { match_all: {} }, script: { source } } };
    const { maxScore, ords } = await runQuery(context, { query }, { topN: COUNT });
    expect(maxScore).toBe(Math.max(...sources.map((_, i) => number(i))));
    expect(ords.length).toBe(COUNT);
  });
});

describe('an order by a script', () => {
  test.each(
    forms("doc['sparse'].size() == 0 ? -doc['n'].value : doc['sparse'].value / 2").flatMap((source) => [
      [source, 'asc'],
      [source, 'desc'],
    ]),
  )('is that of its numbers: %s %s', async (source, order) => {
    const key = (i: number): number => (i % 3 === 0 ? Math.trunc(i / 2) : -number(i));
    const sort = [{ _script: { type: 'number', order, script: { source } } }];
    const { ords } = await runQuery(context, { query: { match_all: {} }, sort }, { topN: 300 });
    const keys = idsOf(context, ords).map((id) => key(Number(id)));
    const sign = order === 'asc' ? 1 : -1;
    const expected = sources.map((_, i) => key(i)).toSorted((a, b) => sign * (a - b));
    expect(keys).toEqual(expected.slice(0, 300));
  });

  test.each(forms("doc['n'].value < 1 ? 0.0 / 0 : doc['n'].value < 2 ? 1.0 / 0 : doc['n'].value"))(
    'has what is no number above all, and infinity below that: %s',
    async (source) => {
      for (const order of ['asc', 'desc']) {
        const sort = [{ _script: { type: 'number', order, script: { source } } }];
        const { columns } = await runQuery(context, { query: { match_all: {} }, sort }, { topN: COUNT });
        const [column] = columns;
        if (column?.kind !== 'double') throw new Error(`keys of kind ${column?.kind}`);
        const values = [...column.values];
        const sorted = order === 'asc' ? values : values.toReversed();
        const numbers = sources.map((_, i) => number(i)).toSorted((a, b) => a - b);
        const [none, infinite] = [numbers.filter((n) => n < 1).length, numbers.filter((n) => n >= 1 && n < 2).length];
        expect(sorted).toEqual([
          ...numbers.filter((n) => n >= 2),
          ...Array(infinite).fill(Number.POSITIVE_INFINITY),
          ...Array(none).fill(Number.NaN),
        ]);
      }
    },
  );
});

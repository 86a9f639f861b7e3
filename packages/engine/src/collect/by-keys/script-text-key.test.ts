/** Sorts by texts that scripts make: of documents, of nested objects, over segments, in top_hits and collapsed. */
import { sortValueForHit } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    k: { type: 'keyword' },
    g: { type: 'keyword' },
    c: { type: 'nested', properties: { s: { type: 'keyword' }, at: { type: 'geo_point' } } },
  },
};
const DOCUMENTS = [
  { k: 'b', g: 'x', c: [{ s: 'q' }, { s: 'c' }] },
  { k: 'é', g: 'y', c: [{ s: 'm' }] },
  { k: 'a', g: 'x', c: [] },
  { k: 'B', g: 'y', c: [{ s: 'a' }, { s: 'z' }] },
  { g: 'x' },
];

function contextOf() {
  const all = DOCUMENTS.map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) }));
  return memoryContext(MAPPING, [all.slice(0, 2), all.slice(2)]);
}

async function sorted(body: object): Promise<readonly (readonly [string, unknown])[]> {
  const context = contextOf();
  const { ords, columns } = await runQuery(context, { size: 10, ...body }, { topN: 10 });
  const [column] = columns;
  return idsOf(context, ords).map((id, i) => [id, column && sortValueForHit(column, i)]);
}

const byScript = (source: string, options: object = {}) => ({
  _script: { type: 'string', script: source, ...options },
});
const KEY = "doc['k'].size() == 0 ? 'zz' : doc['k'].value";

describe('a sort by texts of a script', () => {
  test('orders by the bytes of the texts, over segments', async () => {
    expect(await sorted({ sort: [byScript(KEY)] })).toEqual([
      ['3', 'B'],
      ['2', 'a'],
      ['0', 'b'],
      ['4', 'zz'],
      ['1', 'é'],
    ]);
    expect((await sorted({ sort: [byScript(KEY, { order: 'desc' })] })).map(([id]) => id)).toEqual([
      '1',
      '4',
      '0',
      '2',
      '3',
    ]);
  });

  test('breaks the ties of another key, and goes on behind a text that no document has', async () => {
    const sort = [{ g: 'asc' }, byScript(KEY, { order: 'desc' })];
    expect((await sorted({ sort })).map(([id]) => id)).toEqual(['4', '0', '2', '1', '3']);
    expect((await sorted({ sort, search_after: ['x', 'bb'] })).map(([id]) => id)).toEqual(['0', '2', '1', '3']);
  });

  test('runs over matches alone: what would fail elsewhere does not', async () => {
    const found = await sorted({ query: { exists: { field: 'k' } }, sort: [byScript("doc['k'].value")] });
    expect(found.map(([id]) => id)).toEqual(['3', '2', '0', '1']);
    await expect(sorted({ sort: [byScript("doc['k'].value")] })).rejects.toThrow('runtime error');
  });

  test('takes the least or greatest text of nested objects; documents without any come last', async () => {
    const inner = (options: object) => byScript("doc['c.s'].value", { nested: { path: 'c' }, ...options });
    expect(await sorted({ query: { terms: { g: ['x', 'y'] } }, sort: [inner({})] })).toEqual([
      ['3', 'a'],
      ['0', 'c'],
      ['1', 'm'],
      ['2', null],
      ['4', null],
    ]);
    expect((await sorted({ sort: [inner({ order: 'desc' })] })).map(([id]) => id)).toEqual(['3', '0', '1', '2', '4']);
    expect((await sorted({ sort: [inner({ mode: 'max' })] })).map(([, value]) => value)).toEqual([
      'm',
      'q',
      'z',
      null,
      null,
    ]);
  });

  test('orders groups', async () => {
    expect(await sorted({ collapse: { field: 'g' }, sort: [byScript(KEY)] })).toEqual([
      ['3', 'B'],
      ['2', 'a'],
    ]);
  });

  test('refuses modes of numbers, and scores', async () => {
    await expect(sorted({ sort: [byScript(KEY, { mode: 'avg' })] })).rejects.toThrow("doesn't support mode [avg]");
    await expect(sorted({ sort: [byScript('_score.toString()')] })).rejects.toThrow('[_score] in a sort by [_script]');
    await expect(sorted({ sort: [byScript('1')] })).rejects.toThrow('compile error');
  });
});

describe('a sort by numbers of a script', () => {
  test('takes those of nested objects by its mode', async () => {
    const sort = [
      { _script: { type: 'number', script: "doc['c.s'].value.length()", nested: { path: 'c' }, mode: 'sum' } },
    ];
    expect((await sorted({ sort })).slice(0, 3).map(([id]) => id)).toEqual(['1', '0', '3']);
  });
});

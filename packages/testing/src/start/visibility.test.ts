import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShoalNode } from './shoal-node.ts';
import { startShoal } from './start-shoal.ts';

const BOOKS = '/books';
const MATCH = { query: { match: { title: 'emma' } } };

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any shape.
type Json = any;

async function ask(node: ShoalNode, method: string, path: string, body?: object | string): Promise<Json> {
  const answer = await node.fetch(path, { method, ...(body === undefined ? {} : { body: body as string }) });
  return answer.json();
}

const lines = (...parts: object[]): string => parts.map((part) => `${JSON.stringify(part)}\n`).join('');

/** Ways to look for books, each with how many it finds. */
const WAYS: readonly (readonly [name: string, find: (node: ShoalNode) => Promise<number>])[] = [
  ['a search', async (node) => (await ask(node, 'POST', `${BOOKS}/_search`, MATCH)).hits.total.value],
  ['a count', async (node) => (await ask(node, 'POST', `${BOOKS}/_count`, MATCH)).count],
  [
    'one of many searches',
    async (node) =>
      (await ask(node, 'POST', '/_msearch', lines({ index: 'books' }, MATCH))).responses[0].hits.total.value,
  ],
  [
    'a search by term statistics of all shards',
    async (node) =>
      (await ask(node, 'POST', `${BOOKS}/_search?search_type=dfs_query_then_fetch`, MATCH)).hits.total.value,
  ],
  [
    'an aggregation',
    async (node) => {
      const aggs = { titles: { value_count: { field: 'title.keyword' } } };
      return (await ask(node, 'POST', `${BOOKS}/_search`, { size: 0, aggs })).aggregations.titles.value;
    },
  ],
  ['a scroll', async (node) => (await ask(node, 'POST', `${BOOKS}/_search?scroll=1m`, MATCH)).hits.total.value],
  [
    'a point in time',
    async (node) => {
      const { id } = await ask(node, 'POST', `${BOOKS}/_pit?keep_alive=1m`);
      return (await ask(node, 'POST', '/_search', { ...MATCH, pit: { id } })).hits.total.value;
    },
  ],
  [
    'an asynchronous search',
    async (node) => (await ask(node, 'POST', `${BOOKS}/_async_search`, MATCH)).response.hits.total.value,
  ],
  ['an update by query', async (node) => (await ask(node, 'POST', `${BOOKS}/_update_by_query`, MATCH)).updated],
  ['a delete by query', async (node) => (await ask(node, 'POST', `${BOOKS}/_delete_by_query`, MATCH)).deleted],
  [
    'a reindex',
    async (node) =>
      (await ask(node, 'POST', '/_reindex', { source: { index: 'books', ...MATCH }, dest: { index: 'others' } }))
        .created,
  ],
  [
    'the terms of a field',
    async (node) =>
      (await ask(node, 'POST', `${BOOKS}/_terms_enum`, { field: 'title.keyword', string: 'E' })).terms.length,
  ],
  [
    'a get of what searches see',
    async (node) => Number((await ask(node, 'GET', `${BOOKS}/_doc/1?realtime=false`)).found),
  ],
];

describe.each(['immediate', 'elasticsearch'] as const)('with the visibility %s a write', (visibility) => {
  let node: ShoalNode;
  beforeAll(async () => {
    node = await startShoal({ visibility });
    // An interval, since an index without one refreshes at the first search after a while.
    const settings = { refresh_interval: '1h' };
    for (const name of ['books', 'others']) await ask(node, 'PUT', `/${name}`, { settings });
  });
  afterAll(() => node.close());

  test.each(WAYS)(`is ${visibility === 'immediate' ? '' : 'not '}found by %s`, async (_name, find) => {
    await ask(node, 'DELETE', `${BOOKS}/_doc/1?refresh=true`);
    await ask(node, 'DELETE', '/others/_doc/1?refresh=true');
    expect(await find(node)).toBe(0);
    await ask(node, 'PUT', `${BOOKS}/_doc/1`, { title: 'Emma' });
    expect(await find(node)).toBe(visibility === 'immediate' ? 1 : 0);
  });

  test('is there for a get at once', async () => {
    await ask(node, 'PUT', `${BOOKS}/_doc/2`, { title: 'Persuasion' });
    expect(await ask(node, 'GET', `${BOOKS}/_doc/2`)).toMatchObject({ found: true });
  });

  test('says whether it was refreshed', async () => {
    expect(await ask(node, 'PUT', `${BOOKS}/_doc/3?refresh=true`, {})).toMatchObject({ forced_refresh: true });
    expect(await ask(node, 'PUT', `${BOOKS}/_doc/3`, {})).not.toHaveProperty('forced_refresh');
  });
});

test('a write that waits for a refresh does not wait where every write is visible', async () => {
  await using node = await startShoal();
  await ask(node, 'PUT', BOOKS, { settings: { refresh_interval: '-1' } });
  expect(await ask(node, 'PUT', `${BOOKS}/_doc/1?refresh=wait_for`, { title: 'Emma' })).toMatchObject({
    result: 'created',
  });
});

test('a visibility that nobody knows is refused', async () => {
  await expect(startShoal({ visibility: 'sometimes' as 'immediate' })).rejects.toThrow('[sometimes]');
});

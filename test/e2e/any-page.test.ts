/**
 * Every page of a search over several nodes equals the same stretch of all of its hits, whichever way the page is found.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';

const DOCS = 16_000;
const SHARDS = 6;
const BATCH = 8_000;
/** Larger than what a round of the classical way or a lazy merge may bring. */
const DEEP = 12_000;
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];

interface Doc {
  readonly id: string;
  readonly n?: number;
  readonly tag?: string;
  readonly text: string;
}

const docs: readonly Doc[] = Array.from({ length: DOCS }, (_, i) => {
  const random = Math.imul(i + 1, 2654435761) >>> 0;
  const length = 1 + (random % 7);
  return {
    id: `d${i}`,
    ...(random % 11 !== 0 && { n: (random >>> 8) % 5_000 }),
    ...(random % 13 !== 0 && { tag: `t${(random >>> 12) % 40}` }),
    text: Array.from({ length }, (_, k) => WORDS[(random >>> (k * 3)) % WORDS.length]).join(' '),
  };
});
const live = docs.filter((_, i) => i % 10 !== 4);

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startUp(['--ephemeral', '--no-sample']);
  await call(cluster.url, 'PUT', '/many', {
    settings: { number_of_shards: SHARDS, number_of_replicas: 0, 'index.max_result_window': 2_147_483_647 },
    mappings: {
      properties: { n: { type: 'long' }, tag: { type: 'keyword' }, text: { type: 'text' }, id: { type: 'keyword' } },
    },
  });
  for (let from = 0; from < DOCS; from += BATCH) await bulk(docs.slice(from, from + BATCH).flatMap(indexed));
  await bulk(docs.filter((_, i) => i % 10 === 4).map(({ id }) => ({ delete: { _id: id } })));
  await mergeForGood('many');
});
afterAll(() => cluster?.end());

/** Merges of segments that are no neighbours change the order of documents, and so that of equal values: these are the last. */
async function mergeForGood(index: string): Promise<void> {
  const { status } = await call(cluster.url, 'POST', `/${index}/_forcemerge?max_num_segments=3`);
  expect(status).toBe(200);
}

function indexed(doc: Doc): readonly unknown[] {
  return [{ index: { _id: doc.id } }, doc];
}

async function bulk(lines: readonly unknown[]): Promise<void> {
  const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  const response = await fetch(`${cluster.url}/many/_bulk?refresh=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  });
  expect(((await response.json()) as { errors: boolean }).errors).toBe(false);
}

interface Page {
  readonly ids: readonly string[];
  readonly paging: { readonly way: string; readonly rounds: number; readonly entries_moved: number };
}

/** Asks the nodes in turn, unless one is named. */
async function page(
  search: object,
  from: number,
  size: number,
  more: object = {},
  { path = '/many', node = from % cluster.http.length }: { readonly path?: string; readonly node?: number } = {},
): Promise<Page> {
  const { status, body } = await call(cluster.http[node] ?? '', 'POST', `${path}/_search`, {
    ...search,
    from,
    size,
    _source: false,
    profile: true,
    ...more,
  });
  expect([status, body.error]).toEqual([200, undefined]);
  expect(body._shards.failed).toBe(0);
  return { ids: body.hits.hits.map((hit: { _id: string }) => hit._id), paging: body.profile.paging };
}

/** All hits in order, as a scroll finds them: ties by shard and document too, and nothing of what is tested here. */
async function walk(search: object, index = 'many'): Promise<readonly string[]> {
  let { body } = await call(cluster.url, 'POST', `/${index}/_search?scroll=2m`, {
    ...search,
    size: 8_000,
    _source: false,
  });
  const ids: string[] = [];
  while (body.hits.hits.length > 0) {
    ids.push(...body.hits.hits.map((hit: { _id: string }) => hit._id));
    const next = { scroll: '2m', scroll_id: body._scroll_id };
    ({ body } = await call(cluster.url, 'POST', '/_search/scroll', next));
  }
  return ids;
}

const SEARCHES: Readonly<Record<string, object>> = {
  score: { query: { match: { text: 'alpha beta gamma' } } },
  'a long, ascending': { query: { match_all: {} }, sort: [{ n: 'asc' }] },
  'a long, descending, missing first': {
    query: { match_all: {} },
    sort: [{ n: { order: 'desc', missing: '_first' } }],
  },
  'a keyword': { query: { match_all: {} }, sort: [{ tag: 'asc' }] },
  'two keys': { query: { match_all: {} }, sort: [{ tag: 'desc' }, { n: 'asc' }] },
  'the document': { query: { match_all: {} }, sort: ['_doc'] },
};

describe('any page', () => {
  test.each(Object.entries(SEARCHES))(
    'sorted by %s equals that of all hits',
    async (_, search) => {
      const all = await walk(search);
      expect(all.length).toBeGreaterThan(DEEP);
      expect(new Set(all).size).toBe(all.length);
      const size = 300;
      for (const from of [9_700, 10_000, 11_234, all.length - 450, all.length - 150, all.length]) {
        const { ids, paging } = await page(search, from, size);
        expect(ids).toEqual(all.slice(from, from + size));
        expect(paging.way).toBe(from + size > 10_000 ? 'rank_selection' : 'lazy_merge');
        expect(paging.entries_moved).toBeLessThanOrEqual(
          paging.way === 'lazy_merge' ? 2 * (from + size) : size + 6_144 + 6 * 80,
        );
      }
      const shallow = await page(search, 8_800, 20);
      expect(shallow.ids).toEqual(all.slice(8_800, 8_820));
      expect(shallow.paging.way).toBe('lazy_merge');
    },
    60_000,
  );

  test('of all documents counts them all', async () => {
    const { body } = await call(cluster.url, 'POST', '/many/_search', {
      from: 13_000,
      size: 3,
      track_total_hits: true,
      aggs: { tags: { cardinality: { field: 'tag' } } },
    });
    expect(body.hits.total).toEqual({ value: live.length, relation: 'eq' });
    expect(body.aggregations.tags.value).toBe(40);
    expect(body.hits.max_score).toBe(1);
    expect(body.hits.hits).toHaveLength(3);
    expect(body.hits.hits[0]._source.id).toBe(body.hits.hits[0]._id);
  });

  test('of a point in time is found in one round once its order is known', async () => {
    const search = { query: { match: { text: 'alpha beta gamma' } }, sort: [{ n: 'desc' }] };
    const all = await walk(search);
    const opened = await call(cluster.url, 'POST', '/many/_pit?keep_alive=2m', undefined);
    const pit = { pit: { id: opened.body.id } };
    const rounds: number[] = [];
    for (const from of [11_000, 11_010, 11_020, 11_010, 10_555, 10_565, 12_000]) {
      // The node that was asked first is the one that remembers.
      const { ids, paging } = await page(search, from, 10, pit, { path: '', node: 0 });
      expect(ids).toEqual(all.slice(from, from + 10));
      rounds.push(paging.rounds);
    }
    expect(rounds.slice(1)).toEqual([1, 1, 1, 1, 1, 1]);
    // Every node finds them.
    for (const from of [11_100, 11_101, 11_102]) {
      expect((await page(search, from, 10, pit, { path: '' })).ids).toEqual(all.slice(from, from + 10));
    }
  });

  test('of one shard is found by the shard itself', async () => {
    await call(cluster.url, 'PUT', '/one', {
      settings: { number_of_shards: 1, number_of_replicas: 0, 'index.max_result_window': 2_147_483_647 },
      mappings: { properties: { n: { type: 'long' } } },
    });
    const count = 56_000;
    for (let from = 0; from < count; from += BATCH) {
      const lines = Array.from({ length: BATCH }, (_, i) => [
        JSON.stringify({ index: { _id: `${from + i}` } }),
        JSON.stringify({ n: ((from + i) * 7919) % 1_000 }),
      ]);
      await fetch(`${cluster.url}/one/_bulk?refresh=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: `${lines.flat().join('\n')}\n`,
      });
    }
    await mergeForGood('one');
    const stored = await walk({}, 'one');
    expect(new Set(stored).size).toBe(count);
    const numberOf = (id: string): number => (Number(id) * 7919) % 1_000;
    const sorted = [...stored].sort((a, b) => numberOf(a) - numberOf(b));
    const opened = await call(cluster.url, 'POST', '/one/_pit?keep_alive=2m', undefined);
    const byN = { sort: [{ n: 'asc' }] };
    for (const from of [50_000, 55_990, 55_999, 56_000, 52_345]) {
      const expected = sorted.slice(from, from + 10);
      const found = await page(byN, from, 10, {}, { path: '/one' });
      expect(found.ids).toEqual(expected);
      expect(found.paging).toMatchObject({ way: 'own_rank', rounds: 1, entries_moved: expected.length });
      expect((await page(byN, from, 10, { pit: { id: opened.body.id } }, { path: '' })).ids).toEqual(expected);
      expect((await page({}, from, 10, {}, { path: '/one' })).ids).toEqual(stored.slice(from, from + 10));
    }
  });

  test('cannot be one of groups or of scores that change with it', async () => {
    const { status, body } = await call(cluster.url, 'POST', '/many/_search', {
      from: 11_000,
      collapse: { field: 'tag' },
    });
    expect(status).toBe(400);
    expect(body.error.root_cause[0].reason).toBe(
      '[collapse] and [rescore] are for pages up to entry [10000], from + size was [11010]',
    );
  });

  test('may be asked for with any size', async () => {
    const { body } = await call(cluster.url, 'POST', '/many/_search?filter_path=hits.hits._id', {
      from: 13_000,
      size: 2_147_470_647,
      _source: false,
    });
    expect(body.hits.hits).toHaveLength(live.length - 13_000);
  });
});

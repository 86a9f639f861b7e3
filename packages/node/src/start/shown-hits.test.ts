/** What a search shows of its hits, over the shards of a real node: groups, fragments, fields, profiles. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const GROUPS = 7;
const DOCS = 60;

interface Hit {
  readonly _id: string;
  readonly _score: number | null;
  readonly sort: readonly number[];
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
  readonly highlight: Readonly<Record<string, readonly string[]>>;
  readonly inner_hits: Readonly<
    Record<string, { readonly hits: { readonly total: unknown; readonly hits: readonly Hit[] } }>
  >;
}

interface Answer {
  readonly status: number;
  readonly hits: readonly Hit[];
  readonly body: Readonly<Record<string, unknown>>;
}

const cluster = new TestCluster();
let one: TestNode;

function documentOf(i: number): Readonly<Record<string, unknown>> {
  return {
    n: i,
    // The last ones have none: they are a group too.
    group: i % (GROUPS + 1) === GROUPS ? undefined : `g${i % (GROUPS + 1)}`,
    at: Date.UTC(2024, 0, 1 + i),
    text: `A fox of number ${i}. It has seen ${i % 5 === 0 ? 'another fox' : 'nobody'} today.`,
  };
}

async function search(body: unknown, query = ''): Promise<Answer> {
  const answer = await call(one, 'POST', `/many/_search${query}`, body);
  return {
    status: answer.status,
    body: answer.body,
    hits: (answer.body as { hits?: { hits: readonly Hit[] } }).hits?.hits ?? [],
  };
}

beforeAll(async () => {
  one = await cluster.start('one', {
    settings: { 'discovery.type': 'single-node', 'cluster.initial_cluster_manager_nodes': null },
  });
  await call(one, 'PUT', '/many', {
    settings: { number_of_shards: 3, number_of_replicas: 0 },
    mappings: {
      properties: {
        n: { type: 'long' },
        group: { type: 'keyword' },
        at: { type: 'date' },
        text: { type: 'text', fields: { raw: { type: 'keyword' } } },
      },
    },
  });
  for (let i = 0; i < DOCS; i++) await call(one, 'PUT', `/many/_doc/${i}`, documentOf(i));
  await call(one, 'POST', '/many/_refresh');
});

afterAll(() => cluster.close());

describe('a collapsed search over several shards', () => {
  test('shows each group once, by its first document of all shards, page by page', async () => {
    const body = { collapse: { field: 'group' }, sort: [{ n: 'desc' }], size: 20 };
    const whole = await search(body);
    const expected = Array.from({ length: GROUPS + 1 }, (_, i) => String(DOCS - 1 - i));
    expect(whole.hits.map(({ _id }) => _id)).toEqual(expected);
    const groupOf = ({ fields }: Hit) => fields?.group;
    const shown = whole.hits.map(groupOf);
    expect(shown).toEqual(
      expected.map((id) => (documentOf(Number(id)).group ? [documentOf(Number(id)).group] : undefined)),
    );
    expect(whole.body).toMatchObject({ hits: { total: { value: DOCS, relation: 'eq' } } });
    const second = await search({ ...body, from: 3, size: 3 });
    expect(second.hits.map(({ _id }) => _id)).toEqual(expected.slice(3, 6));
  });
  test('shows others of each group under the names asked for', async () => {
    const inner = [
      { name: 'first', size: 2, sort: [{ n: 'asc' }], fields: ['n'] },
      { name: 'fox', highlight: { fields: { text: {} } } },
    ];
    const { hits } = await search({
      query: { match: { text: 'fox' } },
      post_filter: { range: { n: { lt: 40 } } },
      collapse: { field: 'group', inner_hits: inner, max_concurrent_group_searches: 2 },
      sort: [{ n: 'desc' }],
    });
    expect(hits).toHaveLength(GROUPS + 1);
    for (const hit of hits) {
      const residue = Number(hit._id) % (GROUPS + 1);
      const { first, fox } = hit.inner_hits;
      expect(first?.hits.total).toEqual({ value: 5, relation: 'eq' });
      expect(first?.hits.hits.map(({ fields }) => fields.n?.[0])).toEqual([residue, residue + GROUPS + 1]);
      expect(fox?.hits.hits).toHaveLength(3);
      expect(fox?.hits.hits[0]?.highlight.text?.[0]).toContain('<em>fox</em>');
    }
  });
  test('are continued behind a value where they are sorted by it', async () => {
    const collapse = { field: 'group' };
    const valuesOf = ({ hits }: Answer): unknown[] => hits.map(({ sort }) => sort[0]);
    const all = valuesOf(await search({ collapse, sort: ['group'], size: 100 }));
    const paged: unknown[] = [];
    for (let after: unknown; ; ) {
      const cursor = after === undefined ? {} : { search_after: [after] };
      const page = valuesOf(await search({ collapse, sort: ['group'], size: 2, ...cursor }));
      if (page.length === 0) break;
      paged.push(...page);
      after = page.at(-1);
    }
    expect(paged).toEqual(all);
    expect(all).toHaveLength(GROUPS + 1);
  });
  test('cannot be scrolled, continued in another order or rescored', async () => {
    const collapse = { field: 'group' };
    const reason = async (body: unknown, query?: string) => {
      const answer = await search(body, query);
      expect(answer.status).toBe(400);
      return JSON.stringify(answer.body);
    };
    expect(await reason({ collapse }, '?scroll=1m')).toContain('cannot use `collapse` in a scroll context');
    expect(await reason({ collapse, sort: ['n'], search_after: [3] })).toContain(
      'cannot use `collapse` in conjunction with `search_after` unless the search is sorted on the same field',
    );
    expect(await reason({ collapse, rescore: { query: { rescore_query: { match_all: {} } } } })).toContain(
      'cannot use `collapse` in conjunction with `rescore`',
    );
  });
});

test('hits of all shards carry their fragments and fields', async () => {
  const { hits } = await search({
    query: { match_phrase: { text: 'another fox' } },
    sort: ['n'],
    size: 30,
    _source: false,
    highlight: { fields: { 'te*': { number_of_fragments: 0 } } },
    fields: ['group', { field: 'at', format: 'yyyy/MM/dd' }, 'text.*'],
    docvalue_fields: ['n', { field: 'n', format: '0.0' }],
  });
  expect(hits).toHaveLength(DOCS / 5);
  expect(hits[1]).toMatchObject({
    _id: '5',
    highlight: { text: ['A fox of number 5. It has seen <em>another</em> <em>fox</em> today.'] },
    fields: {
      n: [5, '5.0'],
      group: ['g5'],
      at: ['2024/01/06'],
      'text.raw': ['A fox of number 5. It has seen another fox today.'],
    },
  });
  expect(hits[1]).not.toHaveProperty('_source');
});

test('a rescore query scores the best hits of each shard again', async () => {
  const rescore = {
    window_size: 50,
    query: { rescore_query: { constant_score: { filter: { term: { n: 33 } } } }, rescore_query_weight: 100 },
  };
  const { hits } = await search({ query: { match: { text: 'fox' } }, rescore, size: 2 });
  expect(hits[0]?._id).toBe('33');
  expect(Number(hits[0]?._score)).toBeGreaterThan(100);
});

test('a profile tells of every shard, and how the page came together', async () => {
  const { body, hits } = await search({ query: { match: { text: 'fox' } }, profile: true, size: 5 });
  expect(hits).toHaveLength(5);
  const { profile } = body as { profile: { shards: { id: string; searches: unknown[] }[]; paging: unknown } };
  expect(profile.shards.map(({ id }) => id.replace(/^\[[^\]]+\]/, ''))).toEqual([
    '[many][0]',
    '[many][1]',
    '[many][2]',
  ]);
  expect(profile.shards[0]?.searches[0]).toMatchObject({ query: [{ description: 'text:fox' }] });
  expect(profile.paging).toEqual({ way: 'classical', rounds: 1, entries_moved: 15 });
});

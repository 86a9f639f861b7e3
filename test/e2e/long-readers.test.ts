/**
 * Scrolls, points in time and slices over several nodes: every document exactly once, whatever happens to the index meanwhile,
 * and nothing stays open.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, call, type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';

const DOCS = 400;
const SHARDS = 5;
const PAGE = 90;
const WORDS = ['red', 'green', 'blue'];
const POLLS_MAX = 400;

let cluster: RunningCluster;
const ids = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `d${from + i}`);

function docOf(i: number): object {
  const random = Math.imul(i + 1, 2654435761) >>> 0;
  const text = Array.from({ length: 1 + (random % 5) }, (_, k) => WORDS[(random >>> (3 * k)) % 3]).join(' ');
  return {
    text: `all ${text}`,
    ...(random % 7 !== 0 && { n: random % 40 }),
    ...(random % 5 !== 0 && { tag: `t${random % 9}` }),
  };
}

/** Any node answers. */
let turn = 0;
function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  return call(cluster.http[turn++ % cluster.http.length] ?? '', method, path, body);
}

async function expectAsk(method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const { status, body: answer, text } = await ask(method, path, body);
  expect(status, text).toBe(200);
  return answer;
}

async function createFilled(name: string, shards: number, count: number): Promise<void> {
  const properties = { n: { type: 'long' }, tag: { type: 'keyword' }, text: { type: 'text' } };
  const settings = { number_of_shards: shards, number_of_replicas: 0 };
  await expectAsk('PUT', `/${name}`, { settings, mappings: { properties } });
  const lines = Array.from({ length: count }, (_, i) => [{ index: { _id: `d${i}` } }, docOf(i)]).flat();
  await bulk(name, lines);
}

async function bulk(name: string, lines: readonly unknown[]): Promise<void> {
  const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  const answer = await expectAsk('POST', `/${name}/_bulk?refresh=true`, body);
  expect(answer.errors).toBe(false);
}

/** New documents, changed ones and deleted ones, in segments enough that they are merged. */
async function disturb(name: string, round: number): Promise<void> {
  for (let part = 0; part < 2; part++) await disturbOnce(name, 2 * round + part);
}

async function disturbOnce(name: string, round: number): Promise<void> {
  const one = (i: number): number => (round * 37 + i * 101) % DOCS;
  await bulk(name, [
    ...[0, 1, 2].flatMap((i) => [{ index: { _id: `new-${round}-${i}` } }, docOf(i)]),
    ...[3, 4, 5].flatMap((i) => [{ index: { _id: `d${one(i)}` } }, { ...docOf(i), changed: true }]),
    ...[6, 7, 8].map((i) => ({ delete: { _id: `d${one(i)}` } })),
  ]);
}

interface Hit {
  readonly _id: string;
  readonly sort?: readonly unknown[];
}

const idsOf = (answer: Answer['body']): string[] => answer.hits.hits.map(({ _id }: Hit) => _id);

async function openContexts(): Promise<number> {
  return (await expectAsk('GET', '/_stats/search'))._all.total.search.open_contexts;
}

/** Contexts are let go without waiting for it, and by a clock. */
async function expectNoContexts(): Promise<void> {
  for (let poll = 0; poll < POLLS_MAX; poll++) if ((await openContexts()) === 0) return;
  expect(await openContexts()).toBe(0);
}

beforeAll(async () => {
  cluster = await startUp(['--ephemeral', '--no-sample']);
});
afterAll(() => cluster?.end());

async function scrollAll(
  name: string,
  search: object,
  betweenPages: (page: number) => Promise<void>,
): Promise<string[]> {
  const seen: string[] = [];
  let answer = await expectAsk('POST', `/${name}/_search?scroll=1m`, { size: PAGE, ...search });
  for (let page = 0; answer.hits.hits.length > 0; page++) {
    expect(answer._shards.failed).toBe(0);
    seen.push(...idsOf(answer));
    await betweenPages(page);
    answer = await expectAsk('POST', '/_search/scroll', { scroll_id: answer._scroll_id, scroll: '1m' });
  }
  await expectAsk('DELETE', '/_search/scroll', { scroll_id: answer._scroll_id });
  return seen;
}

describe('a scroll', () => {
  test.each([
    ['by score', { query: { match: { text: 'all red' } } }],
    ['by a number', { sort: [{ n: 'desc' }] }],
    ['by a keyword', { sort: [{ tag: { order: 'asc', missing: '_first' } }] }],
    ['by several', { sort: [{ tag: 'desc' }, { n: 'asc' }] }],
    ['in no order', { sort: ['_doc'] }],
  ])(
    '%s shows every document of its start once',
    async (how, search) => {
      const name = `scrolled-${how.replaceAll(' ', '-')}`;
      await createFilled(name, SHARDS, DOCS);
      const seen = await scrollAll(name, search, (page) => disturb(name, page));
      expect(seen.length).toBe(DOCS);
      expect(seen.toSorted()).toEqual(ids(0, DOCS).toSorted());
      await expectNoContexts();
    },
    120_000,
  );

  test('has pages of at most its size, in the order of one search, and one total', async () => {
    await createFilled('paged', 3, 200);
    const whole = await expectAsk('POST', '/paged/_search', { size: 200, sort: [{ n: 'asc' }, { tag: 'asc' }] });
    const sorts: unknown[] = [];
    let answer = await expectAsk('POST', '/paged/_search?scroll=1m', { size: 7, sort: [{ n: 'asc' }, { tag: 'asc' }] });
    while (answer.hits.hits.length > 0) {
      expect(answer.hits.hits.length).toBeLessThanOrEqual(7);
      expect(answer.hits.total).toEqual({ value: 200, relation: 'eq' });
      sorts.push(...answer.hits.hits.map(({ sort }: Hit) => sort));
      answer = await expectAsk('GET', `/_search/scroll/${answer._scroll_id}?scroll=1m`);
    }
    expect(sorts).toEqual(whole.hits.hits.map(({ sort }: Hit) => sort));
    const cleared = await expectAsk('DELETE', '/_search/scroll/_all');
    expect(cleared).toMatchObject({ succeeded: true });
    await expectNoContexts();
  });

  test('ends by itself when nobody asks for it any more', async () => {
    await createFilled('forgotten', 2, 20);
    const { _scroll_id } = await expectAsk('POST', '/forgotten/_search?scroll=50ms', { size: 5 });
    await expectNoContexts();
    const late = await ask('POST', '/_search/scroll', { scroll_id: _scroll_id });
    expect(late.status).toBe(404);
    expect(late.body.error.failed_shards[0].reason.type).toBe('search_context_missing_exception');
  });

  test('that was cleared is gone', async () => {
    const { _scroll_id } = await expectAsk('POST', '/forgotten/_search?scroll=1m', { size: 5 });
    expect(await expectAsk('DELETE', '/_search/scroll', { scroll_id: [_scroll_id] })).toEqual({
      succeeded: true,
      num_freed: 2,
    });
    expect((await ask('DELETE', '/_search/scroll', { scroll_id: [_scroll_id] })).status).toBe(404);
    expect((await ask('POST', '/_search/scroll', { scroll_id: _scroll_id })).status).toBe(404);
  });

  test('may not live longer than the cluster allows', async () => {
    const { status, body } = await ask('POST', '/forgotten/_search?scroll=25h', { size: 5 });
    expect(status).toBe(400);
    expect(body.error.root_cause[0].reason).toContain('Keep alive for request (25h) is too large');
    await expectAsk('PUT', '/_cluster/settings', { transient: { 'search.max_keep_alive': '2m' } });
    expect((await ask('POST', '/forgotten/_search?scroll=3m', { size: 5 })).status).toBe(400);
    expect((await ask('POST', '/forgotten/_pit?keep_alive=3m')).status).toBe(400);
    await expectAsk('PUT', '/_cluster/settings', { transient: { 'search.max_keep_alive': null } });
    await expectNoContexts();
  });
});

const STYLES = [
  {
    style: '_pit',
    open: async (name: string) => (await expectAsk('POST', `/${name}/_pit?keep_alive=1m`)).id as string,
    close: (id: string) => expectAsk('DELETE', '/_pit', { id }),
  },
  {
    style: '_search/point_in_time',
    open: async (name: string) =>
      (await expectAsk('POST', `/${name}/_search/point_in_time?keep_alive=1m`)).pit_id as string,
    close: (id: string) => expectAsk('DELETE', '/_search/point_in_time', { pit_id: [id] }),
  },
] as const;

describe.each(STYLES)('a point in time of $style', ({ style, open, close }) => {
  test.each([
    ['a number', [{ n: 'asc' }]],
    ['a keyword', [{ tag: 'desc' }]],
    ['the score', ['_score']],
    ['the document alone', ['_shard_doc']],
  ])(
    'is walked by %s: every document once',
    async (what, sort) => {
      const name = `seen-${style.replace(/\W/g, '')}-${what.replaceAll(' ', '-')}`;
      await createFilled(name, SHARDS, DOCS);
      let id = await open(name);
      const seen: string[] = [];
      let after: readonly unknown[] | undefined;
      for (let page = 0; ; page++) {
        const query = { match: { text: 'all blue' } };
        const search = {
          size: PAGE,
          query,
          sort,
          pit: { id, keep_alive: '1m' },
          ...(after && { search_after: after }),
        };
        const answer = await expectAsk('POST', '/_search', search);
        expect(answer._shards.failed).toBe(0);
        id = answer.pit_id;
        if (answer.hits.hits.length === 0) break;
        seen.push(...idsOf(answer));
        after = answer.hits.hits.at(-1).sort;
        expect(after).toBeDefined();
        await disturb(name, page);
      }
      expect(seen.length).toBe(DOCS);
      expect(seen.toSorted()).toEqual(ids(0, DOCS).toSorted());
      await close(id);
      const late = await ask('POST', '/_search', { pit: { id } });
      expect(late.status).toBe(404);
      await expectNoContexts();
    },
    120_000,
  );
});

describe('slices', () => {
  test.each([1, 2, 3, 5])(
    'of %i shards are disjoint and complete',
    async (shards) => {
      const name = `sliced-${shards}`;
      await createFilled(name, shards, 300);
      await disturb(name, 1);
      const all = idsOf(await expectAsk('POST', `/${name}/_search`, { size: 1_000 })).toSorted();
      const { id } = await expectAsk('POST', `/${name}/_pit?keep_alive=1m`);
      for (const max of [2, 3, 4, 5, 7, 12, 20]) {
        const inTime: string[] = [];
        const scrolled: string[] = [];
        for (let slice = 0; slice < max; slice++) {
          const part = { slice: { id: slice, max }, size: 1_000 };
          inTime.push(...idsOf(await expectAsk('POST', '/_search', { ...part, pit: { id } })));
          if (max % 10 !== 2) continue;
          const first = await expectAsk('POST', `/${name}/_search?scroll=1m`, part);
          scrolled.push(...idsOf(first));
          await expectAsk('DELETE', '/_search/scroll', { scroll_id: first._scroll_id });
        }
        expect(inTime.toSorted(), `${max} slices`).toEqual(all);
        if (max % 10 === 2) expect(scrolled.toSorted(), `${max} slices`).toEqual(all);
      }
      await expectAsk('DELETE', '/_pit', { id });
      await expectNoContexts();
    },
    120_000,
  );
});

describe('ids that nobody gave out', () => {
  const own = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString('base64url');
  const context = { i: 'forgotten', u: 'u', s: 0, n: 'nobody', a: 'a', c: 1 };
  test.each([
    ['text', 'abc'],
    ['no base64', '%00%ff~~'],
    ['no JSON', Buffer.from([0xff, 0xfe, 0x00]).toString('base64url')],
    ['an array', own([])],
    ['another version', own({ v: 99, k: 'scroll', h: [], f: {} })],
    ['a number too large', own({ v: 1, k: 'scroll', h: [{ ...context, c: 1e300 }], f: {} })],
    ['a negative shard', own({ v: 1, k: 'scroll', h: [{ ...context, s: -1 }], f: {} })],
    ['the other kind', own({ v: 1, k: 'pit', h: [], f: {} })],
  ])('are refused: %s', async (_, id) => {
    expect((await ask('POST', '/_search/scroll', { scroll_id: id })).status).toBe(400);
    expect((await ask('DELETE', '/_search/scroll', { scroll_id: [id] })).status).toBe(400);
  });

  test('that look right lead nowhere', async () => {
    const { body } = await ask('GET', '/_nodes');
    const [node = ''] = Object.keys(body.nodes);
    for (const held of [context, { ...context, n: node, c: 123_456 }]) {
      const id = own({ v: 1, k: 'scroll', h: [held], f: {} });
      expect((await ask('POST', '/_search/scroll', { scroll_id: id })).status).toBe(404);
      expect((await ask('POST', '/_search', { pit: { id: own({ v: 1, k: 'pit', h: [held], f: {} }) } })).status).toBe(
        404,
      );
    }
  });
});

test('a node that dies under a scroll is counted as failed, and the others go on', async () => {
  await createFilled('broken', 6, 300);
  const first = await expectAsk('POST', '/broken/_search?scroll=1m', { size: 60 });
  const { body: shards } = await ask('GET', '/_cat/shards/broken?format=json');
  const victim =
    (shards as { readonly node: string }[]).map(({ node }) => node).find((node) => cluster.pids[node]) ?? '';
  const lost = (shards as { readonly node: string }[]).filter(({ node }) => node === victim).length;
  process.kill(cluster.pids[victim] ?? 0, 'SIGKILL');
  const next = await call(cluster.url, 'POST', '/_search/scroll', { scroll_id: first._scroll_id });
  expect(next.status, next.text).toBe(200);
  expect(next.body._shards).toMatchObject({ total: 6, failed: lost });
  expect(next.body.hits.hits.length).toBeGreaterThan(0);
});

import { describe, expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import type { QueryContext } from '../../phases/context/query-context.ts';
import { executeShardQuery } from '../../phases/query/execute-query.ts';
import { idsOf, memoryContext, runQuery, shardRequest } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: { key: { type: 'keyword' }, n: { type: 'long' }, d: { type: 'double' }, body: { type: 'text' } },
};
const DOCS = 9_000;

interface Doc {
  readonly id: string;
  readonly key: string;
  readonly n: readonly number[];
  readonly body: string;
}

const mixed = (i: number): number => Math.imul(i + 1, 2_654_435_761) >>> 0;
const docs: readonly Doc[] = Array.from({ length: DOCS }, (_, i) => ({
  id: String(i),
  key: `${mixed(i).toString(36)}é${i}`,
  // Some have none, some have two.
  n: i % 11 === 0 ? [] : i % 7 === 0 ? [i, -i] : [i],
  body: `common w${mixed(i).toString(36)}`,
}));
const inSegments = [docs.slice(0, 5_000), docs.slice(5_000)].map((part) =>
  part.map(({ id, key, n, body }) => ({ id, source: JSON.stringify({ key, n, d: n, body }) })),
);
const context = memoryContext(
  MAPPING,
  inSegments,
  (id) => Number(id) % 50 === 0,
  createSegmentMemory({ bytesMax: 2 ** 27 }),
);
const live = docs.filter(({ id }) => Number(id) % 50 !== 0);

const keys = docs.filter((_, i) => i % 3 !== 0).map(({ key }) => key);
const numbers = docs.map((_, i) => (i % 2 === 0 ? i : -i));
const ids = docs.filter((_, i) => i % 5 !== 1).map(({ id }) => id);
const sets = { keys: new Set(keys), numbers: new Set(numbers), ids: new Set(ids) };

const cases: readonly (readonly [name: string, query: object, matches: (doc: Doc) => boolean])[] = [
  [
    'thousands of keywords',
    { terms: { key: [...keys, 'nothing', ...keys.slice(0, 9)] } },
    (doc) => sets.keys.has(doc.key),
  ],
  ['thousands of ids', { ids: { values: ids } }, (doc) => sets.ids.has(doc.id)],
  ['a regular expression', { regexp: { key: '.*[aeiou][0-9].*' } }, (doc) => /[aeiou][0-9]/.test(doc.key)],
  ['a pattern without a beginning', { wildcard: { body: '*a*' } }, (doc) => /w.*a/.test(doc.body)],
  ['a beginning', { prefix: { body: 'w1' } }, (doc) => / w1/.test(doc.body)],
  ['a range of the dictionary', { range: { body: { gte: 'w1', lt: 'w3' } } }, (doc) => / w[12]/.test(doc.body)],
];

const lookedAt = (query: object) => ({ query: { bool: { filter: [query] } }, sort: ['_doc'], size: DOCS });

/** Does what `runQuery` does, with a clock by which every look at it ends a slice. */
async function inSlices(
  body: object,
  stopAfter: number,
  { of = context, topN = DOCS }: { readonly of?: QueryContext; readonly topN?: number } = {},
): Promise<{ yields: number; ids: string[]; timedOut: boolean }> {
  let yields = 0;
  let ms = 0;
  const stop = { isStopped: false };
  const yieldNow = async (): Promise<void> => {
    if (++yields === stopAfter) stop.isStopped = true;
  };
  const clock = { monotonicMs: () => (ms += 6), wallMs: () => 0 };
  const sliced: QueryContext = { ...of, yieldNow };
  const found = await executeShardQuery(sliced, shardRequest(body, { topN }), stop, clock);
  return { yields, ids: idsOf(context, found.ords), timedOut: found.timedOut };
}

describe.each(cases)('%s', (_name, query, matches) => {
  const wanted = live.filter(matches).map(({ id }) => id);

  test('finds what a look at every document finds', async () => {
    expect(wanted.length).toBeGreaterThan(100);
    const found = await runQuery(context, lookedAt(query), { topN: DOCS });
    expect(idsOf(context, found.ords)).toEqual(wanted);
    const { ids: sliced, timedOut } = await inSlices(lookedAt(query), Number.POSITIVE_INFINITY);
    expect([sliced, timedOut]).toEqual([wanted, false]);
  });

  test('lets others run while its documents are found, and stops there when it is told to', async () => {
    const whole = await inSlices({ ...lookedAt(query), track_total_hits: true }, Number.POSITIVE_INFINITY);
    expect(whole.yields).toBeGreaterThan(5);
    const stopped = await inSlices(lookedAt(query), 2);
    expect(stopped).toMatchObject({ yields: 2, timedOut: true });
    expect(stopped.ids.length).toBeLessThan(wanted.length);
  });
});

describe.each(['n', 'd'])('thousands of numbers of field %s', (field) => {
  const any = (values: readonly number[]) => (doc: Doc) => doc.n.some((n) => values.includes(n));

  test.each([
    ['far apart', [-8_993, 17, 5_001]],
    ['close together', Array.from({ length: 300 }, (_, i) => 4_000 + i)],
    ['none that is there', [1_000_000, 2_000_000]],
  ])('%s', async (_name, values) => {
    const found = await runQuery(context, lookedAt({ terms: { [field]: values } }), { topN: DOCS });
    expect(idsOf(context, found.ords)).toEqual(live.filter(any(values)).map(({ id }) => id));
  });

  test('as many as there are documents', async () => {
    const found = await runQuery(context, lookedAt({ terms: { [field]: numbers } }), { topN: DOCS });
    const wanted = live.filter((doc) => doc.n.some((n) => sets.numbers.has(n)));
    expect(idsOf(context, found.ords)).toEqual(wanted.map(({ id }) => id));
  });
});

test.each([10, 0])('a search for %i hits that has seen enough looks through no further segment', async (topN) => {
  const { searcher } = context;
  const [first, second] = searcher.views;
  if (first === undefined || second === undefined) throw new Error('there are two segments');
  const alone = (view: typeof first): QueryContext => ({
    ...context,
    searcher: { ...searcher, views: [view], maxDoc: view.docBase + view.segment.docCount, liveCount: view.liveCount },
  });
  const body = { query: { wildcard: { body: '*a*' } }, track_total_hits: 10 };
  const inFirst = await inSlices(body, Number.POSITIVE_INFINITY, { of: alone(first), topN });
  const inSecond = await inSlices(body, Number.POSITIVE_INFINITY, { of: alone(second), topN });
  expect(inSecond.yields).toBeGreaterThan(5);
  expect(await inSlices(body, Number.POSITIVE_INFINITY, { topN })).toEqual(inFirst);
});

test('a part that aggregations ask for again is found for them too', async () => {
  const body = { query: { regexp: { key: '.*[aeiou].*' } }, size: 0, aggs: { n: { value_count: { field: 'n' } } } };
  const found = await inSlices(body, Number.POSITIVE_INFINITY);
  expect(found.yields).toBeGreaterThan(10);
});

test('a filter that counts a bucket is found in slices too', async () => {
  const slow = { regexp: { key: '.*[aeiou].*' } };
  const counted = (filter: object) => ({ query: { match_none: {} }, size: 0, aggs: { f: { filter } } });
  const light = await inSlices(counted({ match_all: {} }), Number.POSITIVE_INFINITY);
  const { yields } = await inSlices(counted(slow), Number.POSITIVE_INFINITY);
  expect(yields).toBeGreaterThan(light.yields + 5);
});

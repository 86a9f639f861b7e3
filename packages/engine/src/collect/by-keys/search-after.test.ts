import { writeJsonText } from '@shoal/core';
import { parseSearch } from '@shoal/query';
import { sortValueForHit } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery, type TestDoc } from '../../phases/query/memory-searcher.test-support.ts';

const encoder = new TextEncoder();

const MAPPING = {
  properties: {
    f: { type: 'float' },
    d: { type: 'double' },
    l: { type: 'long' },
    wide: { type: 'long' },
    u: { type: 'unsigned_long' },
    b: { type: 'boolean' },
    k: { type: 'keyword' },
    at: { type: 'date' },
    ip: { type: 'ip' },
    id: { type: 'long' },
  },
};

/** Source text of a document; longs beyond 2^53 are written digit by digit. */
const sourceOf = (i: number): string =>
  i % 5 === 4
    ? `{"id":${i}}`
    : `{"id":${i},"f":[0.${i},0.${(i * 7) % 10}1,1.3],"d":[0.${i},2.7],"l":[${i % 3},${i}],"wide":[${1 + (i % 2)}900719925474099${i}],
       "u":[1844674407370955161${i % 6}],"b":${i % 2 === 0},"k":["k${i % 3}","m${i}"],"at":"2024-01-0${1 + (i % 4)}T00:00:00.00${i}Z",
       "ip":["10.0.0.${i}","2001:db8::${i}"]}`;

const docs: readonly TestDoc[] = Array.from({ length: 10 }, (_, i) => ({ id: String(i), source: sourceOf(i) }));
/** The second segment has no value of any field but `id`. */
const context = memoryContext(MAPPING, [
  docs.slice(0, 4),
  [
    { id: 'x', source: '{"id":20}' },
    { id: 'y', source: '{"id":21}' },
  ],
  docs.slice(4),
]);

/** Ids of all pages of one hit, each asked for with the values shown for the hit before. */
async function pages(sort: object): Promise<string[]> {
  const seen: string[] = [];
  let after: unknown[] | null = null;
  for (let page = 0; page < 20; page++) {
    const tail: string = after === null ? '' : `,"search_after":${writeJsonText(after)}`;
    const body = encoder.encode(`{"sort":${JSON.stringify([sort, 'id'])}${tail}}`);
    const { request } = parseSearch({ body, params: {} });
    const { ords, columns } = await runQuery(context, {}, { topN: 1, search: { request, aggregations: null } });
    if (ords.length === 0) return seen;
    seen.push(...idsOf(context, ords));
    after = columns.map((column) => sortValueForHit(column, 0));
  }
  return seen;
}

async function whole(sort: object): Promise<string[]> {
  return idsOf(context, (await runQuery(context, { sort: [sort, 'id'] }, { topN: 100 })).ords);
}

const NUMBERS = ['f', 'd', 'l', 'wide', 'u', 'b', 'at'];
const FILLERS: Readonly<Record<string, readonly unknown[]>> = { k: ['ka', 'k1'], ip: ['10.0.0.2', '::1'] };
const cases = [...NUMBERS, 'k', 'ip'].flatMap((field) =>
  ['asc', 'desc'].flatMap((order) => {
    const fillers = FILLERS[field] ?? (field === 'b' ? [true] : field === 'at' ? [1704067200000] : [0.1, 1.7, 3]);
    const missing = ['_first', '_last', ...fillers].map((value) => ({ [field]: { order, missing: value } }));
    const isSummed = ['f', 'd', 'l', 'wide'].includes(field);
    const modes = isSummed ? ['min', 'max', 'sum', 'avg', 'median'] : ['min', 'max'];
    return [...missing, ...modes.map((mode) => ({ [field]: { order, mode } }))];
  }),
);

describe('pages of one hit are together the whole order', () => {
  test.each(cases)('%j', async (sort) => expect(await pages(sort)).toEqual(await whole(sort)));
});

test('a fraction is cut off on whole numbers, also beyond 2^53', async () => {
  const after = async (field: string, value: unknown) =>
    (await runQuery(context, { sort: [field], search_after: [value] }, { topN: 1 })).ords.length;
  expect(await after('l', 1.5)).toBe(1);
  expect(await after('wide', 1.5)).toBe(1);
  expect(await after('wide', '1.5')).toBe(1);
});

test('a value between those of documents goes to its side of what stands for none', async () => {
  const after = async (sort: object, value: unknown) =>
    idsOf(context, (await runQuery(context, { sort: [sort, 'id'], search_after: [value, -1] }, { topN: 30 })).ords);
  const none = ['4', '9', 'x', 'y'];
  expect(await after({ k: { order: 'asc', missing: 'kb' } }, 'ka')).toEqual(expect.arrayContaining(none));
  expect((await after({ k: { order: 'asc', missing: 'kb' } }, 'kc')).filter((id) => none.includes(id))).toEqual([]);
  expect(await after({ wide: { order: 'asc', missing: 5 } }, 3)).toEqual(expect.arrayContaining(none));
  expect((await after({ wide: { order: 'asc', missing: 5 } }, 7)).filter((id) => none.includes(id))).toEqual([]);
});

describe('addresses', () => {
  const sorted = async (body: object): Promise<unknown[]> => {
    const { columns } = await runQuery(context, { sort: ['ip'], ...body }, { topN: 3 });
    return [0, 1, 2].map((i) => columns[0] && sortValueForHit(columns[0], i));
  };

  test('sort by their bits and are shown as texts', async () => {
    expect(await sorted({})).toEqual(['10.0.0.0', '10.0.0.1', '10.0.0.2']);
    expect(await sorted({ sort: [{ ip: 'desc' }] })).toEqual(['2001:db8::8', '2001:db8::7', '2001:db8::6']);
    expect(await sorted({ search_after: ['10.0.0.2'] })).toEqual(['10.0.0.3', '10.0.0.5', '10.0.0.6']);
  });

  test.each([[{ search_after: ['5'] }], [{ search_after: [5] }], [{ sort: [{ ip: { missing: '5' } }] }]])(
    '%j is none',
    async (body) => {
      await expect(sorted(body)).rejects.toMatchObject({
        type: 'illegal_argument_exception',
        reason: "'5' is not an IP string literal.",
      });
    },
  );
});

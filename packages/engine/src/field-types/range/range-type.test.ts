import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    whole: { type: 'integer_range' },
    long: { type: 'long_range' },
    float: { type: 'float_range' },
    double: { type: 'double_range' },
    day: { type: 'date_range', format: 'yyyy-MM-dd' },
    net: { type: 'ip_range' },
  },
};
const SOURCES = [
  '{"whole":{"gte":1,"lt":5},"net":"10.0.0.0/8","day":{"gte":"2020-01-01","lt":"2020-02-01"}}',
  '{"whole":{"gte":"3","lte":7.9},"net":{"gte":"10.0.0.1","lt":"10.0.1.0"},"day":{"gt":"2020-01-15","lte":"2020-01-17"}}',
  '{"whole":[{"gt":10,"lte":20},{"gte":30,"lte":null}],"double":{"gt":0.5,"lt":1.5}}',
  '{"whole":null,"float":{"gt":0.5}}',
];

function context(sources: readonly string[] = SOURCES, mapping: Readonly<Record<string, unknown>> = MAPPING) {
  return memoryContext(mapping, [sources.map((source, at) => ({ id: String(at), source }))]);
}

async function found(query: unknown, searched = context()): Promise<string[]> {
  return idsOf(searched, (await runQuery(searched, { query })).ords).sort();
}

describe('a field of ranges', () => {
  test.each([
    [{ exists: { field: 'whole' } }, ['0', '1', '2']],
    [{ term: { whole: 4 } }, ['0', '1']],
    [{ terms: { whole: [2, 31] } }, ['0', '2']],
    [{ range: { whole: { gte: 5, lt: 11 } } }, ['1']],
    [{ range: { whole: { gt: 5, lt: 5 } } }, []],
    [{ range: { whole: { gte: 3, lte: 20, relation: 'within' } } }, ['1', '2']],
    [{ range: { whole: { gte: 3, lte: 4, relation: 'CONTAINS' } } }, ['0', '1']],
    [{ range: { whole: { gte: 1_000 } } }, ['2']],
    [{ range: { double: { gte: 1.4999999999999998 } } }, ['2']],
    [{ range: { double: { gte: 1.5 } } }, []],
    [{ range: { float: { lte: 0.5 } } }, []],
    [{ term: { net: '10.0.0.7' } }, ['0', '1']],
    [{ term: { net: '10.2.0.0' } }, ['0']],
    [{ term: { day: '2020-01-16' } }, ['0', '1']],
    [{ range: { day: { gt: '2020-01-17' } } }, ['0']],
    [{ range: { day: { gte: '2020-01-17||/d', lte: '2020-01-17||/d' } } }, ['0', '1']],
  ])('is found by how its ranges lie: %j', async (query, ids) => {
    expect(await found(query)).toEqual(ids);
  });

  test.each([
    [
      { range: { net: { gte: '10.0.0.2', lte: '10.0.0.1' } } },
      'Range query `from` value (/10.0.0.2) is greater than `to` value (/10.0.0.1)',
    ],
    [{ range: { whole: { gte: 5, lte: 3 } } }, 'Range query `from` value (5) is greater than `to` value (3)'],
    [{ term: { whole: 'x' } }, 'For input string: "x"'],
    [{ term: { whole: 4.5 } }, 'Value [4.5] has a decimal part'],
    [{ term: { net: '10.0.0.0/8' } }, "'10.0.0.0/8' is not an IP string literal."],
  ])('refuses what is no value: %j', async (query, reason) => {
    await expect(found(query)).rejects.toThrow(reason);
  });

  test.each([
    ['{"whole":{"gte":5,"lte":1}}', 'min value (5) is greater than max value (1)'],
    ['{"double":{"gt":1,"lte":1}}', 'min value (1.0000000000000002) is greater than max value (1.0)'],
    ['{"whole":5}', 'expected an object but got whole'],
    ['{"whole":{"gte":1,"x":2}}', 'error parsing field [whole], with unknown parameter [x]'],
    ['{"whole":{"gte":[1]}}', 'Current token (START_ARRAY) not numeric'],
    ['{"whole":{"gte":99999999999}}', 'out of range'],
    ['{"day":{"gte":"now"}}', 'could not read the current timestamp'],
    ['{"net":"10.0.0.1"}', 'Expected [ip/prefix] but was [10.0.0.1]'],
    ['{"net":{"gt":"10.0.0.5","lte":"10.0.0.1"}}', 'min value cannot be greater than max value'],
  ])('refuses the document %s', (source, reason) => {
    const cause = thrown(() => context([source]));
    expect(cause).toContain(reason);
  });

  test('shows the ends that a document names, dates in the format asked for', async () => {
    const searched = context();
    const { request } = shardSearch({ fields: ['whole', 'net', { field: 'day', format: 'yyyy' }] });
    const page = { ords: Uint32Array.of(0, 2), request };
    const hits = await fetchHits(searched, page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
    expect(hits.map(({ fields }) => JSON.parse(Buffer.from(fields ?? []).toString()))).toEqual([
      { whole: [{ gte: 1, lt: 5 }], net: ['10.0.0.0/8'], day: [{ gte: '2020', lt: '2020' }] },
      {
        whole: [
          { gt: 10, lte: 20 },
          { gte: 30, lte: null },
        ],
      },
    ]);
  });
});

function thrown(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    const { message, causedBy } = error as { message: string; causedBy?: Error };
    return `${message} ${causedBy?.message ?? ''}`;
  }
  return '';
}

const end = fc.integer({ min: -8, max: 8 });
const someRange = fc.tuple(end, end).map(([a, b]) => ({ gte: Math.min(a, b), lte: Math.max(a, b) }));

describe('ranges found by a relation', () => {
  test.each(['long', 'double'])('are those that comparing their ends finds (%s)', async (field) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(someRange, { maxLength: 3 }), { minLength: 1, maxLength: 12 }),
        someRange,
        fc.constantFrom('intersects', 'within', 'contains'),
        async (docs, asked, relation) => {
          const searched = context(docs.map((ranges) => JSON.stringify({ [field]: ranges })));
          const isMeant = ({ gte, lte }: typeof asked): boolean => {
            if (relation === 'within') return gte >= asked.gte && lte <= asked.lte;
            if (relation === 'contains') return gte <= asked.gte && lte >= asked.lte;
            return gte <= asked.lte && lte >= asked.gte;
          };
          const expected = docs.flatMap((ranges, at) => (ranges.some(isMeant) ? [String(at)] : [])).sort();
          const { ords } = await runQuery(
            searched,
            { query: { range: { [field]: { ...asked, relation } } } },
            { topN: 50 },
          );
          expect(idsOf(searched, ords).sort()).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });
});

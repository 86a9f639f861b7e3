/** `multi_terms` over documents, and the `value_type` of its sources and of `terms`. */
import { expect, test } from 'vitest';
import { type Answer, answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = {
  properties: {
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    dt: { type: 'date' },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    g: { type: 'geo_point' },
  },
};
const BIG = '9223372036854775801';
const SHARDS = [
  [
    { k: 'a', n: 1, d: 0.5, dt: '2020-01-01', b: true, ip: '10.0.0.1' },
    { k: ['a', 'b', 'a'], n: [1, 1, 2], d: 2, dt: '2020-01-02', b: false },
    { k: 'b' },
  ],
  [
    { k: 'a', n: 1, d: 0.5, dt: '2020-01-01', b: true, ip: '10.0.0.1' },
    { n: 3 },
    { k: 'c', n: BIG },
    { k: 'c', n: BIG },
  ],
];

async function shown(options: object, aggs: object = {}): Promise<readonly unknown[]> {
  const answer = await answerOf(MAPPING, SHARDS, { m: { multi_terms: options, aggs } });
  return bucketsIn(answer.m).map(({ key_as_string, doc_count }) => [key_as_string, doc_count]);
}

test('every combination of values of a document counts it once', async () => {
  expect(await shown({ terms: [{ field: 'k' }, { field: 'n' }] })).toEqual([
    ['a|1', 3],
    [`c|${BIG}`, 2],
    ['a|2', 1],
    ['b|1', 1],
    ['b|2', 1],
  ]);
});

test('values are shown in their formats, as a list and as a text', async () => {
  const terms = [
    { field: 'd' },
    { field: 'dt', format: 'yyyy-MM-dd HH', time_zone: 1 },
    { field: 'b' },
    { field: 'ip' },
  ];
  const answer = await answerOf(MAPPING, SHARDS, { m: { multi_terms: { terms } } });
  expect(bucketsIn(answer.m)).toEqual([
    {
      key: [0.5, '2020-01-01 01', true, '10.0.0.1'],
      key_as_string: '0.5|2020-01-01 01|true|10.0.0.1',
      doc_count: 2,
    },
  ]);
});

test('a value stands for none where the request names one, a text where no field says what it is', async () => {
  const terms = [
    { field: 'k', missing: 'none' },
    { field: 'n', missing: 7 },
    { field: 'nope', missing: 3 },
  ];
  const answer = await answerOf(MAPPING, SHARDS, { m: { multi_terms: { terms, order: { _key: 'desc' }, size: 3 } } });
  expect(bucketsIn(answer.m).map(({ key }) => key)).toEqual([
    ['none', 3, '3'],
    ['c', Number(BIG), '3'],
    ['b', 7, '3'],
  ]);
  expect(await shown({ terms: [{ field: 'k' }, { field: 'nope' }] })).toEqual([]);
});

test('scripts make values, inside other buckets and with aggregations inside', async () => {
  const terms = [{ script: "doc['n'].size()", value_type: 'long' }, { field: 'k' }];
  const aggs = {
    t: { terms: { field: 'b' }, aggs: { m: { multi_terms: { terms }, aggs: { d: { max: { field: 'd' } } } } } },
  };
  const answer = await answerOf(MAPPING, SHARDS, aggs);
  const inner = bucketsIn(answer.t).map(({ m }) =>
    bucketsIn(m).map((one: Answer) => [one.key_as_string, one.doc_count, one.d]),
  );
  expect(inner).toEqual([
    [['1|a', 2, { value: 0.5 }]],
    [
      ['3|a', 1, { value: 2 }],
      ['3|b', 1, { value: 2 }],
    ],
  ]);
});

test('an order by a metric, a size of shards and a least count of shards are kept', async () => {
  const terms = [{ field: 'k' }, { field: 'n' }];
  const max = { x: { max: { field: 'd' } } };
  expect(await shown({ terms, order: { x: 'desc' }, size: 2 }, max)).toEqual([
    ['a|1', 3],
    ['a|2', 1],
  ]);
  const answer = await answerOf(MAPPING, SHARDS, {
    m: { multi_terms: { terms, size: 1, shard_size: 1, show_term_doc_count_error: true } },
  });
  expect(answer.m).toMatchObject({ doc_count_error_upper_bound: 4, sum_other_doc_count: 6 });
  expect(await shown({ terms, min_doc_count: 2, shard_min_doc_count: 2 })).toEqual([
    ['a|1', 2],
    [`c|${BIG}`, 2],
  ]);
});

test('too many combinations of one document are refused', async () => {
  const values = Array.from({ length: 1_100 }, (_, i) => i);
  const docs = [[{ n: values, d: values }]];
  const asked = answerOf(MAPPING, docs, { m: { multi_terms: { terms: [{ field: 'n' }, { field: 'd' }] } } });
  await expect(asked).rejects.toMatchObject({ type: 'circuit_breaking_exception', status: 429 });
});

test.each([
  [{ multi_terms: { terms: [{ field: 'k' }, { field: 'g' }] } }, 'Field [g] of type [geo_point] is not supported'],
  [
    { multi_terms: { terms: [{ field: 'n' }, { field: 'k', value_type: 'long' }] } },
    'Expected numeric type on field [k]',
  ],
  [{ terms: { field: 'k', value_type: 'date' } }, 'Expected numeric type on field [k], but got [keyword]'],
  [{ terms: { field: 'k', format: '0' } }, 'Field [k] of type [keyword] does not support custom formats'],
  [{ max: { field: 'b', format: '0' } }, 'Field [b] of type [boolean] does not support custom formats'],
])('%j is refused', async (definition, reason) => {
  await expect(answerOf(MAPPING, SHARDS, { x: definition })).rejects.toThrow(reason);
});

test('numbers are texts where value_type says so', async () => {
  const asText = { value_type: 'string', missing: 'q' };
  const answer = await answerOf(MAPPING, SHARDS, {
    d: { terms: { field: 'd', ...asText, order: { _key: 'asc' } } },
    n: { terms: { field: 'n', ...asText, include: '1|q|9.*' } },
  });
  const keys = (result: Answer | undefined) => bucketsIn(result).map(({ key, doc_count }) => [key, doc_count]);
  expect(keys(answer.d)).toEqual([
    ['0.5', 2],
    ['2.0', 1],
    ['q', 4],
  ]);
  expect(keys(answer.n)).toEqual([
    ['1', 3],
    [BIG, 2],
    ['q', 1],
  ]);
});

test('documents of terms that are too rare on their shard are others', async () => {
  const answer = await answerOf(MAPPING, SHARDS, {
    t: { terms: { field: 'k', min_doc_count: 2, shard_min_doc_count: 2 } },
  });
  expect(answer.t).toMatchObject({ sum_other_doc_count: 1 });
  const clamped = await answerOf(MAPPING, SHARDS, { t: { terms: { field: 'k', shard_min_doc_count: 9 } } });
  expect(bucketsIn(clamped.t)).toHaveLength(3);
});

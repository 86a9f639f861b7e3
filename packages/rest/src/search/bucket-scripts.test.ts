/** Pipelines that run scripts over buckets. */
import { beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;

beforeAll(async () => {
  const mapping = { properties: { day: { type: 'long' }, price: { type: 'double' } } };
  node = testNode({ indices: [indexOf('sales', { shards: 2, mapping })] });
  const sales = [
    { day: 0, price: 10 },
    { day: 0, price: 20 },
    { day: 1, price: 5 },
    { day: 3, price: 7.5 },
  ];
  await node.ask('POST', '/sales/_bulk?refresh=true', lines(...sales.flatMap((one) => [{ index: {} }, one])));
});

async function buckets(aggs: object): Promise<readonly Record<string, unknown>[]> {
  const days = { histogram: { field: 'day', interval: 1 }, aggs: { sum: { sum: { field: 'price' } }, ...aggs } };
  const { status, json } = await node.ask('POST', '/sales/_search?size=0', { aggs: { days } });
  expect([status, json.error]).toEqual([200, undefined]);
  return json.aggregations.days.buckets;
}

describe('bucket_script', () => {
  test('adds what its script makes, to buckets that have all values', async () => {
    const script = { source: 'params.total / params.count * params.factor', params: { factor: 2 } };
    const buckets_path = { total: 'sum', count: '_count' };
    const made = await buckets({ twice: { bucket_script: { buckets_path, script } } });
    expect(made.map(({ key, twice }) => [key, twice])).toEqual([
      [0, { value: 30 }],
      [1, { value: 10 }],
      [2, undefined],
      [3, { value: 15 }],
    ]);
  });

  test('is read by pipelines behind it', async () => {
    const made = await buckets({
      more: { bucket_script: { buckets_path: 'sum', script: '_value' } },
    }).catch((error: unknown) => error);
    expect(made).toBeInstanceOf(Error);
    const chained = await buckets({
      plus: { bucket_script: { buckets_path: { s: 'sum' }, script: 'params.s + 1' } },
      again: { bucket_script: { buckets_path: { p: 'plus' }, script: 'params.p + 1' } },
    });
    expect(chained[0]).toMatchObject({ plus: { value: 31 }, again: { value: 32 } });
  });
});

describe('bucket_selector', () => {
  test('keeps the buckets of which its script says yes', async () => {
    const made = await buckets({ some: { bucket_selector: { buckets_path: { s: 'sum' }, script: 'params.s > 6' } } });
    expect(made.map(({ key }) => key)).toEqual([0, 3]);
  });

  test('refuses a script that gives no answer', async () => {
    const some = { bucket_selector: { buckets_path: { s: 'sum' }, script: '1' } };
    const days = { histogram: { field: 'day', interval: 1 }, aggs: { sum: { sum: { field: 'price' } }, some } };
    expect((await node.ask('POST', '/sales/_search', { aggs: { days } })).status).toBe(400);
  });
});

/** Networks of addresses, against the plainest way to find them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { ip: { type: 'ip' }, n: { type: 'long' }, t: { type: 'keyword' } } };
const SHARDS = [
  [
    { ip: '10.1.2.3', n: 1, t: 'a' },
    { ip: ['10.1.9.9', '10.1.9.8'], n: 2, t: 'b' },
    { ip: '192.168.0.1', n: 3, t: 'a' },
  ],
  [
    { ip: ['10.2.0.1', '10.1.0.1'], n: 4, t: 'a' },
    { n: 5, t: 'a' },
  ],
];

describe('networks of addresses', () => {
  test('have each document once, in the order of their addresses, over all shards', async () => {
    const aggs = { p: { ip_prefix: { field: 'ip', prefix_length: 16 }, aggs: { sum: { sum: { field: 'n' } } } } };
    const rest = { is_ipv6: false, prefix_length: 16, netmask: '255.255.0.0' };
    expect(bucketsIn((await answerOf(MAPPING, SHARDS, aggs)).p)).toEqual([
      { key: '10.1.0.0', doc_count: 3, ...rest, sum: { value: 7 } },
      { key: '10.2.0.0', doc_count: 1, ...rest, sum: { value: 4 } },
      { key: '192.168.0.0', doc_count: 1, ...rest, sum: { value: 3 } },
    ]);
  });

  test('may be keyed, with their length, of so many documents at least, inside other buckets', async () => {
    const p = {
      ip_prefix: { field: 'ip', prefix_length: 8, keyed: true, append_prefix_length: true, min_doc_count: 2 },
    };
    const answer = await answerOf(MAPPING, SHARDS, { t: { terms: { field: 't' }, aggs: { p } } });
    const rest = { is_ipv6: false, prefix_length: 8, netmask: '255.0.0.0' };
    expect(bucketsIn(answer.t).map((bucket) => bucket.p)).toEqual([
      { buckets: { '10.0.0.0/8': { doc_count: 2, ...rest } } },
      { buckets: {} },
    ]);
  });

  test('take an address for documents without one, also of a field that is not mapped', async () => {
    const of = (field: string) => ({ p: { ip_prefix: { field, prefix_length: 32, missing: '1.2.3.4' } } });
    const keys = async (field: string) =>
      bucketsIn((await answerOf(MAPPING, SHARDS, of(field))).p).map(({ key }) => key);
    expect(await keys('nosuch')).toEqual(['1.2.3.4']);
    expect((await keys('ip'))[0]).toBe('1.2.3.4');
    const none = { p: { ip_prefix: { field: 'nosuch', prefix_length: 32 } } };
    expect((await answerOf(MAPPING, SHARDS, none)).p).toEqual({ buckets: [] });
  });

  test('of IPv6 have no mask', async () => {
    const docs = [[{ ip: '2001:db8:a4f8:112a:6001:0:12:7f2a' }, { ip: '2001:db8:a4f8:112c::1' }, { ip: '::1' }]];
    const aggs = { p: { ip_prefix: { field: 'ip', prefix_length: 48, is_ipv6: true } } };
    const rest = { is_ipv6: true, prefix_length: 48 };
    expect(bucketsIn((await answerOf(MAPPING, docs, aggs)).p)).toEqual([
      { key: '::', doc_count: 1, ...rest },
      { key: '2001:db8:a4f8::', doc_count: 2, ...rest },
    ]);
  });

  test('are those that arithmetic finds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 32 }),
        async (numbers, prefix_length) => {
          const dotted = (n: number): string => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.');
          const size = 2 ** (32 - prefix_length);
          const counts = new Map<number, number>();
          for (const n of numbers) {
            const first = Math.floor(n / size) * size;
            counts.set(first, (counts.get(first) ?? 0) + 1);
          }
          const expected = [...counts].sort(([a], [b]) => a - b).map(([first, count]) => [dotted(first), count]);
          const docs = [numbers.map((n) => ({ ip: dotted(n) }))];
          const answer = await answerOf(MAPPING, docs, { p: { ip_prefix: { field: 'ip', prefix_length } } });
          expect(bucketsIn(answer.p).map(({ key, doc_count }) => [key, doc_count])).toEqual(expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each([
    [{ field: 'ip' }, 'Required [prefix_length]'],
    [{ field: 'ip', prefix_length: 33 }, '[prefix_length] must be in range [0, 32] while value is [33]'],
    [{ field: 'ip', prefix_length: 129, is_ipv6: true }, 'must be in range [0, 128] while value is [129]'],
    [{ field: 'ip', prefix_length: 8, min_doc_count: 0 }, '[min_doc_count] must be greater than or equal to 1'],
    [{ field: 't', prefix_length: 8 }, 'Field [t] of type [keyword] is not supported for aggregation [ip_prefix]'],
    [{ prefix_length: 8 }, 'Required one of fields [field'],
    [{ field: 'ip', prefix_length: 8, order: {} }, 'order'],
  ])('%j is refused', async (options, reason) => {
    await expect(answerOf(MAPPING, SHARDS, { p: { ip_prefix: options } })).rejects.toThrow(reason);
  });
});

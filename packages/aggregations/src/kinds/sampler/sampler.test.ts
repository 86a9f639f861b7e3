import { expect, test } from 'vitest';
import { parseAggs, resent } from '../../levels/round-trip.test-support.ts';

test('samplers come out of a message as they were parsed', () => {
  const inside = { n: { sum: { field: 'n' } } };
  const level = parseAggs({
    plain: { sampler: {}, aggs: inside },
    sized: { sampler: { shard_size: 7 }, aggs: inside },
    diverse: { diversified_sampler: { field: 't', max_docs_per_value: 2, execution_hint: 'map' }, aggs: inside },
  });
  expect(resent(level)).toEqual(level);
});

import { expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { at: { type: 'date_nanos' } } };
const DOCS = ['2019-01-01T02:00:00.000000001Z', '2019-04-01T00:00:00Z', '2021-11-11T11:11:11.123456789Z'].map((at) => ({
  at,
}));

test.each(['America/New_York', '+05:30', 'UTC'])('nanoseconds are put into buckets of %s', async (zone) => {
  const { h } = await answerOf(MAPPING, [DOCS], {
    h: { date_histogram: { field: 'at', calendar_interval: 'year', time_zone: zone } },
  });
  const counts = bucketsIn(h).map(({ doc_count: count }) => count);
  expect(counts).toEqual(zone === 'America/New_York' ? [1, 1, 0, 1] : [2, 0, 1]);
});

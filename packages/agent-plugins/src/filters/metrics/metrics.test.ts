import { expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { plain, withClock } from '../filter-outcome.test-support.ts';
import { metricsFilter } from './metrics.ts';

test('metrics reports counts and times', async () => {
  const clock = withClock();
  const filter = makeFilter(
    metricsFilter,
    { meter: ['http_%{code}'], timer: { t: '%{ms}' }, percentiles: [50, 100] },
    { runtime: clock.runtime },
  );
  for (const ms of [10, 20, 30]) await filter.run(eventOf({ code: 200, ms }));
  clock.now = 5000;
  const [report] = filter.filter.flush?.({ isFinal: false }) ?? [];
  expect(report === undefined ? null : plain(report)).toMatchObject({
    http_200: { count: 3, rate_1m: 0.6 },
    t: { count: 3, min: 10, max: 30, mean: 20, p50: 20, p100: 30 },
  });
  expect(filter.filter.flush?.({ isFinal: false })).toEqual([]);
});

test('a time that is no number counts as the number it begins with, or as 0; rates are checked', async () => {
  const clock = withClock();
  const filter = makeFilter(metricsFilter, { timer: { t: '%{ms}' } }, { runtime: clock.runtime });
  for (const ms of ['2.5ms', 'none']) await filter.run(eventOf({ ms }));
  clock.now = 5000;
  const [report] = filter.filter.flush?.({ isFinal: false }) ?? [];
  expect(report === undefined ? null : plain(report)).toMatchObject({ t: { count: 2, min: 0, max: 2.5 } });
  expect(() => makeFilter(metricsFilter, { meter: ['m'], rates: [2] })).toThrow('rates may be 1, 5 and 15');
});

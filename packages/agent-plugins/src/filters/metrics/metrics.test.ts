import { expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { plain, withClock } from '../filter-outcome.test-support.ts';
import { metricsFilter } from './metrics.ts';

function metrics(options: Record<string, unknown>) {
  const clock = withClock();
  const made = makeFilter(metricsFilter, options, { runtime: clock.runtime });
  return {
    see: async (fields: Record<string, unknown>) => void (await made.run(eventOf(fields))),
    /** What a flush five seconds later reports; null for nothing. */
    flush: () => {
      clock.now += 5000;
      const [report] = made.filter.flush?.({ isFinal: false }) ?? [];
      return report === undefined ? null : plain(report);
    },
  };
}

test('metrics reports counts and times', async () => {
  const filter = metrics({ meter: ['http_%{code}'], timer: { t: '%{ms}' }, percentiles: [50, 100] });
  for (const ms of [10, 20, 30]) await filter.see({ code: 200, ms });
  expect(filter.flush()).toMatchObject({
    http_200: { count: 3, rate_1m: 0.6 },
    t: { count: 3, min: 10, max: 30, mean: 20, stddev: Math.sqrt(10), p50: 20, p100: 30 },
  });
  expect(filter.flush()).toMatchObject({ http_200: { count: 3 } });
});

test('percentiles lie between their neighbours', async () => {
  const filter = metrics({ timer: { t: '%{ms}' }, percentiles: [0, 1, 25, 60, 99.9] });
  for (const ms of [10, 20, 30, 60]) await filter.see({ ms });
  expect(filter.flush()?.t).toMatchObject({ p0: 10, p1: 10, p25: 12.5, p60: 30, 'p99.9': 60 });
  expect(() => metrics({ percentiles: [101] })).toThrow('percentiles may be from 0 to 100');
});

test('a meter and a timer of one name count each for itself', async () => {
  const filter = metrics({ meter: ['x'], timer: { x: '%{ms}' } });
  await filter.see({ ms: 1 });
  expect(filter.flush()?.x).toMatchObject({ count: 1, mean: 1 });
});

test('nothing is reported before there is anything, nor before its interval', async () => {
  const filter = metrics({ meter: ['m'], flush_interval: 15 });
  expect([filter.flush(), filter.flush(), filter.flush()]).toEqual([null, null, null]);
  await filter.see({});
  expect(filter.flush()).toMatchObject({ m: { count: 1 } });
  expect([filter.flush(), filter.flush()]).toEqual([null, null]);
  expect(filter.flush()).toMatchObject({ m: { count: 1 } });
});

test('counts are cleared after their interval', async () => {
  const filter = metrics({ meter: ['m'], clear_interval: 15 });
  await filter.see({});
  for (let flush = 0; flush < 3; flush++) expect(filter.flush()).toMatchObject({ m: { count: 1 } });
  expect(filter.flush()).toBeNull();
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

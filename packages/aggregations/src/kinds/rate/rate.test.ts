import { describe, expect, test } from 'vitest';
import { checkPlaces } from '../../levels/check-places.ts';
import { parseAggs, reread, resent } from '../../levels/round-trip.test-support.ts';
import { unitsIn } from './rate-intervals.ts';

const within = (interval: object, rate: object) => ({
  d: { date_histogram: { field: 'd', ...interval }, aggs: { r: { rate } } },
});

describe('rate', () => {
  test.each([
    ['outside of intervals', { r: { rate: { unit: 'day' } } }, 'can only be used inside a date histogram'],
    [
      'below an aggregation of no intervals',
      { t: { terms: { field: 'k' }, aggs: { r: { rate: { unit: 'day' } } } } },
      'can only be used inside a date histogram',
    ],
    ['an unknown unit', within({ fixed_interval: '1d' }, { unit: 'fortnight' }), 'Unsupported unit fortnight'],
    ['an unknown mode', within({ fixed_interval: '1d' }, { field: 'v', mode: 'avg' }), 'Unknown rate mode [avg]'],
    ['a mode of documents', within({ fixed_interval: '1d' }, { mode: 'sum' }), 'only supported with field or script'],
    [
      'months in a fixed interval',
      within({ fixed_interval: '1d' }, { unit: 'quarter' }),
      'Cannot use month-based rate unit [quarter] with fixed interval based histogram, only week, day',
    ],
    [
      'months in a week',
      within({ calendar_interval: 'week' }, { unit: 'month' }),
      'Cannot use month-based rate unit [month] with non-month based calendar interval histogram [week] only week',
    ],
  ])('refuses %s', (_, aggs, message) => {
    expect(() => checkPlaces(parseAggs(aggs).aggregations, [])).toThrow(message);
  });

  test('comes out of a message as it was parsed', () => {
    const level = parseAggs({
      ...within({ calendar_interval: 'month' }, { field: 'v', unit: '1y', mode: 'VALUE_COUNT', format: '0.0' }),
      c: {
        composite: {
          sources: [{ k: { terms: { field: 'k' } } }, { d: { date_histogram: { field: 'd', fixed_interval: '1h' } } }],
        },
        aggs: { r: { rate: {} } },
      },
    });
    expect(resent(level)).toEqual(level);
    const partial = { kind: 'rate', sum: 1.5, units: 31 };
    expect(reread([partial])).toEqual([partial]);
  });

  test.each([
    ['month', 'day', '2024-02-01', 29],
    ['quarter', 'day', '2023-01-01', 90],
    ['year', 'month', '2023-01-01', 12],
    ['month', 'year', '2023-01-01', 1 / 12],
    ['week', 'day', '2023-01-02', 7],
    ['day', 'hour', '2023-03-26', 24],
    [1_500, 'second', '2023-01-01', 1.5],
    ['month', null, '2023-01-01', 1],
  ] as const)('an interval of [%s] has [%s] from %s on so often: %d', (step, unit, start, units) => {
    expect(unitsIn(unit, { step, timeZone: 'UTC', offsetMs: 0 }, Date.parse(start))).toBe(units);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSchedule } from './cron-schedule.ts';

const next = (schedule: string, after: string): string | null => {
  const at = parseSchedule(schedule)(Date.parse(after), 0);
  return at === null ? null : new Date(at).toISOString();
};

describe('a schedule', () => {
  test.each([
    ['0 30 1 * * ?', '2024-02-28T01:30:00Z', '2024-02-29T01:30:00.000Z'],
    ['0 30 1 * * ?', '2024-02-28T01:29:59.999Z', '2024-02-28T01:30:00.000Z'],
    ['0 0 */6 ? * MON-FRI', '2024-03-01T19:00:00Z', '2024-03-04T00:00:00.000Z'],
    ['15/20 * * * * ?', '2024-03-01T19:00:35Z', '2024-03-01T19:00:55.000Z'],
    ['0 0 0 L * ?', '2024-02-01T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0 0 0 29 2 ?', '2024-03-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 0 0 ? * 7', '2024-03-01T00:00:00Z', '2024-03-02T00:00:00.000Z'],
    ['0 0 22-2 * * ?', '2024-03-01T00:30:00Z', '2024-03-01T01:00:00.000Z'],
    ['0 0 12 1,15 JAN,JUL ?', '2024-01-15T12:00:00Z', '2024-07-01T12:00:00.000Z'],
    ['0 0 0 1 1 ? 2030', '2024-01-15T12:00:00Z', '2030-01-01T00:00:00.000Z'],
    ['0 0 0 1 1 ? 2020', '2024-01-15T12:00:00Z', null],
  ])('%s comes after %s at %s', (schedule, after, time) => {
    expect(next(schedule, after)).toBe(time);
  });

  test('of an interval counts from when its policy was put', () => {
    const schedule = parseSchedule('30m');
    expect([schedule(5, 5), schedule(1_800_005, 5), schedule(1_800_004, 5)]).toEqual([1_800_005, 3_600_005, 1_800_005]);
  });

  test('comes second by second as a look at every second would find it', () => {
    const field = (max: number): fc.Arbitrary<string> =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min: 0, max }).map(String),
        fc.tuple(fc.integer({ min: 0, max }), fc.integer({ min: 1, max: 20 })).map(([from, by]) => `${from}/${by}`),
      );
    const startMs = Date.parse('2024-02-29T22:00:00Z');
    fc.assert(
      fc.property(field(59), field(59), fc.integer({ min: 0, max: 7_000 }), (second, minute, offset) => {
        const schedule = parseSchedule(`${second} ${minute} * * * ?`);
        const found = schedule(startMs + offset * 1_000, 0) ?? 0;
        const fits = (text: string, value: number): boolean => {
          const [from = '', by] = text.split('/');
          if (from === '*') return true;
          return by === undefined
            ? value === Number(from)
            : value >= Number(from) && (value - Number(from)) % Number(by) === 0;
        };
        let at = startMs + (offset + 1) * 1_000;
        while (!fits(second, new Date(at).getUTCSeconds()) || !fits(minute, new Date(at).getUTCMinutes())) at += 1_000;
        expect(found).toBe(at);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['0 30 1 * *', 'six or seven fields'],
    ['0 30 1 * * *', 'exactly one of'],
    ['0 61 1 * * ?', '[61] is nothing that minutes can be'],
    ['0 0 0 15W * ?', '[15W] is nothing that day of month can be'],
    ['0 0 0 ? * 2#1', '[2#1] is nothing'],
    ['10s', 'too short'],
    ['often', 'six or seven fields'],
  ])('%s is refused', (schedule, reason) => {
    expect(() => parseSchedule(schedule)).toThrow(reason);
  });
});

import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { RecordedMetrics } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { runFilter } from '../filter-outcome.test-support.ts';
import { dateFilter } from './date.ts';

const base = createNodeRuntime({ log: createSilentLog() });
const at = (time: string) => ({
  runtime: { ...base, clock: { monotonicMs: () => 0, wallMs: () => Date.parse(time) } },
});

async function date(
  format: string,
  value: unknown,
  options: Record<string, unknown> = {},
  now = '2026-06-15T00:00:00Z',
) {
  const all = { match: ['d', format], timezone: 'UTC', target: 't', ...options };
  const { event } = await runFilter(dateFilter, all, { d: value }, at(now));
  return event.t ?? event.tags;
}
const FAILED = ['_dateparsefailure'];

describe('date, formats with a name', () => {
  test.each([
    ['ISO8601', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
    ['ISO8601', '2026-01-02T03:04:05,6789+02:00', '2026-01-02T01:04:05.678Z'],
    ['ISO8601', '2026-01-02t03:04z', '2026-01-02T03:04:00.000Z'],
    ['ISO8601', '2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
    ['ISO8601', '2026-01-02 03:04:05,123', '2026-01-02T03:04:05.123Z'],
    ['ISO8601', '2026', '2026-01-01T00:00:00.000Z'],
    ['ISO8601', '2026-03', '2026-03-01T00:00:00.000Z'],
    ['ISO8601', '2026-032', '2026-02-01T00:00:00.000Z'],
    ['ISO8601', '2026-W01-1', '2025-12-29T00:00:00.000Z'],
    ['ISO8601', '2026-01-02T03.5', '2026-01-02T03:30:00.000Z'],
    ['UNIX', 1767323045, '2026-01-02T03:04:05.000Z'],
    ['UNIX', '1767323045.6789', '2026-01-02T03:04:05.678Z'],
    ['UNIX', 1767323045.5, '2026-01-02T03:04:05.500Z'],
    ['UNIX_MS', '1767323045678', '2026-01-02T03:04:05.678Z'],
    ['UNIX_MS', 1767323045678, '2026-01-02T03:04:05.678Z'],
    ['TAI64N', '@4000000050d506482dbdf024', '2012-12-22T01:00:46.767Z'],
  ])('%s reads %j', async (format, value, expected) => expect(await date(format, value)).toBe(expected));
  test.each([
    ['ISO8601', '20260102T030405Z'],
    ['ISO8601', '2026-02-30'],
    ['ISO8601', 2026],
    ['UNIX', '3000000000'],
    ['UNIX', 'abc'],
    ['UNIX_MS', '1.5'],
  ])('%s refuses %j', async (format, value) => expect(await date(format, value)).toEqual(FAILED));
});

describe('date, formats in letters', () => {
  test.each([
    ['dd/MMM/yyyy:HH:mm:ss Z', '17/May/2015:10:05:03 +0200', '2015-05-17T08:05:03.000Z'],
    ['dd/MMMM/yyyy:HH:mm:ss ZZ', '1/MAY/2015:1:5:3 +02:00', '2015-04-30T23:05:03.000Z'],
    ['yyyyMMdd', '2026123', '2026-12-03T00:00:00.000Z'],
    ['yy-MM-dd', '46-1-2', '1946-01-02T00:00:00.000Z'],
    ['yy-MM-dd', '70-01-02', '1970-01-02T00:00:00.000Z'],
    ['yyyy.MM.dd HH:mm:ss.SSSSSSSSS', '2026.01.02 03:04:05.1', '2026-01-02T03:04:05.100Z'],
    ['yyyy-MM-dd HH:mm:ss z', '2026-01-02 03:04:05 EST', '2026-01-02T08:04:05.000Z'],
    ['yyyy-MM-dd HH:mm:ss ZZZ', '2026-07-02 03:04:05 Europe/Berlin', '2026-07-02T01:04:05.000Z'],
    ['yyyy-MM-dd hh:mm a', '2026-01-02 12:30 am', '2026-01-02T00:30:00.000Z'],
    ['yyyy-MM-dd KK:mm a', '2026-01-02 11:30 PM', '2026-01-02T23:30:00.000Z'],
    ['yyyy-MM-dd kk', '2026-01-02 24', '2026-01-02T00:00:00.000Z'],
    ['yyyy-DDD', '2026-032', '2026-02-01T00:00:00.000Z'],
    ["xxxx-'W'ww-e", '2026-W01-1', '2025-12-29T00:00:00.000Z'],
    ['EEE MMM d yyyy', 'Mon Jan 2 2026', '2025-12-29T00:00:00.000Z'],
    ["yyyy 'o''clock' HH", "2026 o'clock 05", '2026-01-01T05:00:00.000Z'],
  ])('%s reads %j', async (format, value, expected) => expect(await date(format, value)).toBe(expected));
  test.each([
    ['HH:mm:ss.SSS', '01:02:03.123456'],
    ['yyyy-MM-dd', '2026-02-30'],
    ['yyyy-MM-dd HH', '2026-02-03 24'],
    ['MMM d', 'Jan  2'],
    ['yyyy', '2026 x'],
    ['yyyy', 2026],
  ])('%s refuses %j', async (format, value) => expect(await date(format, value)).toEqual(FAILED));

  test('names of other languages', async () => {
    expect(await date('d MMMM yyyy', '2 März 2026', { locale: 'de' })).toBe('2026-03-02T00:00:00.000Z');
  });
  test('an unknown letter is refused at start', async () => {
    await expect(date('yyyy-QQ', 'x')).rejects.toThrow('the letter [Q] means nothing');
  });
});

describe('date, years and zones', () => {
  test.each([
    ['2026-01-01T00:00:00Z', 'Dec 31 23:59:59', '2025-12-31T23:59:59.000Z'],
    ['2026-12-31T00:00:00Z', 'Jan 1 00:00:00', '2027-01-01T00:00:00.000Z'],
    ['2026-06-01T00:00:00Z', 'Mar 1 00:00:00', '2026-03-01T00:00:00.000Z'],
  ])('without a year, seen at %s: %s', async (now, text, expected) => {
    expect(await date('MMM d HH:mm:ss', text, {}, now)).toBe(expected);
  });
  const NEW_YORK = { timezone: 'America/New_York' };
  test('a time in the gap of summer time fails; one that comes twice is the earlier', async () => {
    expect(await date('yyyy-MM-dd HH:mm', '2026-03-08 02:30', NEW_YORK)).toEqual(FAILED);
    expect(await date('yyyy-MM-dd HH:mm', '2026-11-01 01:30', NEW_YORK)).toBe('2026-11-01T05:30:00.000Z');
    expect(await date('yyyy-MM-dd HH:mm', '2026-07-01 12:00', NEW_YORK)).toBe('2026-07-01T16:00:00.000Z');
  });
  test('an offset in the text wins; the zone may be of the event', async () => {
    expect(await date('yyyy-MM-dd HH Z', '2026-01-01 00 +0100', NEW_YORK)).toBe('2025-12-31T23:00:00.000Z');
    const options = { match: ['d', 'yyyy-MM-dd HH'], timezone: '%{z}' };
    const { event } = await runFilter(dateFilter, options, { d: '2026-01-01 12', z: 'Asia/Tokyo' });
    expect(event['@timestamp']).toBe('2026-01-01T03:00:00.000Z');
  });
  test('the first format that fits wins; a missing field is nothing; metrics count', async () => {
    const metrics = new RecordedMetrics();
    const options = { match: ['d', 'UNIX', 'ISO8601'], timezone: 'UTC' };
    expect((await runFilter(dateFilter, options, { d: '2026-01-02' }, { metrics })).event['@timestamp']).toBe(
      '2026-01-02T00:00:00.000Z',
    );
    expect((await runFilter(dateFilter, options, { d: 'x' }, { metrics })).event.tags).toEqual(FAILED);
    expect((await runFilter(dateFilter, options, {}, { metrics })).event).toEqual({});
    expect(Object.fromEntries(metrics.counters)).toEqual({ matches: 1, failures: 1 });
  });
});

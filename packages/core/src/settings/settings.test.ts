import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseByteSize, renderByteSize } from './byte-size.ts';
import { editDistance, nearestNames } from './edit-distance.ts';
import {
  booleanSetting,
  byteSizeSetting,
  choiceSetting,
  integerSetting,
  listSetting,
  portSetting,
  textSetting,
  timeSetting,
} from './setting-definition.ts';
import { SettingsRegistry } from './settings-registry.ts';
import { parseTimeValue } from './time-value.ts';

describe('a duration', () => {
  test.each([
    ['30s', 30_000],
    ['5m', 300_000],
    ['100ms', 100],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['10 s', 10_000],
    ['500micros', 0.5],
    ['-1', -1],
    ['0', 0],
  ])('%s is %d ms', (text, ms) => {
    expect(parseTimeValue(text, 'x')).toBe(ms);
  });

  test.each([
    ['30', 'failed to parse setting [x] with value [30] as a time value: unit is missing or unrecognized'],
    ['5M', 'failed to parse setting [x] with value [5M] as a time value: unit is missing or unrecognized'],
    ['-5s', 'failed to parse setting [x] with value [-5s] as a time value: negative durations are not supported'],
    ['1.5s', 'failed to parse [1.5s], fractional time values are not supported'],
    ['ones', 'failed to parse setting [x] with value [ones] as a time value'],
  ])('%s is refused', (text, reason) => {
    expect(() => parseTimeValue(text, 'x')).toThrow(reason);
  });
});

describe('a size', () => {
  test.each([
    ['512mb', 512 * 1024 ** 2],
    ['1.5gb', 1.5 * 1024 ** 3],
    ['10b', 10],
    ['4k', 4096],
    ['-1', -1],
    ['0', 0],
  ])('%s is %d bytes', (text, bytes) => {
    expect(parseByteSize(text, 'x')).toBe(bytes);
  });

  test.each(['12', '12xb', 'mb', '-5mb'])('%s is refused', (text) => {
    expect(() => parseByteSize(text, 'x')).toThrow(
      `failed to parse setting [x] with value [${text}] as a size in bytes`,
    );
  });

  test('is printed in the largest unit it fills', () => {
    expect([0, 1023, 1024, 1536, 1024 ** 3 - 1].map(renderByteSize)).toEqual([
      '0b',
      '1023b',
      '1kb',
      '1.5kb',
      '1023.9mb',
    ]);
  });
});

describe('the distance of two names', () => {
  test('counts a swap of neighbours as one edit', () => {
    expect(editDistance('clutser', 'cluster')).toBe(1);
    expect(editDistance('', 'abc')).toBe(3);
  });

  test('is symmetric, zero only for equals, and at most the longer length', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  test('suggests the nearest first and nothing far away', () => {
    expect(nearestNames('http.prot', ['http.port', 'http.host', 'path.data'])[0]).toBe('http.port');
    expect(nearestNames('zebra', ['http.port'])).toEqual([]);
  });
});

describe('a registry of settings', () => {
  const name = textSetting('cluster.name', 'shoal');
  const port = portSetting('http.port', '9200-9300');
  const timeout = timeSetting('x.timeout', '30s', { min: 1000, max: 60_000 });
  const size = byteSizeSetting('x.size', '1mb', { min: 1 });
  const count = integerSetting('x.count', 2, { min: 1, max: 9 });
  const flag = booleanSetting('x.flag', false);
  const seeds = listSetting('x.seeds', '', { aliases: ['x.old_seeds'] });
  const choice = choiceSetting('x.choice', 'a', ['a', 'b']);
  const attributes = textSetting('node.attr.*', '');
  const registry = new SettingsRegistry([name, port, timeout, size, count, flag, seeds, choice, attributes]);

  test('gives defaults', () => {
    const settings = registry.parse({});
    expect(settings.get(name)).toBe('shoal');
    expect(settings.get(port)).toEqual({ first: 9200, last: 9300 });
    expect(settings.get(timeout)).toBe(30_000);
    expect(settings.isSet(name)).toBe(false);
    expect(settings.get(seeds)).toEqual([]);
  });

  test('reads dotted and nested names, lists, numbers and aliases', () => {
    const settings = registry.parse({
      cluster: { name: 'mine' },
      'http.port': 9201,
      x: { old_seeds: ['a:1', 'b:2'], flag: true },
      'node.attr.zone': 'z1',
      'x.count': null,
    });
    expect(settings.get(port)).toEqual({ first: 9201, last: 9201 });
    expect(settings.get(seeds)).toEqual(['a:1', 'b:2']);
    expect(settings.get(flag)).toBe(true);
    expect(settings.group(attributes)).toEqual({ zone: 'z1' });
    expect(settings.toFlat()).toEqual({
      'cluster.name': 'mine',
      'http.port': '9201',
      'node.attr.zone': 'z1',
      'x.flag': 'true',
      'x.seeds': 'a:1,b:2',
    });
  });

  test.each([
    [{ 'clutser.name': 'x' }, 'unknown setting [clutser.name] did you mean [cluster.name]?'],
    [{ zebra: 1 }, 'unknown setting [zebra]'],
    [{ 'x.timeout': '10ms' }, 'failed to parse value [10ms] for setting [x.timeout], must be >= [1000ms]'],
    [{ 'x.count': 0 }, 'Failed to parse value [0] for setting [x.count] must be >= 1'],
    [{ 'x.count': 'two' }, 'Failed to parse value [two] for setting [x.count]'],
    [{ 'x.flag': 'yes' }, 'Failed to parse value [yes] as only [true] or [false] are allowed.'],
    [{ 'x.choice': 'c' }, 'Failed to parse value [c] for setting [x.choice], must be one of [a, b]'],
    [{ 'http.port': '9300-9200' }, 'must be a port or a range of ports'],
    [{ 'x.seeds': 'a', 'x.old_seeds': 'b' }, 'setting [x.seeds] is given twice'],
  ])('refuses %j', (given, reason) => {
    expect(() => registry.parse(given)).toThrow(reason);
  });
});

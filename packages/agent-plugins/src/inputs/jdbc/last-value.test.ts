import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Timestamp } from '@shoal/agent-event';
import { createSilentLog } from '@shoal/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../plugin-instance.test-support.ts';
import { SqlDecimal } from '../../sql/row-values.ts';
import { LastValueTracker, readRubyYaml, rubyYaml } from './last-value.ts';

const time = new Timestamp(Date.UTC(2023, 5, 15, 7, 59, 30, 558));

describe('the file of the last value', () => {
  test.each([
    ['--- 42\n', 42],
    ['--- 42\n...\n', 42],
    ['--- -7', -7],
    ['42', 42],
    ['--- 9223372036854775807\n', 9223372036854775807n],
    ['--- 1.5\n', new SqlDecimal('1.5')],
    ["--- !ruby/object:BigDecimal '0:0.1e1'\n", new SqlDecimal('1')],
    ['--- !ruby/object:BigDecimal 27:0.12345e3\n', new SqlDecimal('123.45')],
    ["--- !ruby/object:BigDecimal '18:-0.5e-1'\n", new SqlDecimal('-0.05')],
    ["--- !ruby/object:DateTime '2023-06-15 09:59:30.558000000 +02:00'\n", time],
    ['--- 2023-06-15 09:59:30.558000000 +02:00\n', time],
    ['--- 2023-06-15 07:59:30.558000000 Z\n', time],
    ["--- '2023-06-15T07:59:30.558Z'\n", time],
    ['2023-06-15T07:59:30.558+00:00', time],
    ['--- !ruby/object:Secret {}\n', null],
    ['', null],
  ])('%j is read', (text, value) => {
    expect(readRubyYaml(text)).toEqual(value);
  });

  test('is written as Ruby does', () => {
    expect(rubyYaml(7, false)).toBe('--- 7\n');
    expect(rubyYaml(time, false)).toBe('--- 2023-06-15 07:59:30.558000000 Z\n');
    expect(rubyYaml(time, true)).toBe("--- !ruby/object:DateTime '2023-06-15 07:59:30.558000000 +00:00'\n");
    expect(rubyYaml(new SqlDecimal('0.00'), false)).toBe("--- !ruby/object:BigDecimal '0:0.0'\n");
  });

  test('keeps every decimal', () => {
    const decimal = fc.tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.integer({ min: 1, max: 9999 }));
    fc.assert(
      fc.property(decimal, ([whole, fraction]) => {
        const text = `${whole}.${String(fraction).padStart(4, '0').replace(/0+$/, '')}`;
        expect(readRubyYaml(rubyYaml(new SqlDecimal(text), false))).toEqual(new SqlDecimal(text));
      }),
    );
  });
});

describe('a tracker', () => {
  const open = (path: string | null, isNumeric: boolean, isClean = false) =>
    LastValueTracker.open({ path, isNumeric, isDateTime: false, log: createSilentLog() }, isClean);

  test('begins at 0, or at 1970, and where its file says', async () => {
    const path = join(await temporaryFolder(), 'a', 'last');
    expect((await open(path, true)).value).toBe(0);
    expect((await open(path, false)).value).toEqual(new Timestamp(0));
    const tracker = await open(path, true);
    tracker.value = 12;
    await tracker.write();
    expect((await open(path, true)).value).toBe(12);
    expect((await open(path, false)).value).toEqual(new Timestamp(0));
    expect((await open(path, true, true)).value).toBe(0);
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  test('takes numbers or times only', async () => {
    const [numeric, timed] = [await open(null, true), await open(null, false)];
    expect([numeric.observe(3), numeric.observe('x'), numeric.observe(null)]).toEqual([3, null, null]);
    expect([timed.observe(time), timed.observe('2023-06-15T07:59:30.558Z'), timed.observe(5)]).toEqual([
      time,
      time,
      null,
    ]);
  });

  test('refuses a folder, and a file that holds something else', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'sub'));
    await expect(open(join(folder, 'sub'), true)).rejects.toThrow('is a directory');
    await writeFile(join(folder, 'bad'), '{"a": 1}');
    await expect(open(join(folder, 'bad'), true)).rejects.toThrow('holds no value');
  });
});

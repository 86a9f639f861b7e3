import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { fingerprintFilter } from './fingerprint.ts';

type Fields = Record<string, unknown>;

describe('the fingerprint filter', () => {
  test('its target under ECS', async () => {
    const { event } = await runFilter(fingerprintFilter, { method: 'MD5' }, { message: 'hello' }, { ecs: 'v8' });
    expect(event).toEqual({ message: 'hello', event: { hash: '5d41402abc4b2a76b9719d911017c592' } });
  });
  const of = async (options: Fields, fields: Fields) =>
    (await runFilter(fingerprintFilter, options, fields)).event.fingerprint;
  test.each([
    [{ method: 'SHA1' }, 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'],
    [{ method: 'MD5' }, '5d41402abc4b2a76b9719d911017c592'],
    [{ method: 'MURMUR3' }, 613153351],
    [{ method: 'MURMUR3_128' }, 'cbd8a7b341bd9b025b1e906a48ae1d19'],
    [{ method: 'MD5', base64encode: true }, 'XUFAKrxLKna5cZ2REBfFkg=='],
    [{ method: 'PUNCTUATION' }, ''],
  ])('%j of hello', async (options, expected) => {
    expect(await of(options, { message: 'hello' })).toBe(expected);
  });
  test('with a key the hash is keyed', async () => {
    const expected = createHmac('sha256', 'k').update('hello').digest('hex');
    expect(await of({ method: 'SHA256', key: 'k' }, { message: 'hello' })).toBe(expected);
  });
  test('networks, random ids, several sources', async () => {
    expect(await of({ method: 'IPV4_NETWORK', key: '24' }, { message: '10.1.2.3' })).toBe('10.1.2.0');
    expect(await of({ method: 'UUID' }, {})).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const last = await of({ source: ['a', 'b'], method: 'MD5' }, { a: 'x', b: 'hello' });
    expect(last).toBe('5d41402abc4b2a76b9719d911017c592');
    const joined = await of({ source: ['b', 'a'], method: 'MD5', concatenate_sources: true }, { a: '1', b: '2' });
    expect(joined).toBe(await of({ method: 'MD5' }, { message: '|a|1|b|2|' }));
  });
});

import { createHash, createHmac } from 'node:crypto';
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
    [{ method: 'MURMUR3_128' }, '648a66fb923498d0ddfbffbb29aa9d64'],
    [{ method: 'MD5', base64encode: true }, 'XUFAKrxLKna5cZ2REBfFkg=='],
    [{ method: 'PUNCTUATION' }, ''],
  ])('%j of hello', async (options, expected) => {
    expect(await of(options, { message: 'hello' })).toBe(expected);
  });
  test.each([
    ['MURMUR3', 77, 2143528358],
    ['MURMUR3_128', 77, 'ba54db990d04368506e0f70ce57db124'],
    ['MURMUR3_128', -1, '4bbd36365bfca85f807d284928c4b2fe'],
    ['MURMUR3_128', 5_000_000_000, '687c4d3b7d0ea23e74ca8c05cb58375c'],
    ['MURMUR3_128', 'a longer text than a block', '76019a104d40b8bce46ab53ad5356f9f'],
  ])('%s of %j: numbers are hashed as integers', async (method, message, expected) => {
    expect(await of({ method }, { message })).toBe(expected);
  });
  test('what is not a text is hashed as Ruby prints it, maps in the order of their names', async () => {
    const sha = (text: string) => createHash('sha1').update(text).digest('hex');
    expect(await of({ source: 'a' }, { a: { z: 1, b: ['x', null] } })).toBe(sha('{"b"=>["x", nil], "z"=>1}'));
    expect(await of({ source: 'a' }, { a: ['x', { d: 1, c: 2 }] })).toEqual([sha('x'), sha('{"c"=>2, "d"=>1}')]);
    expect(await of({ source: 'a' }, { a: null })).toBe(sha(''));
    const joined = await of({ concatenate_sources: true, source: ['b', 'a', 'none'] }, { a: ['x'], b: 1 });
    expect(joined).toBe(sha('|a|["x"]|b|1|none||'));
    const event = { '@timestamp': '2026-01-02T03:04:05.678Z', z: 'x', a: { c: 1, b: 2 } };
    const all = await of({ concatenate_all_fields: true }, event);
    expect(all).toBe(sha('|@timestamp|2026-01-02T03:04:05.678Z|@version|1|a|{"b"=>2, "c"=>1}|z|x|'));
  });
  test('PUNCTUATION keeps punctuation and symbols of every script', async () => {
    expect(await of({ method: 'PUNCTUATION' }, { message: 'Größe_1: «été» = 5€\u3000！' })).toBe('_:«»=€！');
    await expect(of({ method: 'PUNCTUATION' }, { message: 5 })).rejects.toThrow('no PUNCTUATION of [5]');
  });
  test('what is no address has no network: it is not passed on as it is', async () => {
    await expect(of({ method: 'IPV4_NETWORK', key: '24' }, { message: 'name' })).rejects.toThrow('no IPV4_NETWORK');
  });
  test('a source that is missing sets nothing, and the decorations are made', async () => {
    const options = { source: ['a'], add_tag: ['seen'] };
    expect((await runFilter(fingerprintFilter, options, { b: 1 })).event).toEqual({ b: 1, tags: ['seen'] });
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

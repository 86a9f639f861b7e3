import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cidrFilter } from './cidr/cidr.ts';
import { dnsFilter } from './dns/dns.ts';
import { runFilter } from './filter-outcome.test-support.ts';
import { fingerprintFilter } from './fingerprint/fingerprint.ts';
import { geoipFilter } from './geoip/geoip.ts';
import { tinyMmdb } from './geoip/tiny-mmdb.test-support.ts';
import { translateFilter } from './translate/translate.ts';
import { BUNDLED_RULES, readUserAgentRules } from './useragent/user-agent-parser.ts';
import { useragentFilter } from './useragent/useragent.ts';

type Fields = Record<string, unknown>;
const directory = mkdtempSync(join(tmpdir(), 'shoal-filters-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(directory, name), content);
  return join(directory, name);
};

describe('fingerprint', () => {
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

describe('translate', () => {
  const translate = async (options: Fields, fields: Fields) =>
    (await runFilter(translateFilter, { source: 's', target: 't', ...options }, fields)).event.t;
  test('keys, expressions, replacements, fallback', async () => {
    const dictionary = { '200': 'ok', '404': 'missing' };
    expect(await translate({ dictionary }, { s: 200 })).toBe('ok');
    expect(await translate({ dictionary, fallback: 'no %{s}' }, { s: '1' })).toBe('no 1');
    expect(await translate({ dictionary: { '^2': 'ok' }, regex: true }, { s: '204' })).toBe('ok');
    expect(await translate({ dictionary: { a: '1', b: '2' }, exact: false }, { s: 'abc' })).toBe('12c');
    expect(await translate({ dictionary }, { s: 200, t: 'kept' })).toBe('kept');
    expect(await translate({ dictionary }, { s: ['200', '404'] })).toEqual(['ok', 'missing']);
  });
  test.each([
    ['d.yml', 'a: one\nb:\n  c: 2\n'],
    ['d.json', '{"a":"one"}'],
    ['d.csv', 'a,one\nb,"t,wo"\n'],
  ])('reads %s', async (name, content) => {
    expect(await translate({ dictionary_path: file(name, content) }, { s: 'a' })).toBe('one');
  });
  test('items of an array', async () => {
    const options = { source: 'id', target: 'name', iterate_on: 'l', dictionary: { '1': 'one' } };
    expect((await runFilter(translateFilter, options, { l: [{ id: 1 }, { id: 2 }] })).event.l).toEqual([
      { id: 1, name: 'one' },
      { id: 2 },
    ]);
  });
  test('the default target depends on the names in use', async () => {
    const options = { source: 's', dictionary: { a: 'b' } };
    expect((await runFilter(translateFilter, options, { s: 'a' })).event).toEqual({ s: 'a', translation: 'b' });
    expect((await runFilter(translateFilter, options, { s: 'a' }, { ecs: 'v8' })).event).toEqual({ s: 'b' });
  });
});

describe('useragent', () => {
  test('comes with the expressions of uap-core as they are', () => {
    const path = createRequire(import.meta.url).resolve('uap-core/regexes.yaml');
    expect(BUNDLED_RULES).toEqual(readUserAgentRules(readFileSync(path, 'utf8')));
  });

  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0';
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.5 Mobile/15E148 Safari/604.1';
  test('names browser, system, and device', async () => {
    const { event } = await runFilter(useragentFilter, { source: 'a', target: 'ua' }, { a: FIREFOX });
    expect(event.ua).toMatchObject({ name: 'Firefox', major: '115', minor: '0', os: 'Linux', device: 'Other' });
    const phone = await runFilter(useragentFilter, { source: 'a', target: 'ua' }, { a: IPHONE });
    expect(phone.event.ua).toMatchObject({ name: 'Mobile Safari', os: 'iOS', os_major: '16', device: 'iPhone' });
  });
  test('into the root with a prefix, in names of ECS, and what is unknown', async () => {
    expect((await runFilter(useragentFilter, { source: 'a', prefix: 'x_' }, { a: '?' })).event).toMatchObject({
      x_name: 'Other',
      x_os: 'Other',
    });
    const ecs = await runFilter(useragentFilter, { source: 'a' }, { a: FIREFOX }, { ecs: 'v8' });
    expect(ecs.event.user_agent).toMatchObject({
      name: 'Firefox',
      version: '115.0',
      os: { name: 'Linux' },
      original: FIREFOX,
    });
    expect((await runFilter(useragentFilter, { source: 'a' }, {})).event).toEqual({});
  });
});

describe('geoip', () => {
  const record = {
    city: { names: { en: 'Kiel' } },
    country: { iso_code: 'DE', names: { en: 'Germany' } },
    location: { latitude: 54.3, longitude: 10.1, time_zone: 'Europe/Berlin' },
    subdivisions: [{ iso_code: 'SH', names: { en: 'Schleswig-Holstein' } }],
  };
  const database = file('tiny.mmdb', tinyMmdb([81, 2, 69, 0], 24, record));
  const geoip = (options: Fields, ip: string) => runFilter(geoipFilter, { source: 'ip', database, ...options }, { ip });
  test('places an address', async () => {
    expect((await geoip({}, '81.2.69.7')).event.geoip).toMatchObject({
      city_name: 'Kiel',
      country_code2: 'DE',
      location: { lat: 54.3, lon: 10.1 },
      region_code: 'SH',
      ip: '81.2.69.7',
    });
    expect((await geoip({ fields: ['city_name'] }, '81.2.69.7')).event.geoip).toEqual({ city_name: 'Kiel' });
  });
  test('in names of ECS below the part that the source is in', async () => {
    const options = { source: '[client][nat][ip]', database };
    const { event } = await runFilter(geoipFilter, options, { client: { nat: { ip: '81.2.69.7' } } }, { ecs: 'v8' });
    expect(event.client).toMatchObject({
      nat: { ip: '81.2.69.7', geo: { city_name: 'Kiel', region_iso_code: 'DE-SH' } },
    });
  });
  test('and where ECS has the addresses of senders', async () => {
    const options = { source: '[client][ip]', database };
    const { event } = await runFilter(geoipFilter, options, { client: { ip: '81.2.69.7' } }, { ecs: 'v8' });
    expect(event.client).toMatchObject({ ip: '81.2.69.7', geo: { city_name: 'Kiel', region_iso_code: 'DE-SH' } });
  });
  test.each(['10.0.0.1', 'no address', ''])('%j is tagged', async (ip) => {
    expect((await geoip({}, ip)).event).toEqual({ ip, tags: ['_geoip_lookup_failure'] });
  });
});

describe('cidr', () => {
  test.each([
    ['10.1.2.3', ['10.0.0.0/8'], 'matched'],
    ['11.1.2.3', ['10.0.0.0/8', '192.168.0.1'], 'unmatched'],
    ['::1', ['10.0.0.0/8', '::/64'], 'matched'],
    ['nonsense', ['0.0.0.0/0'], 'unmatched'],
  ])('%s in %j: %s', async (ip, network, expected) => {
    expect((await runFilter(cidrFilter, { address: ['%{ip}'], network }, { ip })).outcome).toBe(expected);
  });
  test('networks of a file', async () => {
    const options = { address: ['%{ip}'], network_path: file('nets', '10.0.0.0/8\n172.16.0.0/12\n') };
    expect((await runFilter(cidrFilter, options, { ip: '172.20.0.1' })).outcome).toBe('matched');
  });
});

describe('dns', () => {
  test('asks the server given, and hosts files first', async () => {
    const server = createSocket('udp4');
    server.on('message', (question, from) => server.send(answerOf(question), from.port, from.address));
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const options = { nameserver: [`127.0.0.1:${server.address().port}`], action: 'replace', timeout: 2 };
    expect((await runFilter(dnsFilter, { ...options, resolve: ['h'] }, { h: 'a.test' })).event).toEqual({
      h: '10.9.8.7',
    });
    server.close();
    const hostsfile = [file('hosts', '10.1.1.1 gate gate.test # c\n')];
    expect((await runFilter(dnsFilter, { hostsfile, reverse: ['h'] }, { h: '10.1.1.1' })).event).toEqual({
      h: ['10.1.1.1', 'gate'],
    });
  });
  test('a server that does not answer is tagged', async () => {
    const silent = createSocket('udp4');
    silent.bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const options = {
      nameserver: [`127.0.0.1:${silent.address().port}`],
      resolve: ['h'],
      timeout: 0.05,
      max_retries: 0,
    };
    expect((await runFilter(dnsFilter, options, { h: 'a.test' })).event.tags).toEqual(['_dnstimeout']);
    silent.close();
  });
});

/** The question with one A record behind it. */
function answerOf(question: Buffer): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 6);
  head.writeUInt16BE(0, 10);
  let end = 12;
  while ((head[end] ?? 0) !== 0) end += (head[end] ?? 0) + 1;
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 9, 8, 7]);
  return Buffer.concat([head.subarray(0, end + 5), record]);
}

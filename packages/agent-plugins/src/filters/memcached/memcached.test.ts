import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../../../test/support/free-port.test-support.ts';
import {
  eventOf,
  makeFilter,
  type OptionsLiteral,
} from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { plain, withClock } from '../filter-outcome.test-support.ts';
import { memcachedFilter } from './memcached.ts';
import { MemcachedConnection } from './memcached-connection.ts';
import { marshal, unmarshal } from './ruby-marshal.ts';
import { ServerRing } from './server-ring.ts';

const hasServer = spawnSync('memcached', ['-h']).status === 0;

describe.runIf(hasServer)('the memcached filter, with a memcached (where the Debian package is there)', () => {
  let server: ChildProcess;
  let port = 0;

  beforeAll(async () => {
    port = await freePort();
    server = spawn('memcached', ['-l', '127.0.0.1', '-p', String(port), '-u', 'nobody', '-U', '0'], {
      stdio: 'ignore',
    });
    for (;;) {
      const connection = new MemcachedConnection('127.0.0.1', port);
      const isUp = await connection.check().then(
        () => true,
        () => false,
      );
      connection.close();
      if (isUp) return;
    }
  });
  afterAll(() => void server.kill());

  function filter(options: OptionsLiteral, overrides = {}) {
    return makeFilter(memcachedFilter, { hosts: [`127.0.0.1:${port}`], ...options }, overrides);
  }

  test('what one filter sets another gets, in the kind it had', async () => {
    const writer = filter({ set: { '[a]': 'key of %{id}' }, namespace: 'n' });
    const reader = filter({ get: { 'key of %{id}': '[b][c]' }, namespace: 'n' });
    for (const a of ['text é', 5, 2 ** 40, -7, 1.5, true, [1, 'x', null], { deep: { n: 1 } }]) {
      const written = eventOf({ id: 'i d', a });
      expect((await writer.run(written)).outcome).toBe('matched');
      const read = eventOf({ id: 'i d' });
      expect((await reader.run(read)).outcome).toBe('matched');
      expect(plain(read).b).toEqual({ c: a });
    }
    await writer.filter.stop?.();
    await reader.filter.stop?.();
  });

  test('reads what other programs put there, and leaves the event alone when there is nothing', async () => {
    const connection = new MemcachedConnection('127.0.0.1', port);
    await connection.set('plain', { flags: 0, bytes: Buffer.from('raw text') }, 0);
    connection.close();
    const reader = filter({ get: { plain: 'p', missing: 'm' } });
    await reader.filter.start?.();
    const event = eventOf({});
    await reader.run(event);
    expect(plain(event)).toEqual({ p: 'raw text' });
    const none = filter({ get: { missing: 'm' } });
    expect((await none.run(eventOf({}))).outcome).toBe('unmatched');
    await reader.filter.stop?.();
    await none.filter.stop?.();
  });

  test('keys that are too long are shortened, the same for both directions', async () => {
    const both = filter({ set: { v: '%{k}' }, get: { '%{k}': 'r' } });
    const event = eventOf({ k: 'k'.repeat(400), v: 'x' });
    await both.run(event);
    expect(plain(event).r).toBe('x');
    await both.filter.stop?.();
  });

  test('answers are remembered for lru_cache_ttl', async () => {
    const clock = withClock();
    const reader = filter({ get: { cached: 'c' }, lru_cache_ttl: 10 }, { runtime: clock.runtime });
    const writer = filter({ set: { v: 'cached' } });
    const read = async (): Promise<unknown> => {
      const event = eventOf({});
      await reader.run(event);
      return plain(event).c;
    };
    await writer.run(eventOf({ v: 1 }));
    expect(await read()).toBe(1);
    await writer.run(eventOf({ v: 2 }));
    expect(await read()).toBe(1);
    clock.now = 10_001;
    expect(await read()).toBe(2);
    await reader.filter.stop?.();
    await writer.filter.stop?.();
  });
});

describe('the memcached filter', () => {
  test('tags events while the server is away, and does not start without it', async () => {
    const port = await freePort();
    const away = makeFilter(memcachedFilter, { hosts: `127.0.0.1:${port}`, get: { a: 'b' } });
    await expect(away.filter.start?.()).rejects.toThrow(`127.0.0.1:${port}`);
    const event = eventOf({});
    await away.run(event);
    expect(event.hasTag('_memcached_failure')).toBe(true);
  });

  test('refuses a negative ttl, no hosts and hosts that are none', () => {
    expect(() => makeFilter(memcachedFilter, { ttl: -1 })).toThrow("'ttl' option cannot be negative");
    expect(() => makeFilter(memcachedFilter, { hosts: [] })).toThrow("'hosts' cannot be empty");
    expect(() => makeFilter(memcachedFilter, { hosts: ['a:b:c'] })).toThrow('cannot read the host [a:b:c]');
  });
});

describe('values of Ruby', () => {
  test.each([
    ['040849220661063a064554', 'a'],
    ['0408690a', 5],
    ['04086902e803', 1000],
    ['040869fa', -1],
    ['04086c2b08000000000001', 1099511627776],
    ['04086608312e35', 1.5],
    ['04085b0830546906', [null, true, 1]],
    ['04087b0649220661063a0645546907', { a: 2 }],
  ])('%s', (hex, value) => {
    const read = unmarshal(Buffer.from(hex, 'hex'));
    expect(read instanceof Map ? Object.fromEntries(read) : read).toEqual(value);
  });

  test('are written as they are read', () => {
    expect(marshal('a').toString('hex')).toBe('040849220661063a064554');
    expect(marshal([1000, -129, null]).toString('hex')).toBe('04085b086902e80369ff7f30');
    for (const n of [0, 122, 123, -123, -124, 255, 65_536, -65_537, 2 ** 30 - 1, 2 ** 30, -(2 ** 31), 2 ** 53 - 1]) {
      expect(unmarshal(marshal(n))).toBe(n);
    }
  });

  test('that are cut off, or hold objects, are refused', () => {
    expect(() => unmarshal(Buffer.from('04085b09', 'hex'))).toThrow('it is cut off');
    expect(() => unmarshal(Buffer.from('04086f3a0846', 'hex'))).toThrow('an object of Ruby');
    expect(() => unmarshal(Buffer.from('plain'))).toThrow('its version');
  });
});

test('every key has a server, and a ring of one has but that', () => {
  const ring = new ServerRing(['a:11211', 'b:11211', 'c:11211']);
  const counts = [0, 0, 0];
  for (let i = 0; i < 3000; i++) counts[ring.serverOf(`key ${i}`)]! += 1;
  expect(Math.min(...counts)).toBeGreaterThan(600);
  expect(new ServerRing(['a:11211']).serverOf('x')).toBe(0);
});

import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventToJsonText } from '@shoal/agent-event';
import { describe, expect, test } from 'vitest';
import { makeCodec, temporaryFolder } from '../../plugin-instance.test-support.ts';

const part = (type: number, body: Uint8Array): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(body.length + 4, 2);
  return Buffer.concat([head, body]);
};
const text = (type: number, value: string) => part(type, Buffer.from(`${value}\0`));
const long = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt.asIntN(64, value));
  return bytes;
};
const double = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
const values = (...all: readonly (readonly [kind: number, value: Buffer])[]) =>
  part(
    6,
    Buffer.concat([
      Buffer.from([0, all.length]),
      Buffer.from(all.map(([kind]) => kind)),
      ...all.map(([, value]) => value),
    ]),
  );

const HEAD = [text(0, 'h'), part(8, long((1_700_000_000n << 30n) + (1n << 29n))), part(9, long(10n << 30n))];
const LOAD = [
  text(2, 'load'),
  text(3, ''),
  text(4, 'load'),
  text(5, ''),
  values([1, double(0.5)], [1, double(2)], [1, double(3)]),
];
const CPU = [text(2, 'cpu'), text(3, '0'), text(4, 'cpu'), text(5, 'idle'), values([2, long(-7n)])];

const decoded = (packet: readonly Buffer[] | Buffer, options = {}) =>
  makeCodec('collectd', options)
    .decoder()
    .decode(Array.isArray(packet) ? Buffer.concat(packet) : (packet as Buffer))
    .map((event) => JSON.parse(eventToJsonText(event)));
const only = (packet: readonly Buffer[]) => decoded([...HEAD, ...packet])[0];

describe('a packet', () => {
  test('is an event for each part of values, with what was said before them', () => {
    const common = { '@version': '1', '@timestamp': '2023-11-14T22:13:20.500Z', host: 'h' };
    expect(decoded([...HEAD, ...LOAD, ...CPU])).toEqual([
      { ...common, plugin: 'load', collectd_type: 'load', shortterm: 0.5, midterm: 2, longterm: 3 },
      { ...common, plugin: 'cpu', plugin_instance: '0', collectd_type: 'cpu', type_instance: 'idle', value: -7 },
    ]);
  });

  test('may hold a message with its severity', () => {
    expect(
      decoded([text(0, 'h'), part(1, long(17n)), part(257, long(2n)), text(256, 'hot'), text(256, 'cold')]),
    ).toEqual([
      { '@version': '1', '@timestamp': '1970-01-01T00:00:17.000Z', host: 'h', severity: 2, message: 'hot' },
      { '@version': '1', '@timestamp': '1970-01-01T00:00:17.000Z', host: 'h', message: 'cold' },
    ]);
  });

  test('has events for intervals when they are wanted', () => {
    expect(decoded([...HEAD, part(7, long(20n))], { prune_intervals: false })).toMatchObject([
      { host: 'h', interval: 10 },
      { host: 'h', interval: 20 },
    ]);
  });

  test('counts beyond what a double holds', () => {
    expect(
      eventToJsonText(
        makeCodec('collectd')
          .decoder()
          .decode(values([0, long(2n ** 64n - 1n)]))[0] as never,
      ),
    ).toContain('"value":18446744073709551615');
  });

  test.each([
    ['cut off', (whole: Buffer) => whole.subarray(0, -3)],
    [
      'with a part that is too long',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, -15), Buffer.from([0, 6, 255, 0])]),
    ],
    ['with a part that is too short', (whole: Buffer) => Buffer.concat([whole, Buffer.from([0, 6, 0, 3])])],
  ])('%s gives what stands before', (_how, broken) => {
    expect(decoded(broken(Buffer.concat([...HEAD, ...LOAD, ...CPU]))).length).toBeGreaterThanOrEqual(1);
  });

  test('survives any bytes', () => {
    for (let seed = 0; seed < 500; seed++) {
      const bytes = createHash('sha512').update(String(seed)).digest();
      bytes.writeUInt16BE(seed % 10, 0);
      bytes.writeUInt16BE(4 + (seed % 60), 2);
      expect(() => decoded(bytes)).not.toThrow();
    }
  });
});

describe('values', () => {
  test('are named by the files that are given', async () => {
    const path = join(await temporaryFolder(), 'types.db');
    writeFileSync(path, '# mine\nload   a:GAUGE:0:U, b:GAUGE:0:U c:GAUGE:0:U\n');
    expect(decoded([...HEAD, ...LOAD], { typesdb: [path] })[0]).toMatchObject({ a: 0.5, b: 2, c: 3 });
    expect(() => decoded([], { typesdb: '/no/such/file' })).toThrow('cannot be read');
  });

  test('that nothing names are left out', () => {
    expect(only([text(4, 'unheard'), values([1, double(1)], [1, double(2)])])).not.toHaveProperty('value');
  });

  const nan = [text(4, 'ping'), values([1, double(Number.NaN)]), values([1, double(4)])];
  test.each([
    [{}, [{ value: 0, tags: ['_collectdNaN'] }, { value: 4 }]],
    [{ nan_value: 1, nan_tag: 'x', nan_handling: 'warn' }, [{ value: 1, tags: ['x'] }, { value: 4 }]],
    [{ nan_handling: 'drop' }, [{ value: 4 }]],
  ])('that are no numbers, under %j', (options, events) => {
    expect(decoded(nan, options)).toMatchObject(events);
  });
});

describe('security', () => {
  const contents = Buffer.concat([...HEAD, ...CPU]);
  const signed = (password: string) => {
    const user = Buffer.from('ann');
    const signature = createHmac('sha256', password).update(user).update(contents).digest();
    return [part(512, Buffer.concat([signature, user])), contents];
  };
  const encrypted = (password: string) => {
    const iv = Buffer.alloc(16, 7);
    const cipher = createCipheriv('aes-256-ofb', createHash('sha256').update(password).digest(), iv);
    const checksum = createHash('sha1').update(contents).digest();
    const user = Buffer.from('\0\x03ann');
    return [part(528, Buffer.concat([user, iv, cipher.update(Buffer.concat([checksum, contents]))]))];
  };

  test.each([
    ['Sign', 'plain', 0],
    ['Sign', 'signed', 1],
    ['Sign', 'encrypted', 1],
    ['Encrypt', 'plain', 0],
    ['Encrypt', 'signed', 0],
    ['Encrypt', 'encrypted', 1],
  ])('level %s, packet %s: %i events', async (security_level, kind, count) => {
    const authfile = join(await temporaryFolder(), 'passwd');
    writeFileSync(authfile, 'bob: x\nann: secret\n');
    const packet = (password: string) =>
      kind === 'plain' ? [contents] : kind === 'signed' ? signed(password) : encrypted(password);
    expect(decoded(packet('secret'), { security_level, authfile })).toHaveLength(count);
    expect(decoded(packet('wrong'), { security_level, authfile })).toHaveLength(0);
  });

  test('none takes signed packets without looking, and cannot read encrypted ones', () => {
    expect([decoded(signed('any')).length, decoded(encrypted('any')).length]).toEqual([1, 0]);
    expect(() => decoded([], { security_level: 'Sign' })).toThrow('needs an [authfile]');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulateOne } from '../../simulate.test-support.ts';

function fingerprint(source: object, options: object): string {
  const result = simulateOne('fingerprint', options, source);
  return result.startsWith('{') ? JSON.parse(result).fingerprint : result;
}

describe('fingerprint', () => {
  const fooBar = { foo: 'foo', bar: 'bar' };

  test.each([
    ['MD5', 'b+3QyaPYdnUF1lb5IKE+1g=='],
    ['SHA-1', 'SX/93t223OurJvgMUOCtSl9hcpg='],
    ['SHA-256', 'zDQYTy34tBlmNedlDdn++N7NN+wBY15mCoPDINmUxXc='],
    ['SHA-512', 'xNIpYyJzRmg5R0T44ZORC2tgh8N4tVtTFzD5AdBqxmdOuRUjibQQ64lgefkbuZFl8Hv9ze9U6PAmrlgJPcRPGA=='],
    ['MurmurHash3', 'yjfaOoy2UQ3EHZRAzFK9sw=='],
  ])('by %s is that of Elasticsearch', (method, expected) => {
    expect(fingerprint(fooBar, { fields: ['foo', 'bar'], method })).toBe(expected);
  });

  test('takes the fields that there are, behind a salt', () => {
    expect(fingerprint({ foo: 'foo' }, { fields: ['foo', 'bar'], ignore_missing: true })).toBe(
      'WoyqQDn9vALAGmScjA9Z2yg7sos=',
    );
    expect(fingerprint({ foo: 'foo' }, { fields: ['foo'], salt: 'salt' })).toBe('rWTTCYvRPQAzKXydmKwyC+//dmM=');
    expect(fingerprint({}, { fields: ['foo'], ignore_missing: true })).toBeUndefined();
    expect(fingerprint({ foo: null }, { fields: ['foo'] })).toBe('missing field [foo] when calculating fingerprint');
  });

  test('does not depend on the order of fields and members, but on kinds of values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.jsonValue()), (source) => {
        const turned = Object.fromEntries(Object.entries(source).reverse());
        const options = { fields: ['o'] };
        expect(fingerprint({ o: turned }, options)).toBe(fingerprint({ o: source }, options));
      }),
    );
    const kinds = [1, '1', true, 1.5, 5_000_000_000].map((a) => fingerprint({ a }, { fields: ['a'] }));
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  test('needs fields and a hash that there is', () => {
    expect(() => fingerprint({}, { fields: [] })).toThrow('[fields] must specify at least one field');
    expect(() => fingerprint({}, { fields: ['a'], method: 'SHA-3' })).toThrow(
      '[method] [SHA-3] must be one of the supported hash methods [MD5,SHA-1,SHA-256,SHA-512,MurmurHash3]',
    );
  });
});

describe('registered_domain', () => {
  const parts = (host: string | null, options: object = {}): unknown => {
    const result = simulateOne('registered_domain', { field: 'host', target_field: 'url', ...options }, { host });
    return result.startsWith('{') ? JSON.parse(result).url : result;
  };

  test.each([
    ['www.example.co.uk', 'example.co.uk', 'co.uk', 'www'],
    ['a.b.google.com', 'google.com', 'com', 'a.b'],
    ['google.com', 'google.com', 'com', undefined],
    ['x.y.github.io', 'y.github.io', 'github.io', 'x'],
    ['www.city.kawasaki.jp', 'city.kawasaki.jp', 'kawasaki.jp', 'www'],
    ['食狮.公司.cn', '食狮.公司.cn', '公司.cn', undefined],
    ['WWW.Example.COM', 'example.com', 'com', undefined],
    ['co.uk', undefined, 'co.uk', undefined],
  ])('of %s is %s below %s', (domain, registered_domain, top_level_domain, subdomain) => {
    const found = parts(domain);
    expect(found).toEqual(JSON.parse(JSON.stringify({ domain, registered_domain, top_level_domain, subdomain })));
  });

  test.each([['localhost'], ['a.b.nowhere'], ['192.168.0.1'], [''], [null]])('is unknown of %s', (host) => {
    expect(parts(host)).toBeUndefined();
    expect(parts(host, { ignore_missing: false })).toBe('unable to set domain information for document');
  });

  test('stands at the top of the document without a target', () => {
    const result = simulateOne('registered_domain', { field: 'h' }, { h: 'a.example.com' });
    expect(JSON.parse(result)).toMatchObject({ domain: 'a.example.com', registered_domain: 'example.com' });
  });
});

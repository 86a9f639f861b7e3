import { describe, expect, test } from 'vitest';
import { parseHosts } from './hosts-file.ts';
import { parseNameServers, parseResolvConf, searchCandidates } from './name-servers.ts';

describe('the nameserver option', () => {
  test('is an address, a list, or a hash with search domains', () => {
    expect(parseNameServers('10.0.0.1')).toEqual({ addresses: ['10.0.0.1'], search: [], ndots: 1 });
    expect(parseNameServers(['10.0.0.1', '::1']).addresses).toEqual(['10.0.0.1', '::1']);
    const hash = new Map<string, unknown>([
      ['address', '10.0.0.1'],
      ['search', ['a.test', 'b.test']],
      ['ndots', 2],
    ]);
    expect(parseNameServers(hash)).toEqual({ addresses: ['10.0.0.1'], search: ['a.test', 'b.test'], ndots: 2 });
  });
  test.each([
    [{ search: 'a' }, 'names no address'],
    [{ address: [] }, 'names no address'],
    [{ address: 'x', port: 1 }, 'has no [port]'],
    [{ address: 'x', ndots: 0 }, 'ndots'],
    [{ address: 'x', ndots: 'two' }, 'ndots'],
    [{ address: 'x', search: ['1', '2', '3', '4', '5', '6', '7'] }, 'takes 6 search domains, not 7'],
  ])('is refused as %o', (hash, text) => {
    expect(() => parseNameServers(new Map(Object.entries(hash)))).toThrow(text);
  });
});

describe('search domains', () => {
  const rules = { search: ['a.test', 'b'], ndots: 2 };
  test.each([
    ['x.y', ['x.y.a.test', 'x.y.b', 'x.y']],
    ['x.y.z', ['x.y.z', 'x.y.z.a.test', 'x.y.z.b']],
    ['x.', ['x']],
  ])('complete %s', (name, candidates) => {
    expect(searchCandidates(name, rules)).toEqual(candidates);
  });
  test('are those of resolv.conf, or the domain of the host', () => {
    const text =
      'nameserver 10.0.0.1\ndomain old.test\nsearch a.test b.test # c\n;options ndots:9\noptions edns0 ndots:3\n';
    expect(parseResolvConf(text, 'h.own.test')).toEqual({ search: ['a.test', 'b.test'], ndots: 3 });
    expect(parseResolvConf('domain d.test', 'h.own.test')).toEqual({ search: ['d.test'], ndots: 1 });
    expect(parseResolvConf('', 'h.own.test').search).toEqual(['own.test']);
    expect(parseResolvConf('', 'h').search).toEqual([]);
  });
});

test('a hosts file gives the first name of an address and the last address of a name', () => {
  const { addressOf, nameOf } = parseHosts('10.0.0.1 gate alias\n10.0.0.2\tgate # other\n10.0.0.1 second\nno line\n');
  expect([addressOf.get('gate'), addressOf.get('second'), addressOf.get('other')]).toEqual([
    '10.0.0.2',
    '10.0.0.1',
    undefined,
  ]);
  expect(nameOf.get('10.0.0.1')).toBe('gate');
});

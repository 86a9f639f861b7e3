import { describe, expect, test } from 'vitest';
import { HostRule, readAllowedHosts } from './host-rule.ts';

const rule = new HostRule(['node1.prod.example.com', '0.0.0.0'], ['es.example.org', '*.lan.example.net']);

describe('a host is admitted', () => {
  test.each([
    ['loopback', '127.0.0.1:9200'],
    ['an address that a port is published at', '192.168.7.5:9200'],
    ['an address of IPv6', '[::1]:9200'],
    ['an address without a port', '[fe80::1%eth0]'],
    ['localhost', 'localhost:9200'],
    ['localhost in capitals', 'LOCALHOST'],
    ['a name below localhost', 'es.localhost:9200'],
    ['a service of docker compose', 'es01:9200'],
    ['a container of older compose files', 'shop_es01_1:9200'],
    ['the host as containers see it', 'host.docker.internal:9200'],
    ['a machine of this link', 'printer.local'],
    ['a service of Kubernetes', 'es.default.svc.cluster.local:9200'],
    ['a name of this node', 'node1.prod.example.com:9200'],
    ['a fully qualified name', 'node1.prod.example.com.:9200'],
    ['a name of the setting', 'ES.example.org'],
    ['a name below a domain of the setting', 'a.b.lan.example.net:9200'],
  ])('that is %s', (_what, host) => expect(rule.admits(host)).toBe(true));
});

describe('a host is refused', () => {
  test.each([
    ['a name that a page may have rebound', 'evil.example.com:9200'],
    ['a name that ends like one of ours', 'evil-node1.prod.example.com'],
    ['the domain of an entry for names below it', 'lan.example.net'],
    ['a name that begins with an address', '127.0.0.1.evil.com'],
    ['a name that ends in localhost without a dot', 'evil.notlocalhost'],
    ['a name with a user before it', 'localhost@evil.com'],
    ['a port that is none', 'localhost:99999'],
    ['a path', 'localhost/evil'],
    ['an endless name', `${'a'.repeat(300)}`],
    ['blanks', 'local host'],
  ])('that is %s', (_what, host) => expect(rule.admits(host)).toBe(false));

  test('however many distinct ones were asked for before', () => {
    for (let i = 0; i < 200; i++) expect(rule.admits(`evil${i}.example.com`)).toBe(false);
    expect(rule.admits('localhost')).toBe(true);
  });
});

test('an entry of the setting is a name, or a star and a name', () => {
  const names = ['es', 'es.example.com', '*.example.com'];
  expect(readAllowedHosts(names, 'hosts')).toEqual({ isAny: false, names });
  expect(readAllowedHosts([...names, '*'], 'hosts')).toEqual({ isAny: true, names });
  for (const entry of ['es:9200', 'http://es', 'es.*', '*es.com', '', 'a b']) {
    expect(() => readAllowedHosts(['es', entry], 'hosts')).toThrow(
      `Failed to parse value [${entry}] for setting [hosts]`,
    );
  }
});

import { describe, expect, test } from 'vitest';
import { simulateOne } from '../../simulate.test-support.ts';

function made(type: string, options: object, source: object, path: readonly string[]): unknown {
  const result = simulateOne(type, options, source);
  return result.startsWith('{') ? path.reduce((found, name) => found?.[name], JSON.parse(result)) : result;
}

describe('community_id', () => {
  const flow = (ip: string, port: number, toIp: string, toPort: number, more: object) => ({
    source: { ip, port },
    destination: { ip: toIp, port: toPort },
    ...more,
  });
  const id = (source: object, options: object = {}) =>
    made('community_id', options, source, ['network', 'community_id']);
  const tcp = { network: { transport: 'TCP' } };
  const expected = '1:LQU9qZlK+B5F3KDmev6m5PMibrg=';

  test('is the same in both directions', () => {
    expect(id(flow('128.232.110.120', 34855, '66.35.250.204', 80, tcp))).toBe(expected);
    expect(id(flow('66.35.250.204', 80, '128.232.110.120', 34855, { network: { iana_number: 6 } }))).toBe(expected);
    const seeded = id(flow('128.232.110.120', 34855, '66.35.250.204', 80, tcp), { seed: 123 });
    expect(seeded).not.toBe(expected);
  });

  test('of a question by ICMP is that of its answer', () => {
    const icmp = (type: number) => ({ network: { transport: 'icmp' }, icmp: { type, code: 0 } });
    const asked = id(flow('192.168.0.89', 0, '192.168.0.1', 0, icmp(8)));
    expect(asked).toBe(id(flow('192.168.0.1', 0, '192.168.0.89', 0, icmp(0))));
    expect(asked).toBe('1:X0snYXpgwiv9TZtqg64sgzUn6Dk=');
  });

  test('needs a whole flow, and real parts of one', () => {
    expect(id({})).toBeUndefined();
    expect(id({}, { ignore_missing: false })).toBe('unable to construct flow from document');
    expect(id(flow('x', 1, '1.2.3.4', 1, tcp))).toBe("'x' is not an IP string literal.");
    expect(id(flow('1.2.3.4', 70000, '1.2.3.4', 1, tcp))).toBe('invalid source port [70000]');
    expect(() => id({}, { seed: -1 })).toThrow('[seed] must be a value between 0 and 65535');
  });
});

describe('network_direction', () => {
  const direction = (from: string, to: string, options: object) =>
    made('network_direction', options, { source: { ip: from }, destination: { ip: to }, nets: ['private'] }, [
      'network',
      'direction',
    ]);

  test.each([
    ['192.168.1.1', '192.168.1.2', 'internal'],
    ['192.168.1.1', '8.8.8.8', 'outbound'],
    ['8.8.8.8', '10.0.0.1', 'inbound'],
    ['8.8.8.8', '1.1.1.1', 'external'],
    ['fd12:3456:789a:1::1', '2606:4700::1', 'outbound'],
  ])('%s to %s is %s', (from, to, result) => {
    expect(direction(from, to, { internal_networks: ['private'] })).toBe(result);
    expect(direction(from, to, { internal_networks_field: 'nets' })).toBe(result);
  });

  test('knows networks by their range', () => {
    expect(direction('8.8.8.8', '8.8.9.9', { internal_networks: ['8.8.0.0/16'] })).toBe('internal');
    expect(direction('8.8.8.8', '8.8.9.9', { internal_networks: ['nope'] })).toBe(
      "'nope' is not an IP string literal.",
    );
    expect(() => direction('8.8.8.8', '8.8.9.9', {})).toThrow(
      '[internal_networks] or [internal_networks_field] must be specified',
    );
  });
});

describe('uri_parts', () => {
  test.each([
    [
      'http://me:secret@www.x.org:80/a/b.gif?q=1#top',
      {
        domain: 'www.x.org',
        fragment: 'top',
        path: '/a/b.gif',
        port: 80,
        query: 'q=1',
        scheme: 'http',
        user_info: 'me:secret',
        username: 'me',
        password: 'secret',
        extension: 'gif',
      },
    ],
    ['https://x.org', { domain: 'x.org', path: '', scheme: 'https' }],
    ['urn:isbn:1', { path: 'isbn:1', scheme: 'urn' }],
  ])('%s', (text, parts) => {
    expect(made('uri_parts', { field: 'u', keep_original: false }, { u: text }, ['url'])).toEqual(parts);
  });

  test('keeps the whole address, and removes the field, when asked', () => {
    const result = simulateOne('uri_parts', { field: 'u', remove_if_successful: true }, { u: 'http://x/' });
    expect(JSON.parse(result)).toEqual({ url: { domain: 'x', path: '/', scheme: 'http', original: 'http://x/' } });
    expect(simulateOne('uri_parts', { field: 'u' }, { u: 'a b' })).toBe('unable to parse URI [a b]');
  });
});

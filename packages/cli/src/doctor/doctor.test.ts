import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { judgePort } from './diagnosis.ts';
import { probePort } from './port-probe.ts';

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server = null;
});

async function portThatSays(text: string): Promise<number> {
  const listening = createServer((socket) => socket.on('error', () => {}).end(text));
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', () => resolve()));
  return (listening.address() as AddressInfo).port;
}

async function verdictOn(role: 'http' | 'transport', text: string): Promise<string> {
  const verdict = judgePort(role, 'h:1', await probePort('127.0.0.1', await portThatSays(text)));
  return `${verdict.isGood} ${verdict.text}`;
}

const SHOAL_BODY = '{"cluster_name":"c","cluster_uuid":"u","shoal":{"version":"0.1.0"}}';

describe('the doctor says of a port', () => {
  test('nothing listens', async () => {
    const port = await portThatSays('');
    await new Promise<void>((resolve) => server?.close(() => resolve()));
    expect(judgePort('transport', 'h:1', await probePort('127.0.0.1', port)).text).toBe(
      'h:1: refused, nothing listens there',
    );
  });

  test('the host is not known', async () => {
    expect((await probePort('no-such-host.invalid', 9300)).kind).toBe('unresolved');
  });

  test.each([
    ['transport', 'HTTP/1.1 200 OK\r\n\r\n{}', 'false h:1: HTTP answers on the transport port'],
    ['http', 'This is not an HTTP port', 'false h:1: this is a transport port, not HTTP'],
    ['transport', 'SSH-2.0-x\r\n', 'false h:1: something listens that is not a Shoal port (it said "SSH-2.0-x\\r\\n")'],
    ['transport', 'This is not an HTTP port', 'true h:1: a Shoal transport port'],
    ['http', 'HTTP/1.1 200 OK\r\n\r\n{}', 'false h:1: HTTP, but not a Shoal node'],
    ['http', `HTTP/1.1 200 OK\r\n\r\n${SHOAL_BODY}`, 'true h:1: Shoal 0.1.0, cluster c'],
    [
      'http',
      `HTTP/1.1 200 OK\r\n\r\n${SHOAL_BODY.replace('"u"', '"_na_"')}`,
      'false h:1: Shoal 0.1.0, cluster c, which has not formed yet',
    ],
  ] as const)('asked as %s, %j', async (role, answer, expected) => {
    expect(await verdictOn(role, answer)).toBe(expected);
  });

  test('every bad verdict says what to change', () => {
    for (const kind of ['unresolved', 'refused', 'filtered', 'transport'] as const) {
      expect(judgePort('http', 'h:1', { kind }).advice).not.toBeNull();
    }
  });
});

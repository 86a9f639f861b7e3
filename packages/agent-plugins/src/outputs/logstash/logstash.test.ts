import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeOutput, testContext } from '../../plugin-instance.test-support.ts';
import { event, listen, start } from '../output-under-test.test-support.ts';
import { logstashOutput } from './logstash.ts';

const clear = { ssl_enabled: false };

async function server(...statuses: number[]) {
  const seen: { readonly headers: unknown; readonly lines: readonly unknown[] }[] = [];
  const port = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const lines = gunzipSync(Buffer.concat(chunks)).toString('utf8').trimEnd().split('\n');
        seen.push({ headers: request.headers, lines: lines.map((line) => JSON.parse(line)) });
        response.writeHead(statuses.shift() ?? 200, { connection: 'close' }).end();
      });
    }),
  );
  return { seen, host: `127.0.0.1:${port}` };
}

describe('the logstash output', () => {
  test('sends a batch as packed lines of JSON, with credentials', async () => {
    const { seen, host } = await server();
    const { output } = await start(logstashOutput, { hosts: host, ...clear, username: 'u', password: 'p' });
    await output.receive([event({ n: 1 }), event({ n: 2, '@metadata': { m: 1 } })]);
    await output.receive([]);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.lines).toMatchObject([{ n: 1 }, { n: 2 }]);
    expect(seen[0]?.lines[1]).not.toHaveProperty('@metadata');
    expect(seen[0]?.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      authorization: `Basic ${Buffer.from('u:p').toString('base64')}`,
    });
  });

  test('takes hosts in turn, and sends again what one did not take', async () => {
    const [first, second] = [await server(503), await server()];
    const { output, context } = await start(logstashOutput, { hosts: [first.host, second.host], ...clear });
    for (const n of [1, 2]) await output.receive([event({ n })]);
    expect([first.seen.length, second.seen.length, context.counts.get('retries')]).toEqual([1, 2, 1]);
  });

  test('drops and counts what is refused for what it is', async () => {
    const { seen, host } = await server(400);
    const { output, context } = await start(logstashOutput, { hosts: host, ...clear });
    await output.receive([event({}), event({})]);
    expect([seen.length, context.counts.get('failures')]).toEqual([1, 2]);
  });

  test('gives a batch back when it is stopped before a host is there', async () => {
    const gone = await listen(createServer());
    const { output } = await start(logstashOutput, { hosts: `127.0.0.1:${gone + 1}`, ...clear });
    const delivery = output.receive([event({})]);
    await output.stop?.();
    await expect(delivery).rejects.toThrow('not delivered');
  });

  test.each([
    [{ hosts: 'http://a:1' }, 'wants a host, or host:port'],
    [{ hosts: 'a', ...clear, ssl_verification_mode: 'none' }, 'cannot be given with [ssl_enabled => false]'],
    [{ hosts: 'a', username: 'u' }, 'needs a [password]'],
    [{ hosts: 'a', username: 'u', user: 'u', password: 'p' }, 'are the same'],
  ])('refuses %j', (options, message) => {
    expect(() => makeOutput(logstashOutput, options, testContext())).toThrow(message);
  });
});

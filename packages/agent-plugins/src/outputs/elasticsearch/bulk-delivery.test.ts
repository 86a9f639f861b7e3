import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventFromJson } from '@shoal/agent-event';
import { afterEach, expect, test } from 'vitest';
import { ElasticsearchHosts } from '../../elasticsearch-client/elasticsearch-hosts.ts';
import { makeOptions, testContext } from '../../plugin-instance.test-support.ts';
import type { BulkItem } from './bulk-action.ts';
import { BulkDelivery } from './bulk-delivery.ts';
import { elasticsearchOutput } from './elasticsearch.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A delivery whose pauses are written down instead of waited for. `onPause` may change the world meanwhile. */
function delivery(url: string, onPause: (count: number) => void | Promise<void> = () => {}) {
  const context = testContext();
  const options = makeOptions(elasticsearchOutput, { hosts: url }, context);
  const clock = context.runtime.clock;
  const hosts = new ElasticsearchHosts(options, {
    clock,
    path: '',
    resurrectDelayMs: 0,
    connectionsMax: 2,
    idleMs: 1000,
  });
  closing.push(() => hosts.close());
  const pauses: number[] = [];
  const settings = {
    path: '/_bulk',
    timeoutMs: 1_000,
    retryFirstMs: 2_000,
    retryMaxMs: 64_000,
    compressionLevel: 0,
    deadLetterCodes: new Set<number>(),
    silentErrors: new Set<string>(),
    droppedErrors: new Set<string>(),
  };
  const control = {
    isStopped: false,
    pause: async (ms: number) => {
      pauses.push(ms);
      await onPause(pauses.length);
    },
    onStop: () => () => {},
  };
  const made = new BulkDelivery(hosts, settings, context, control);
  return { made, pauses, context };
}

const item: BulkItem = {
  event: eventFromJson({}),
  action: 'index',
  index: 'i',
  head: '{"index":{}}\n',
  document: '{}',
};

/** Statuses of the one item of each request, in turn; numbers below 0 are those of whole requests. */
async function server(port: number, statuses: number[]): Promise<number> {
  const made = createServer((request, response) => {
    request.resume().on('end', () => {
      const status = statuses.shift() ?? 201;
      response.statusCode = status < 0 ? -status : 200;
      response.end(JSON.stringify({ errors: status >= 300, items: [{ index: { status, error: { type: 't' } } }] }));
    });
  });
  await new Promise<void>((resolve) => made.listen(port, '127.0.0.1', resolve));
  closing.push(() => made.close());
  return (made.address() as AddressInfo).port;
}

test('the pauses double up to the longest, whatever the reason', async () => {
  const port = await server(0, [429, 503, 500, -429, -503, -502, -401, 429]);
  const { made, pauses, context } = delivery(`http://127.0.0.1:${port}`);
  await made.deliver([item]);
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 64_000, 64_000]);
  expect(context.counts.get('documents.successes')).toBe(1);
  expect(context.deadLettered).toEqual([]);
});

test('a cluster that is not there is waited for', async () => {
  const port = await server(0, []);
  closing.splice(0)[0]?.();
  const { made, pauses, context } = delivery(`http://127.0.0.1:${port}`, async (count) => {
    if (count === 3) await server(port, []);
  });
  await made.deliver([item]);
  expect(pauses).toEqual([2_000, 4_000, 8_000]);
  expect(context.counts.get('bulk_requests.failures')).toBe(3);
});

test('what failed of many is sent again byte by byte, and the next batch has the memory', async () => {
  const bodies: string[] = [];
  const made = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      // Every third of the first request has no room.
      const items = Array.from({ length: body.split('\n').length >> 1 }, (_, i) => ({
        index: { status: bodies.length === 0 && i % 3 === 0 ? 429 : 201 },
      }));
      bodies.push(body);
      response.end(JSON.stringify({ errors: bodies.length === 1, items }));
    });
  });
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  closing.push(() => made.close());
  const { made: own, context } = delivery(`http://127.0.0.1:${(made.address() as AddressInfo).port}`);
  const batch = (name: string): BulkItem[] =>
    Array.from({ length: 20 }, (_, i) => ({ ...item, document: `{"${name}":${i}}` }));
  const texts = (items: readonly BulkItem[]): string => items.map((one) => `${one.head}${one.document}\n`).join('');
  const [first, second, third] = [batch('first'), batch('ä'), batch('third')];
  for (const items of [first, second, third]) await own.deliver(items);
  const again = first.filter((_, i) => i % 3 === 0);
  expect(bodies).toEqual([first, again, second, third].map(texts));
  expect(context.counts.get('documents.successes')).toBe(60);
});

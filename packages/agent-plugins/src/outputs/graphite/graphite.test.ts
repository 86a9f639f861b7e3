import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { event, listen, type RunningOutput, start } from '../output-under-test.test-support.ts';
import { graphiteOutput } from './graphite.ts';

const AT = '2026-01-02T03:04:05.678Z';

/** Lines that a Carbon server got after the output was stopped. */
async function sent(options: Record<string, unknown>, fields: Record<string, unknown>): Promise<string[]> {
  const chunks: Buffer[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const server = createServer((socket) => void socket.on('data', (chunk) => chunks.push(chunk)).on('end', end));
  const { output } = await start(graphiteOutput, { host: '127.0.0.1', port: await listen(server), ...options });
  await output.receive([event({ '@timestamp': AT, ...fields })]);
  await output.stop?.();
  await ended;
  return Buffer.concat(chunks).toString('utf8').split('\n').slice(0, -1);
}

test.each([
  [{ metrics: { 'hurray.%{foo}': '%{bar}' } }, ['hurray.fancy 42.0 1767323045']],
  [{ fields_are_metrics: true, include_metrics: ['bar'], metrics_format: '%{foo}.*' }, ['fancy.bar 42.0 1767323045']],
  [{ fields_are_metrics: true, include_metrics: ['bar'], metrics_format: 'no star' }, ['bar 42.0 1767323045']],
  [{ metrics: { bar: '1' }, timestamp_field: 'when' }, ['bar 1.0 77']],
  [
    { fields_are_metrics: true, include_metrics: ['nest'], nested_object_separator: '/' },
    ['nest/a 1 1767323045', 'nest/b/c 2.5 1767323045'],
  ],
])('%j', async (options, lines) => {
  expect(await sent(options, { foo: 'fancy', bar: 42, when: 77, nest: { a: 1, b: { c: 2.5, d: [1] } } })).toEqual(
    lines,
  );
});

/** An output whose server ends the first connection at once. */
async function brokenOnce(options: Record<string, unknown>): Promise<RunningOutput & { text: () => string }> {
  const sockets: Socket[] = [];
  let text = '';
  const server = createServer((socket) => {
    sockets.push(socket);
    if (sockets.length === 1) socket.resetAndDestroy();
    else socket.on('data', (chunk) => (text += chunk.toString('utf8')));
  });
  const at = { host: '127.0.0.1', port: await listen(server), reconnect_interval: 0, metrics: { m: '1' } };
  return { ...(await start(graphiteOutput, { ...at, ...options })), text: () => text };
}

test('after a connection broke the next events go through another one', async () => {
  const { output, text } = await brokenOnce({ resend_on_failure: true });
  while (text() === '') {
    await output.receive([event({ '@timestamp': AT })]);
    await new Promise(setImmediate);
  }
  expect(text()).toMatch(/^m 1\.0 1767323045\n/);
});

test('gives back what it cannot deliver when it is stopped', async () => {
  const { output } = await start(graphiteOutput, { host: '127.0.0.1', port: 1, metrics: { m: '1' } });
  const received = output.receive([event({ '@timestamp': AT })]);
  await output.stop?.();
  await expect(received).rejects.toThrow();
});

/**
 * A cluster that answers what a test says, and outputs to it.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { eventFromJson, type LogEvent } from '@shoal/agent-event';
import type { Output } from '@shoal/agent-plugin-kit';
import { afterEach } from 'vitest';
import { makeOutput, type OptionsLiteral, type TestContext, testContext } from '../../plugin-instance.test-support.ts';
import { elasticsearchOutput } from './elasticsearch.ts';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}
export type Reply = { status: number; items?: readonly number[]; body?: string };

const servers: Server[] = [];
const outputs: Output[] = [];
afterEach(async () => {
  for (const output of outputs.splice(0)) await output.stop?.();
  for (const server of servers.splice(0)) server.close();
});

/** Where bulk requests go without an option that says otherwise. */
export const BULK = '/_bulk?filter_path=errors,items.*.error,items.*.status';
export const LIFECYCLES = { '/_xpack': { features: { ilm: { available: true, enabled: true } } } };

/** Answers one reply after the other; without more every item is created. */
export const cluster = (...replies: Reply[]): Promise<{ url: string; seen: Seen[] }> => clusterWith({}, ...replies);

/** The same, with answers of its own to questions about the cluster, which are not counted. */
export async function clusterWith(
  about: Record<string, unknown>,
  ...replies: Reply[]
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const url = await handled((request, response) => {
    if (request.url === '/' || request.url === '/_xpack') {
      const known = about[request.url];
      response.statusCode = known === undefined ? 404 : 200;
      response.end(JSON.stringify(known ?? {}));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const whole = Buffer.concat(chunks);
      const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole).toString('utf8');
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      const actions = body.split('\n').filter((line) => /^\{"(index|create|update|delete)":/.test(line));
      const reply = replies.shift() ?? { status: 200 };
      const items = (reply.items ?? actions.map(() => 201)).map((status) => ({
        index: { status, ...(status >= 300 ? { error: { type: 'some_exception', reason: 'why' } } : {}) },
      }));
      response.statusCode = reply.status;
      response.end(reply.body ?? JSON.stringify({ errors: items.some((item) => item.index.status >= 300), items }));
    });
  });
  return { url, seen };
}

export async function handled(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function output(
  url: string | readonly string[],
  options: OptionsLiteral = {},
  context: TestContext = testContext(),
): { readonly made: Output; readonly context: TestContext } {
  const usual = { hosts: url, retry_initial_interval: 0.005, manage_template: 'template' in options };
  const made = makeOutput(elasticsearchOutput, { ...usual, ...options }, context);
  outputs.push(made);
  return { made, context };
}
export const event = (fields: OptionsLiteral): LogEvent =>
  eventFromJson({ '@timestamp': '2026-01-02T03:04:05Z', ...fields });
export const lines = (body: string): Record<string, Record<string, unknown>>[] =>
  body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

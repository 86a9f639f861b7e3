/**
 * A node's HTTP interface without a socket, for tests: requests in, statuses and bodies out.
 */

import { type CoordinatorSettings, createCoordinatorContext } from '@shoal/coordinator';
import { CancelSource } from '@shoal/core';
import { answerRequest, type HttpHandler } from '@shoal/http';
import { createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import type { StateParts } from '../../coordinator/src/coordinator.test-support.ts';
import { FakeCluster } from './fake-cluster.test-support.ts';
import { createRestHandler } from './rest-routes.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  readonly json: any;
}

export interface TestNode {
  readonly cluster: FakeCluster;
  readonly handler: HttpHandler;
  readonly runtime: Runtime;
  ask(method: string, target: string, body?: string | Uint8Array | object, signal?: CancelSource): Promise<Answer>;
  /** The same node for a client that sends these headers with every request. */
  withHeaders(headers: Readonly<Record<string, string>>): Pick<TestNode, 'ask'>;
}

export function testNode(
  parts: StateParts,
  settings: Partial<CoordinatorSettings> = {},
  runtime: Runtime = createNodeRuntime({ log: createSilentLog() }),
): TestNode {
  const cluster = new FakeCluster(runtime, parts);
  const context = createCoordinatorContext(runtime, cluster, settings);
  const handler = createRestHandler(context, {
    onAssertionFailure: (error) => {
      throw error;
    },
  });
  const asking =
    (common: Readonly<Record<string, string>>): TestNode['ask'] =>
    async (method, target, body, signal = new CancelSource()) => {
      const isLines = typeof body === 'string' && body.includes('\n');
      const response = await answerRequest(handler, {
        method,
        target,
        headers: {
          ...common,
          ...(body !== undefined && { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' }),
        },
        remoteAddress: '127.0.0.1',
        readBody: async () => bytesOf(body),
        signal,
      });
      const text = new TextDecoder().decode(response.body);
      const headers = Object.fromEntries(response.headers.map(([name, value]) => [name.toLowerCase(), value]));
      return { status: response.status, headers, text, json: /^[[{]/.test(text) ? JSON.parse(text) : null };
    };
  return { cluster, handler, runtime, ask: asking({}), withHeaders: (headers) => ({ ask: asking(headers) }) };
}

function bytesOf(body: string | Uint8Array | object | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A bulk body of these lines. */
export function lines(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

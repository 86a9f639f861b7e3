/**
 * Inputs that run for one test: each is stopped when the test ends, and what it gave can be waited for.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { type EventValue, eventToJsonText, parseFieldReference } from '@shoal/agent-event';
import type { Input, PluginContext, PluginDefinition } from '@shoal/agent-plugin-kit';
import { onTestFinished } from 'vitest';
import {
  CollectingSink,
  makeInput,
  type OptionsLiteral,
  type TestContext,
  testContext,
} from '../plugin-instance.test-support.ts';

export interface RunningInput {
  readonly sink: CollectingSink;
  readonly context: TestContext;
  readonly input: Input;
  /** Port that the input listens on; NaN for one that does not listen. */
  readonly port: number;
}

/** Address options of an input that listens on a free port. */
export const local: OptionsLiteral = { host: '127.0.0.1', port: 0 };

export async function start(
  definition: PluginDefinition,
  options: OptionsLiteral,
  changes: Partial<PluginContext> = {},
): Promise<RunningInput> {
  const context = testContext(changes);
  const sink = new CollectingSink();
  const input = makeInput(definition, options, context);
  await input.start(sink);
  onTestFinished(() => input.stop());
  return { sink, context, input, port: Number(context.gauges.get('port')) };
}

/** Starts a server on a free port until the test ends. Answers the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** The first event without the fields that every event has. */
export function plainOf(sink: CollectingSink): unknown {
  const first = sink.events[0];
  if (first === undefined) throw new Error('no event came');
  const { '@timestamp': _, '@version': __, ...fields } = JSON.parse(eventToJsonText(first));
  return fields;
}

export function metadataOf(sink: CollectingSink, reference: string, at = 0): EventValue | undefined {
  return sink.events[at]?.get(parseFieldReference(`[@metadata]${reference}`));
}

/**
 * Outputs that run for one test: each is stopped when the test ends.
 */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { eventFromJson, type LogEvent } from '@shoal/agent-event';
import type { Output, PluginContext, PluginDefinition } from '@shoal/agent-plugin-kit';
import { onTestFinished } from 'vitest';
import {
  codecBlock,
  makeOutput,
  type OptionsLiteral,
  type TestContext,
  testContext,
} from '../plugin-instance.test-support.ts';

export interface RunningOutput {
  readonly output: Output;
  readonly context: TestContext;
}

/** Codec that writes the message of each event as a line. */
export const line: unknown = codecBlock('line', { format: '%{message}' });

export async function start(
  definition: PluginDefinition,
  options: OptionsLiteral,
  changes: Partial<PluginContext> = {},
): Promise<RunningOutput> {
  const context = testContext(changes);
  const output = makeOutput(definition, options, context);
  await output.start?.();
  onTestFinished(async () => output.stop?.());
  return { output, context };
}

/** Starts a server on a free port until the test ends. Answers the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export function event(fields: OptionsLiteral): LogEvent {
  return eventFromJson(fields);
}

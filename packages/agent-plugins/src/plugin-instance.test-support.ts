/**
 * Plugins as their tests make them: options as plain literals that pass the check of a configuration, all codecs of the
 * agent, the machine's clock and timers, counters that can be read.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventFromJson, type LogEvent, stampEvent, Timestamp } from '@shoal/agent-event';
import type {
  Codec,
  EventSink,
  Input,
  Output,
  PluginContext,
  PluginDefinition,
  PluginOptions,
} from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterAll } from 'vitest';
import { rawFromLiteral } from '../../agent-config/src/options/check-plugin.ts';
import { PluginBlock } from '../../agent-config/src/options/option-value.ts';
import * as fixture from '../../agent-config/src/options/plugin-fixture.test-support.ts';
import { codecPlugins } from './codecs/codec-list.ts';

export type { OptionsLiteral } from '../../agent-config/src/options/plugin-fixture.test-support.ts';

type OptionsLiteral = fixture.OptionsLiteral;

const POSITION = { file: 'test.conf', line: 1, column: 1 };

export interface TestContext extends PluginContext {
  readonly counts: Map<string, number>;
  readonly gauges: Map<string, unknown>;
  readonly deadLettered: { readonly event: LogEvent; readonly reason: string }[];
}

const folders: string[] = [];
// Registered first, so run last: what writes into them has ended by then.
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A folder of its own; all of them are removed after the tests of the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shoal-plugin-'));
  folders.push(folder);
  return folder;
}

export function testContext(changes: Partial<PluginContext> = {}): TestContext {
  const counts = new Map<string, number>();
  const gauges = new Map<string, unknown>();
  const deadLettered: { event: LogEvent; reason: string }[] = [];
  let folder: Promise<string> | undefined;
  return {
    runtime: createNodeRuntime({ log: createSilentLog() }),
    pipelineId: 'main',
    pluginId: 'tested',
    position: 'test.conf:1:1',
    ecs: 'disabled',
    metrics: {
      increment: (name, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by),
      gauge: (name, value) => void gauges.set(name, value),
    },
    deadLetters: {
      write: async (event, reason) => void deadLettered.push({ event, reason }),
    },
    dataPath: () => (folder ??= temporaryFolder()),
    hostName: 'tester',
    newEvent: (fields = {}) => eventFromJson(fields),
    counts,
    gauges,
    deadLettered,
    ...changes,
  };
}

export function makeCodec(name: string, literal: OptionsLiteral = {}, context: PluginContext = testContext()): Codec {
  const definition = codecPlugins.find((codec) => codec.name === name);
  if (definition === undefined) throw new Error(`no codec ${name}`);
  return fixture.makeCodec(definition, literal, { ...context, codecs: codecPlugins });
}

/** A codec with options, as the value of a codec option. */
export function codecBlock(name: string, literal: OptionsLiteral): unknown {
  const given = Object.entries(literal).map(([option, value]) => ({
    name: option,
    value: rawFromLiteral(value),
    position: POSITION,
  }));
  return new PluginBlock(name, given, POSITION, name);
}

export function makeInput(definition: PluginDefinition, literal: OptionsLiteral, context: PluginContext): Input {
  return fixture.makeInput(definition, literal, { ...context, codecs: codecPlugins });
}

export function makeOutput(definition: PluginDefinition, literal: OptionsLiteral, context: PluginContext): Output {
  return fixture.makeOutput(definition, literal, { ...context, codecs: codecPlugins });
}

export function makeOptions(
  definition: PluginDefinition,
  literal: OptionsLiteral,
  context: PluginContext,
): PluginOptions {
  return fixture.makeOptions(definition, literal, { ...context, codecs: codecPlugins });
}

/** Keeps what is pushed; `until(n)` waits for the n-th event. */
export class CollectingSink implements EventSink {
  readonly events: LogEvent[] = [];
  private readonly waiters: { count: number; resolve: () => void }[] = [];
  /** While set, pushes wait for it. */
  gate: Promise<void> | null = null;

  async push(events: readonly LogEvent[]): Promise<void> {
    if (this.gate !== null) await this.gate;
    for (const event of events) {
      stampEvent(event, new Timestamp(0));
      this.events.push(event);
    }
    for (const waiter of this.waiters) if (this.events.length >= waiter.count) waiter.resolve();
  }

  until(count: number): Promise<void> {
    if (this.events.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push({ count, resolve }));
  }

  messages(): unknown[] {
    return this.events.map((event) => event.fields.get('message'));
  }
}

export function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

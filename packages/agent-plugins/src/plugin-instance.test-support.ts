/**
 * Plugins as tests make them: options as plain literals, the real clock and timers, counters that can be read.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compileTemplate,
  eventFromJson,
  type LogEvent,
  parseFieldReference,
  stampEvent,
  Timestamp,
} from '@shoal/agent-event';
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
import { codecPlugins } from './codecs/codec-list.ts';

export type Literals = Readonly<Record<string, unknown>>;

export interface TestContext extends PluginContext {
  readonly counts: Map<string, number>;
  readonly gauges: Map<string, unknown>;
  readonly deadLettered: { readonly event: LogEvent; readonly reason: string }[];
}

const folders: string[] = [];

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shoal-plugin-'));
  folders.push(folder);
  return folder;
}

export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
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

/** Options of a definition: what is given, else the default. A codec is a name or `[name, its options]`. */
export function literalOptions(definition: PluginDefinition, given: Literals, context: PluginContext): PluginOptions {
  for (const name of Object.keys(given)) {
    if (!(name in definition.options)) throw new Error(`${definition.name} has no option ${name}`);
  }
  const givenOrDefault = (name: string): unknown => given[name] ?? definition.options[name]?.default;
  const need = (name: string): unknown => {
    const value = givenOrDefault(name);
    if (value === undefined) throw new Error(`${definition.name}.${name} is not given`);
    return value;
  };
  const list = (name: string): readonly unknown[] => {
    const value = need(name);
    return Array.isArray(value) ? value : [value];
  };
  return {
    has: (name) => givenOrDefault(name) !== undefined,
    string: (name) => String(need(name)),
    number: (name) => Number(need(name)),
    boolean: (name) => need(name) === true,
    strings: (name) => list(name).map(String),
    value: (name) => toLanguageValue(need(name)),
    hash: (name) => toLanguageValue(need(name)) as ReadonlyMap<string, unknown>,
    reference: (name) => parseFieldReference(String(need(name))),
    template: (name) => compileTemplate(String(need(name))),
    templates: (name) => list(name).map((text) => compileTemplate(String(text))),
    codec: (name) => makeCodec(need(name) as string | readonly [string, Literals], {}, context),
    milliseconds: (name) => durationMs(need(name)),
  };
}

function toLanguageValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toLanguageValue);
  if (value === null || typeof value !== 'object') return value;
  return new Map(Object.entries(value).map(([name, item]) => [name, toLanguageValue(item)]));
}

function durationMs(value: unknown): number {
  const match = /^([\d.]+)\s*(ms|m?sec|seconds?|s|minutes?|m|hours?|h|days?|d)?$/.exec(String(value));
  const unit = match?.[2] ?? 's';
  const factor = unit.startsWith('ms') ? 1 : { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit[0] ?? 's'];
  return Number(match?.[1]) * (factor ?? 1000);
}

export function makeCodec(
  name: string | readonly [string, Literals],
  given: Literals = {},
  context: PluginContext = testContext(),
): Codec {
  const [codecName, codecOptions] = typeof name === 'string' ? [name, given] : name;
  const definition = codecPlugins.find((codec) => codec.name === codecName);
  if (definition?.kind !== 'codec') throw new Error(`no codec ${codecName}`);
  return definition.create(literalOptions(definition, codecOptions, context), context);
}

export function makeInput(definition: PluginDefinition, given: Literals, context: PluginContext): Input {
  if (definition.kind !== 'input') throw new Error(`${definition.name} is no input`);
  return definition.create(literalOptions(definition, given, context), context);
}

export function makeOutput(definition: PluginDefinition, given: Literals, context: PluginContext): Output {
  if (definition.kind !== 'output') throw new Error(`${definition.name} is no output`);
  return definition.create(literalOptions(definition, given, context), context);
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

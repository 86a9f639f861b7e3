/**
 * Agents in tests: in memory, workers inline, with plugins that collect what comes and that fail on purpose.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createRecordingLog, type RecordingLog, type Runtime } from '@shoal/runtime';
import { afterEach } from 'vitest';
import { AGENT_SETTINGS } from '../settings/agent-settings.ts';
import { AgentCore } from './agent.ts';

/** Resolves once it holds; looked at between turns of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** What the output `collect` got, by the value of its `into`. */
export function collected(name: string): Record<string, unknown>[] {
  const all = (Reflect.get(globalThis, 'shoalCollected') ?? {}) as Record<string, Record<string, unknown>[]>;
  Reflect.set(globalThis, 'shoalCollected', all);
  all[name] ??= [];
  return all[name];
}

const COLLECT = `export const plugin = { kind: 'output', name: 'collect', version: '1.0.0', options: { into: { type: 'string', isRequired: true } },
  create: (options) => ({ receive: async (events) => {
    const all = (globalThis.shoalCollected ??= {});
    const list = (all[options.string('into')] ??= []);
    for (const event of events) list.push({ ...Object.fromEntries(event.fields), metadata: Object.fromEntries(event.metadata) });
  } }) };`;
const FAIL = `export const plugin = { kind: 'filter', name: 'fail', version: '1.0.0', options: { tag_on_failure: { type: 'array' } },
  create: () => ({ filter: (event) => { if (event.fields.get('message') !== 'bad') return 'matched'; event.fields.set('half', 'done'); throw new Error('no good'); return 'matched'; } }) };`;
const REFUSE = `export const plugin = { kind: 'output', name: 'refuse', version: '1.0.0', options: {},
  create: () => ({ receive: async () => { throw new Error('nobody is there'); } }) };`;
const SOLO = `let instances = 0;
export const plugin = { kind: 'output', name: 'solo', version: '1.0.0', options: { into: { type: 'string', isRequired: true } },
  create: (options, context) => { const instance = ++instances; let atOnce = 0; return { receive: async (events) => {
    const all = (globalThis.shoalCollected ??= {});
    atOnce++;
    (all[options.string('into')] ??= []).push({ instance, atOnce, count: events.length });
    context.metrics.increment('calls');
    await new Promise((resolve) => setImmediate(resolve));
    atOnce--;
  } }; } };`;
/** Each call takes a few milliseconds, as one over a network does. */
const JOINED = `export const plugin = { kind: 'output', name: 'joined', version: '1.0.0', concurrency: 'each', joinsBatches: true,
  options: { into: { type: 'string', isRequired: true }, throws: { type: 'boolean', default: false } },
  create: (options) => ({ receive: async (events) => {
    const all = (globalThis.shoalCollected ??= {});
    (all[options.string('into')] ??= []).push({ messages: events.map((event) => event.fields.get('message')) });
    await new Promise((resolve) => setTimeout(resolve, 3));
    if (options.boolean('throws')) throw new Error('all of them');
  } }) };`;
const PICKY = `export const plugin = { kind: 'output', name: 'picky', version: '1.0.0', options: { throws: { type: 'boolean', default: false } },
  create: (options, context) => ({ receive: async (events) => {
    for (const event of events) if (event.fields.get('event').get('sequence') % 2 === 1) await context.deadLetters.write(event, 'odd');
    if (options.boolean('throws')) throw new Error('all of them');
  } }) };`;
const UNOPENED = `export const plugin = { kind: 'output', name: 'unopened', version: '1.0.0', options: {},
  create: () => ({ start: async () => { throw new Error('port in use'); }, receive: async () => {} }) };`;
const STUCK_INPUT = `export const plugin = { kind: 'input', name: 'unstartable', version: '1.0.0', options: {},
  create: () => ({ finished: null, start: async () => { throw new Error('port taken'); }, stop: async () => {} }) };`;

const BREAKING = `export const plugin = { kind: 'input', name: 'breaking', version: '1.0.0', options: {},
  create: () => ({ finished: null, start: async (sink) => sink.failed(new Error('the disk is full')), stop: async () => {} }) };`;
/** Its `receive` waits until `unstick` is called. */
const STUCK = `export const plugin = { kind: 'output', name: 'stuck', version: '1.0.0', concurrency: 'each', options: {},
  create: () => ({ receive: () => new Promise((resolve) => {
    if (globalThis.shoalStuck === undefined) resolve();
    else globalThis.shoalStuck.push(resolve);
  }) }) };`;

/** From now on outputs `stuck` wait. */
export function stick(): void {
  Reflect.set(globalThis, 'shoalStuck', []);
}

export function unstick(): void {
  const waiting = (Reflect.get(globalThis, 'shoalStuck') ?? []) as (() => void)[];
  Reflect.set(globalThis, 'shoalStuck', undefined);
  for (const resolve of waiting) resolve();
}

const folders: string[] = [];
const agents: AgentCore[] = [];

afterEach(async () => {
  unstick();
  for (const agent of agents.splice(0)) await agent.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Leaves an agent like a dead process: nobody stops it at the end of the test. */
export async function killAgent(core: AgentCore): Promise<void> {
  agents.splice(agents.indexOf(core), 1);
  for (const { pipeline } of core.pipelines) for (const worker of pipeline.workers) await worker.terminate();
}

export interface TestAgent {
  readonly core: AgentCore;
  readonly runtime: Runtime;
  readonly log: RecordingLog;
}

export function writeFile(runtime: Runtime, path: string, text: string): Promise<void> {
  return runtime.disk.open(path, 'create').then(async (file) => {
    await file.write(new TextEncoder().encode(text), 0);
    await file.close();
  });
}

export function testAgent(settings: Record<string, unknown>, runtime?: Runtime): TestAgent {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-agent-'));
  folders.push(folder);
  writeFileSync(join(folder, 'shoal-output-collect.mjs'), COLLECT);
  writeFileSync(join(folder, 'shoal-filter-fail.mjs'), FAIL);
  writeFileSync(join(folder, 'shoal-output-refuse.mjs'), REFUSE);
  writeFileSync(join(folder, 'shoal-input-unstartable.mjs'), STUCK_INPUT);
  writeFileSync(join(folder, 'shoal-input-breaking.mjs'), BREAKING);
  writeFileSync(join(folder, 'shoal-output-solo.mjs'), SOLO);
  writeFileSync(join(folder, 'shoal-output-joined.mjs'), JOINED);
  writeFileSync(join(folder, 'shoal-output-picky.mjs'), PICKY);
  writeFileSync(join(folder, 'shoal-output-unopened.mjs'), UNOPENED);
  writeFileSync(join(folder, 'shoal-output-stuck.mjs'), STUCK);
  const log = createRecordingLog();
  const own = { ...(runtime ?? createNodeRuntime({ log })), log };
  const core = new AgentCore(own, {
    settings: AGENT_SETTINGS.parse({ 'path.plugins': folder, 'path.data': 'data', ...settings }),
    environment: { GREETING: 'hello' },
    hostName: 'test-host',
  });
  agents.push(core);
  return { core, runtime: own, log };
}

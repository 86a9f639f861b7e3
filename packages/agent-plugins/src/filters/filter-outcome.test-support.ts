/**
 * Runs one event through one filter and shows what comes out as plain values, for tests of filters.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventToJsonText, type LogEvent } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import { afterAll } from 'vitest';
import {
  eventOf,
  type FixtureOverrides,
  makeFilter,
  type OptionsLiteral,
} from '../../../agent-config/src/options/plugin-fixture.test-support.ts';

export interface Outcome {
  readonly outcome: string;
  readonly event: Record<string, unknown>;
  readonly events: readonly Record<string, unknown>[];
}

export function plain(event: LogEvent): Record<string, unknown> {
  const { '@version': _, ...fields } = JSON.parse(eventToJsonText(event));
  return fields;
}

export async function runFilter(
  definition: PluginDefinition,
  options: OptionsLiteral,
  fields: OptionsLiteral | LogEvent,
  overrides: FixtureOverrides = {},
): Promise<Outcome> {
  const event =
    'clone' in fields && typeof fields.clone === 'function' ? (fields as LogEvent) : eventOf(fields as OptionsLiteral);
  const { outcome, events } = await makeFilter(definition, options, overrides).run(event);
  return { outcome, event: plain(event), events: events.map(plain) };
}

/** A runtime whose clock stands still until it is moved. */
export function withClock(): { readonly runtime: Runtime; now: number } {
  const state = { now: 0 };
  const clock = { monotonicMs: () => state.now, wallMs: () => 1_767_323_045_000 + state.now };
  return Object.assign(state, { runtime: { ...createNodeRuntime({ log: createSilentLog() }), clock } });
}

/** Writes files into a folder that is removed after the last test of the file. Answers their paths. */
export function testFiles(): (name: string, content: string | Buffer) => string {
  const directory = mkdtempSync(join(tmpdir(), 'shoal-filters-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  return (name, content) => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };
}

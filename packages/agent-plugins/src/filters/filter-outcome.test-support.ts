/**
 * Runs one event through one filter and shows what comes out as plain values, for tests of filters.
 */
import { eventToJsonText, type LogEvent } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
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

/**
 * Makes plugins for their tests: options written as plain JavaScript literals pass the same check as those of a
 * configuration, and filters are decorated as the pipeline does it.
 */

import { createEvent, eventFromJson, type LogEvent, toEventValue } from '@shoal/agent-event';
import type {
  Codec,
  Filter,
  FilterOutcome,
  Input,
  Output,
  PluginContext,
  PluginDefinition,
  PluginKind,
  PluginMetrics,
  PluginOptions,
} from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import { decorationOfFilter } from '../decorations/plan-decorations.ts';
import { checkPlugin, type Finding, type PluginLookup, rawFromLiteral } from './check-plugin.ts';
import type { CheckedOptions, PlannedCodec } from './checked-options.ts';

const POSITION = { file: 'test.conf', line: 1, column: 1 };

export type OptionsLiteral = Readonly<Record<string, unknown>>;

export interface FixtureOverrides extends Partial<PluginContext> {
  /** Definitions that codec options may name. A minimal `plain` stands in when none is given. */
  readonly codecs?: readonly PluginDefinition[];
}

export class RecordedMetrics implements PluginMetrics {
  readonly counters: Map<string, number> = new Map();
  readonly gauges: Map<string, unknown> = new Map();

  increment(name: string, by = 1): void {
    this.counters.set(name, (this.counters.get(name) ?? 0) + by);
  }

  gauge(name: string, value: unknown): void {
    this.gauges.set(name, value);
  }
}

/** An event of a plain object. */
export function eventOf(fields: OptionsLiteral = {}): LogEvent {
  const map = toEventValue(fields);
  return createEvent(map instanceof Map ? map : new Map());
}

/** A context whose parts can be replaced. The clock is the machine's unless a runtime is given. */
export function makeContext(overrides: FixtureOverrides = {}): PluginContext {
  const { codecs: _, ...parts } = overrides;
  const runtime: Runtime = parts.runtime ?? createNodeRuntime({ log: createSilentLog() });
  return {
    runtime,
    pipelineId: 'main',
    pluginId: 'plugin-under-test',
    position: 'test.conf:1:1',
    ecs: 'disabled',
    metrics: new RecordedMetrics(),
    deadLetters: null,
    dataPath: () => Promise.reject(new Error('this test gave no data path')),
    hostName: 'host',
    newEvent: (fields = {}) => eventFromJson(fields),
    ...parts,
  };
}

/** Findings of the check, as a configuration would report them. */
export function checkLiteral(
  definition: PluginDefinition,
  literal: OptionsLiteral,
  codecs: readonly PluginDefinition[] = [PLAIN],
): { readonly options: CheckedOptions; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const given = Object.entries(literal).map(([name, value]) => ({
    name,
    value: rawFromLiteral(value),
    position: POSITION,
  }));
  const known = codecs.some((codec) => codec.name === 'plain') ? codecs : [...codecs, PLAIN];
  const plugins: PluginLookup = {
    find: (kind: PluginKind, name: string) => known.find((codec) => codec.kind === kind && codec.name === name),
    names: (kind: PluginKind) => known.filter((codec) => codec.kind === kind).map((codec) => codec.name),
  };
  const options = checkPlugin({ options: given, position: POSITION }, definition, {
    plugins,
    codecId: (name) => `${name}-codec`,
    report: (finding) => findings.push(finding),
  });
  return { options, findings };
}

/** Options ready for `create`; throws with all errors of the check. */
export function makeOptions(
  definition: PluginDefinition,
  literal: OptionsLiteral,
  overrides: FixtureOverrides = {},
): PluginOptions {
  return checked(definition, literal, overrides).bind(codecMaker(overrides));
}

export interface FilterUnderTest {
  readonly filter: Filter;
  readonly context: PluginContext;
  /** Runs one event and decorates as the pipeline does. Answers what goes on: the event unless cancelled, then new ones. */
  run(event: LogEvent): Promise<{ readonly outcome: FilterOutcome; readonly events: readonly LogEvent[] }>;
}

export function makeFilter(
  definition: PluginDefinition,
  literal: OptionsLiteral = {},
  overrides: FixtureOverrides = {},
): FilterUnderTest {
  if (definition.kind !== 'filter') throw new Error(`${definition.name} is no filter`);
  const options = checked(definition, literal, overrides);
  const context = makeContext(overrides);
  const filter = definition.create(options.bind(codecMaker(overrides)), context);
  const decorate = decorationOfFilter(options);
  return {
    filter,
    context,
    run: async (event) => {
      const made: LogEvent[] = [];
      const outcome = await filter.filter(event, (created) => made.push(created));
      const events = [event, ...made].filter((one) => !one.isCancelled);
      const decorated = filter.decoratesNewEvents === false ? events.filter((one) => one === event) : events;
      if (outcome === 'matched') for (const one of decorated) decorate?.(one);
      return { outcome, events };
    },
  };
}

export function makeInput(
  definition: PluginDefinition,
  literal: OptionsLiteral = {},
  overrides: FixtureOverrides = {},
): Input {
  if (definition.kind !== 'input') throw new Error(`${definition.name} is no input`);
  return definition.create(makeOptions(definition, literal, overrides), makeContext(overrides));
}

export function makeOutput(
  definition: PluginDefinition,
  literal: OptionsLiteral = {},
  overrides: FixtureOverrides = {},
): Output {
  if (definition.kind !== 'output') throw new Error(`${definition.name} is no output`);
  return definition.create(makeOptions(definition, literal, overrides), makeContext(overrides));
}

export function makeCodec(
  definition: PluginDefinition,
  literal: OptionsLiteral = {},
  overrides: FixtureOverrides = {},
): Codec {
  if (definition.kind !== 'codec') throw new Error(`${definition.name} is no codec`);
  return definition.create(makeOptions(definition, literal, overrides), makeContext(overrides));
}

function checked(definition: PluginDefinition, literal: OptionsLiteral, overrides: FixtureOverrides): CheckedOptions {
  const { options, findings } = checkLiteral(definition, literal, overrides.codecs);
  const errors = findings.filter((finding) => finding.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((finding) => finding.message).join('\n'));
  return options;
}

function codecMaker(overrides: FixtureOverrides): (plan: PlannedCodec) => Codec {
  const context = makeContext(overrides);
  return (plan) => plan.definition.create(plan.options.bind(codecMaker(overrides)), context);
}

/** Stands in for the real codec where a test names none: the bytes are the message. */
const PLAIN: PluginDefinition = {
  kind: 'codec',
  name: 'plain',
  version: '0.0.0',
  options: {},
  create: () => ({
    name: 'plain',
    decoder: () => ({
      decode: (bytes) => [eventOf({ message: new TextDecoder().decode(bytes) })],
      flush: () => [],
    }),
    encode: (event) => new TextEncoder().encode(String(event.fields.get('message') ?? '')),
  }),
};

/**
 * A small set of plugins for tests of the language, and short ways to parse and compile.
 */
import type { OptionDeclarations, PluginDefinition } from '@shoal/agent-plugin-kit';
import { parseConfig } from '../grammar/parse-config.ts';
import { eventOf } from '../options/plugin-fixture.test-support.ts';
import { ConfigError } from '../source/config-error.ts';
import { type CompileOptions, compilePipeline } from './compile-pipeline.ts';
import type { PipelinePlan, PlannedFilter, Step } from './pipeline-plan.ts';

const filter = (name: string, options: OptionDeclarations): PluginDefinition => ({
  kind: 'filter',
  name,
  version: '1.0.0',
  options,
  create: () => ({ filter: () => 'matched' }),
});

const codec = (name: string, options: OptionDeclarations): PluginDefinition => ({
  kind: 'codec',
  name,
  version: '1.0.0',
  options,
  create: () => ({ name, decoder: () => ({ decode: () => [], flush: () => [] }), encode: () => new Uint8Array() }),
});

const definitions: readonly PluginDefinition[] = [
  {
    kind: 'input',
    name: 'stdin',
    version: '1.0.0',
    options: {},
    create: () => ({ start: async () => {}, finished: null, stop: async () => {} }),
  },
  filter('grok', {
    match: { type: 'hash', default: {} },
    overwrite: { type: 'array', default: [] },
    timeout_millis: { type: 'number', default: 30000 },
    break_on_match: { type: 'boolean', default: true },
    singles: { type: 'boolean', obsolete: 'it has no effect any more' },
    named_captures_only: { type: 'boolean', deprecated: 'use capture instead' },
  }),
  filter('drop', {}),
  filter('date', { match: { type: 'array', isRequired: true }, target: { type: 'fieldReference' } }),
  {
    kind: 'output',
    name: 'stdout',
    version: '1.0.0',
    options: { codec: { type: 'codec', default: 'rubydebug' } },
    create: () => ({ receive: async () => {} }),
  },
  codec('plain', {}),
  codec('json', { charset: { type: ['UTF-8', 'ISO-8859-1'], default: 'UTF-8' } }),
  codec('rubydebug', { metadata: { type: 'boolean', default: false } }),
];

export const compileOptions: CompileOptions = {
  plugins: {
    find: (kind, name) => definitions.find((one) => one.kind === kind && one.name === name),
    names: (kind) => definitions.filter((one) => one.kind === kind).map((one) => one.name),
  },
  compileRegex: (source) => new RegExp(source),
  variables: () => undefined,
  supportEscapes: false,
};

export function compile(text: string, options: Partial<CompileOptions> = {}): PipelinePlan {
  return compilePipeline(parseConfig([{ name: 'main.conf', text }]), { ...compileOptions, ...options });
}

/** The message of the error that `text` must cause. */
export function refusal(text: string, options: Partial<CompileOptions> = {}): string {
  try {
    compile(text, options);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

/** The value of one option of the only filter in `text`. */
export function optionOf(body: string, name: string, options: Partial<CompileOptions> = {}): unknown {
  const step: Step<PlannedFilter> | undefined = compile(`filter { ${body} }`, options).filters[0];
  if (step?.kind !== 'plugin') throw new Error('no filter');
  return step.plugin.options
    .bind((plan) =>
      plan.definition.create(
        plan.options.bind(() => unexpected()),
        unexpected(),
      ),
    )
    .value(name);
}

function unexpected(): never {
  throw new Error('not wanted here');
}

/** Whether `condition` holds for an event of these fields. */
export function holds(
  condition: string,
  fields: Readonly<Record<string, unknown>> = {},
  options: Partial<CompileOptions> = {},
): boolean {
  const [step] = compile(`filter { if ${condition} { drop {} } }`, options).filters;
  if (step?.kind !== 'branch') throw new Error('no branch');
  return step.condition.test(eventOf(fields));
}

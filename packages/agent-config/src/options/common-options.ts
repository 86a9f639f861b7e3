/**
 * Options that every plugin of a kind has, whatever it declares itself. A plugin may redeclare one of them, with another
 * default for instance.
 */
import type { OptionDeclarations, PluginKind } from '@shoal/agent-plugin-kit';

const ALL: OptionDeclarations = {
  id: { type: 'string' },
  enable_metric: { type: 'boolean', default: true },
  ecs_compatibility: { type: ['disabled', 'v1', 'v8'] },
};

const COMMON_OPTIONS: Readonly<Record<PluginKind, OptionDeclarations>> = {
  input: {
    ...ALL,
    type: { type: 'string' },
    tags: { type: 'array' },
    add_field: { type: 'hash' },
    codec: { type: 'codec', default: 'plain' },
  },
  filter: {
    ...ALL,
    add_field: { type: 'hash' },
    remove_field: { type: 'array' },
    add_tag: { type: 'array' },
    remove_tag: { type: 'array' },
    periodic_flush: { type: 'boolean', default: false },
  },
  output: {
    ...ALL,
    codec: { type: 'codec', default: 'plain' },
    workers: { type: 'number', deprecated: 'outputs need no workers of their own; remove it' },
  },
  codec: ALL,
};

/** Joined once for each plugin: a process with a thousand pipelines asks thousands of times. */
const joined = new WeakMap<OptionDeclarations, Map<PluginKind, OptionDeclarations>>();

/** Options that a plugin takes: the common ones of its kind, then its own. */
export function declaredOptions(kind: PluginKind, own: OptionDeclarations): OptionDeclarations {
  const ofKinds = joined.get(own) ?? new Map<PluginKind, OptionDeclarations>();
  const known = ofKinds.get(kind);
  if (known !== undefined) return known;
  const all = { ...COMMON_OPTIONS[kind], ...own };
  joined.set(own, ofKinds.set(kind, all));
  return all;
}

/**
 * prune: keeps or drops top-level fields by expressions on their names and values.
 */
import { compileTemplate, type EventValue, type LogEvent, printValue } from '@shoal/agent-event';
import type { PluginContext, PluginDefinition } from '@shoal/agent-plugin-kit';
import { GuardedRegex } from '@shoal/ruby-regex';

export const pruneFilter: PluginDefinition = {
  kind: 'filter',
  name: 'prune',
  version: '3.0.4',
  isStateless: true,
  options: {
    interpolate: { type: 'boolean', default: false },
    whitelist_names: { type: 'array', default: [] },
    blacklist_names: { type: 'array', default: ['%{[^}]+}'] },
    whitelist_values: { type: 'hash', default: {} },
    blacklist_values: { type: 'hash', default: {} },
  },
  create: (options, context) => {
    const interpolates = options.boolean('interpolate');
    const regex = (text: string): RegexOf => compileRegex(text, interpolates, context);
    const valuesOf = (name: string): readonly ValueRule[] =>
      [...options.hash(name)].map(([field, value]) => ({
        field: interpolates ? fieldTemplate(field, context) : () => field,
        regexes: list(value).map(regex),
      }));
    const kept = options.strings('whitelist_names').map(regex);
    const dropped = options.strings('blacklist_names').map(regex);
    const keptValues = valuesOf('whitelist_values');
    const droppedValues = valuesOf('blacklist_values');
    return {
      filter: (event) => {
        const names = [...event.fields.keys()];
        // Everything is decided on the event as it came: rules that are made of fields still find them.
        const removed = new Set<string>();
        const left = new Map<string, EventValue>();
        const drop = (name: string): void => void removed.add(name);
        if (kept.length > 0) names.filter((name) => !kept.some((rule) => rule(event).test(name))).forEach(drop);
        names.filter((name) => dropped.some((rule) => rule(event).test(name))).forEach(drop);
        for (const rule of keptValues) pruneValues(event, rule, true, removed, left);
        for (const rule of droppedValues) pruneValues(event, rule, false, removed, left);
        for (const [name, value] of left) event.fields.set(name, value);
        for (const name of removed) event.fields.delete(name);
        return 'matched';
      },
    };
  },
};

type RegexOf = (event: LogEvent) => GuardedRegex;

interface ValueRule {
  readonly field: (event: LogEvent) => string;
  readonly regexes: readonly RegexOf[];
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function fieldTemplate(text: string, context: PluginContext): (event: LogEvent) => string {
  const template = compileTemplate(text, context);
  return (event) => template.render(event);
}

/** Expressions made of an event's fields that are kept, per rule. */
const COMPILED_MAX = 1_000;

/** The default of the names to drop looks like a placeholder: only with `interpolate` is one meant. */
function compileRegex(text: string, interpolates: boolean, context: PluginContext): RegexOf {
  if (!interpolates || !text.includes('%{') || text === '%{[^}]+}') {
    const regex = new GuardedRegex(literalBrace(text));
    return () => regex;
  }
  const template = compileTemplate(text, context);
  const compiled = new Map<string, GuardedRegex>();
  return (event) => {
    const rendered = template.render(event);
    const known = compiled.get(rendered);
    if (known !== undefined) return known;
    if (compiled.size >= COMPILED_MAX) compiled.clear();
    const regex = new GuardedRegex(literalBrace(rendered));
    compiled.set(rendered, regex);
    return regex;
  };
}

/** Ruby takes a brace that counts nothing as itself. */
function literalBrace(text: string): string {
  return text.replace(/^%\{/, '%\\{');
}

function pruneValues(
  event: LogEvent,
  rule: ValueRule,
  keepsMatching: boolean,
  removed: Set<string>,
  left: Map<string, EventValue>,
): void {
  const name = rule.field(event);
  const value = left.get(name) ?? event.fields.get(name);
  if (value === undefined || value === null || value === false) return;
  const isWanted = (item: EventValue): boolean =>
    rule.regexes.some((regex) => regex(event).test(printValue(item))) === keepsMatching;
  if (!Array.isArray(value)) {
    if (!isWanted(value)) removed.add(name);
    return;
  }
  const wanted = value.filter(isWanted);
  if (wanted.length === value.length) return;
  if (wanted.length === 0) removed.add(name);
  else left.set(name, wanted);
}

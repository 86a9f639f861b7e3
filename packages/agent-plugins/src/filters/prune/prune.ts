/**
 * prune: keeps or drops top-level fields by expressions on their names and values.
 */
import { compileTemplate, type EventValue, type LogEvent, printValue } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
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
  create: (options) => {
    const interpolates = options.boolean('interpolate');
    const regex = (text: string): RegexOf => compileRegex(text, interpolates);
    const valuesOf = (name: string): readonly ValueRule[] =>
      [...options.hash(name)].map(([field, value]) => ({ field, regexes: list(value).map(regex) }));
    const kept = options.strings('whitelist_names').map(regex);
    const dropped = options.strings('blacklist_names').map(regex);
    const keptValues = valuesOf('whitelist_values');
    const droppedValues = valuesOf('blacklist_values');
    return {
      filter: (event) => {
        const names = [...event.fields.keys()];
        const remove = (name: string): void => void event.fields.delete(name);
        if (kept.length > 0) names.filter((name) => !kept.some((rule) => rule(event).test(name))).forEach(remove);
        names.filter((name) => dropped.some((rule) => rule(event).test(name))).forEach(remove);
        for (const rule of keptValues) keepValues(event, rule, true);
        for (const rule of droppedValues) keepValues(event, rule, false);
        return 'matched';
      },
    };
  },
};

type RegexOf = (event: LogEvent) => GuardedRegex;

interface ValueRule {
  readonly field: string;
  readonly regexes: readonly RegexOf[];
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** The default of the names to drop looks like a placeholder: only with `interpolate` is one meant. */
function compileRegex(text: string, interpolates: boolean): RegexOf {
  // Ruby takes a brace that counts nothing as itself.
  const literal = text.replace(/^%\{/, '%\\{');
  if (!interpolates || !text.includes('%{') || text === '%{[^}]+}') {
    const regex = new GuardedRegex(literal);
    return () => regex;
  }
  const template = compileTemplate(text);
  return (event) => new GuardedRegex(template.render(event));
}

function keepValues(event: LogEvent, rule: ValueRule, keepsMatching: boolean): void {
  const value = event.fields.get(rule.field);
  if (value === undefined) return;
  const isWanted = (item: EventValue): boolean =>
    rule.regexes.some((regex) => regex(event).test(printValue(item))) === keepsMatching;
  if (Array.isArray(value)) {
    const left = value.filter(isWanted);
    if (left.length === 0) event.fields.delete(rule.field);
    else event.fields.set(rule.field, left);
  } else if (!isWanted(value)) event.fields.delete(rule.field);
}

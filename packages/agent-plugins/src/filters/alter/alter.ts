/**
 * alter: changes fields by what they, or others, hold: a value for another, a value of another field, the first that is there.
 */
import { compileTemplate, type EventValue, type LogEvent, type Template } from '@shoal/agent-event';
import {
  compileFieldName,
  type FieldName,
  optionError,
  type PluginContext,
  type PluginDefinition,
} from '@shoal/agent-plugin-kit';

type Change = (event: LogEvent) => void;

export const alterFilter: PluginDefinition = {
  kind: 'filter',
  name: 'alter',
  version: '3.0.3',
  isStateless: true,
  options: {
    /** Field, expected value, new value, again and again. */
    condrewrite: { type: 'array', default: [] },
    /** Field, expected value, field to change, its value, again and again. */
    condrewriteother: { type: 'array', default: [] },
    /** A field, and values of which it gets the first that no field is missing for. */
    coalesce: { type: 'array', default: [] },
  },
  create: (options, context) => {
    const changes: readonly Change[] = [
      ...groupsOf(options.strings('condrewrite'), 3, 'condrewrite').map((group) => rewrite(group, context)),
      ...groupsOf(options.strings('condrewriteother'), 4, 'condrewriteother').map((group) =>
        rewriteOther(group, context),
      ),
      ...coalesce(options.strings('coalesce'), context),
    ];
    return {
      filter: (event) => {
        for (const change of changes) change(event);
        return 'matched';
      },
    };
  },
};

function groupsOf(items: readonly string[], size: number, option: string): readonly (readonly string[])[] {
  if (items.length % size !== 0)
    throw optionError(`alter: [${option}] takes ${size} values for each change, and has ${items.length}`);
  return Array.from({ length: items.length / size }, (_, i) => items.slice(i * size, (i + 1) * size));
}

function rewrite([name = '', expected = '', replacement = '']: readonly string[], context: PluginContext): Change {
  const field = compileFieldName(name, context);
  const isExpected = equalTo(expected, context);
  const template = compileTemplate(replacement, context);
  return (event) => {
    const value = event.get(field(event));
    if (Array.isArray(value)) {
      if (!value.some((item) => isExpected(item, event))) return;
      const items = value.map((item) => (isExpected(item, event) ? template.render(event) : item));
      event.set(field(event), items);
    } else if (isExpected(value, event)) event.set(field(event), template.render(event));
  };
}

function rewriteOther(
  [name = '', expected = '', target = '', replacement = '']: readonly string[],
  context: PluginContext,
): Change {
  const field = compileFieldName(name, context);
  const isExpected = equalTo(expected, context);
  const changed: FieldName = compileFieldName(target, context);
  const template = compileTemplate(replacement, context);
  return (event) => {
    const value = event.get(field(event));
    const isFound = Array.isArray(value) ? value.some((item) => isExpected(item, event)) : isExpected(value, event);
    if (isFound) event.set(changed(event), template.render(event));
  };
}

/** Texts alone are compared: a number is never what the option says. */
function equalTo(text: string, context: PluginContext): (value: EventValue | undefined, event: LogEvent) => boolean {
  const template = compileTemplate(text, context);
  return (value, event) => typeof value === 'string' && value === template.render(event);
}

/** What is left of a placeholder whose field is missing. */
const PLACEHOLDER = /%\{[^}]+\}/;

function coalesce([name, ...values]: readonly string[], context: PluginContext): Change[] {
  if (name === undefined) return [];
  if (values.length === 0) throw optionError('alter: [coalesce] takes a field and at least one value');
  const field = compileFieldName(name, context);
  const templates: readonly Template[] = values.map((value) => compileTemplate(value, context));
  return [
    (event) => {
      const texts = templates.map((template) => template.render(event));
      const first = texts.find((text) => text !== 'nil' && !PLACEHOLDER.test(text));
      if (first !== undefined) event.set(field(event), first);
    },
  ];
}

/**
 * mutate: renames, replaces, converts and reshapes fields, always in the same fixed order whatever the order in the file.
 */

import {
  cloneValue,
  compileTemplate,
  type EventMap,
  type EventValue,
  kindOf,
  type LogEvent,
  type TemplateOptions,
  toEventValue,
} from '@shoal/agent-event';
import {
  compileFieldName,
  createAll,
  type FieldName,
  type Filter,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  rubyJoin,
  rubySplit,
  rubyText,
} from '@shoal/agent-plugin-kit';
import { isShoalError, ShoalError } from '@shoal/core';
import { convertValue, isConvertType } from './convert-value.ts';
import { compileSubstitution } from './substitution.ts';

export const mutateFilter: PluginDefinition = {
  kind: 'filter',
  name: 'mutate',
  version: '3.5.8',
  isStateless: true,
  options: {
    coerce: { type: 'hash' },
    rename: { type: 'hash' },
    update: { type: 'hash' },
    replace: { type: 'hash' },
    convert: { type: 'hash' },
    gsub: { type: 'array' },
    uppercase: { type: 'array' },
    capitalize: { type: 'array' },
    lowercase: { type: 'array' },
    strip: { type: 'array' },
    split: { type: 'hash' },
    join: { type: 'hash' },
    merge: { type: 'hash' },
    copy: { type: 'hash' },
    tag_on_failure: { type: 'string', default: '_mutate_error' },
  },
  create: (options, context) => new MutateFilter(options, context),
};

type Action = (event: LogEvent) => void;
type ValueMaker = (event: LogEvent) => EventValue;

class MutateFilter implements Filter {
  private readonly actions: readonly Action[];
  private readonly failureTag: string;
  private readonly context: PluginContext;

  constructor(options: PluginOptions, context: PluginContext) {
    this.context = context;
    this.failureTag = options.string('tag_on_failure');
    const name = (text: unknown): FieldName => compileFieldName(String(text), context);
    const value = (given: unknown): ValueMaker => valueMaker(given, context);
    // One by one, so that of several mistakes each is found.
    const kinds: readonly (() => readonly Action[])[] = [
      () => pairs(options, 'coerce').map(([field, given]) => coerce(name(field), value(given))),
      () => pairs(options, 'rename').map(([from, to]) => rename(name(from), name(to))),
      () => pairs(options, 'update').map(([field, given]) => replace(name(field), value(given), { creates: false })),
      () => pairs(options, 'replace').map(([field, given]) => replace(name(field), value(given), { creates: true })),
      () => pairs(options, 'convert').map(([field, type]) => convert(name(field), String(type))),
      () => gsubs(options, context),
      () => texts(options, context, 'uppercase', (text) => text.toUpperCase()),
      () => texts(options, context, 'capitalize', capitalized),
      () => texts(options, context, 'lowercase', (text) => text.toLowerCase()),
      () => (options.has('strip') ? options.strings('strip').map((field) => strip(name(field))) : []),
      () => pairs(options, 'split').map(([field, separator]) => split(name(field), String(separator))),
      () => pairs(options, 'join').map(([field, separator]) => join(name(field), String(separator))),
      () =>
        pairs(options, 'merge').map(([field, added]) =>
          this.merge(name(field), (Array.isArray(added) ? added : [added]).map(name)),
        ),
      () => pairs(options, 'copy').map(([from, to]) => copy(name(from), name(to))),
    ];
    this.actions = createAll(kinds, (make) => make()).flat();
  }

  /** The first failure stops the rest; what was done before stays. */
  filter(event: LogEvent): 'matched' | 'unmatched' {
    try {
      for (const action of this.actions) action(event);
      return 'matched';
    } catch (error) {
      if (!isShoalError(error)) throw error;
      this.context.runtime.log.warn('mutate failed', { plugin: this.context.pluginId, reason: error.message });
      event.tag(this.failureTag);
      return 'unmatched';
    }
  }

  private merge(target: FieldName, sources: readonly FieldName[]): Action {
    return (event) => {
      const reference = target(event);
      const existing = event.get(reference) ?? null;
      let value = existing;
      for (const source of sources) {
        const added = cloneValue(event.get(source(event)) ?? null);
        if (existing instanceof Map !== added instanceof Map) {
          const fields = { plugin: this.context.pluginId, into: kindOf(existing), from: kindOf(added) };
          this.context.runtime.log.error('mutate cannot merge a map with another kind', fields);
          continue;
        }
        // Several sources add up in a list or a map. Into a single value, each is merged anew: the last one stays.
        value = merged(existing instanceof Map || Array.isArray(existing) ? value : existing, added);
        event.set(reference, value);
      }
    };
  }
}

function merged(existing: EventValue, added: EventValue): EventValue {
  if (existing instanceof Map && added instanceof Map) {
    const both: EventMap = new Map(existing);
    for (const [name, value] of added) both.set(name, value);
    return both;
  }
  return [...listOf(existing), ...listOf(added)];
}

function listOf(value: EventValue): readonly EventValue[] {
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function pairs(options: PluginOptions, name: string): readonly (readonly [string, unknown])[] {
  return options.has(name) ? [...options.hash(name)] : [];
}

function coerce(target: FieldName, make: ValueMaker): Action {
  return (event) => {
    const reference = target(event);
    if (event.get(reference) === null) event.set(reference, make(event));
  };
}

function rename(source: FieldName, target: FieldName): Action {
  return (event) => {
    const value = event.remove(source(event));
    if (value !== undefined) event.set(target(event), value);
  };
}

function replace(target: FieldName, make: ValueMaker, options: { readonly creates: boolean }): Action {
  return (event) => {
    const reference = target(event);
    if (!options.creates && event.get(reference) === undefined) return;
    event.set(reference, make(event));
  };
}

/** Numbers and booleans are set as their text. */
function valueMaker(value: unknown, options: TemplateOptions): ValueMaker {
  const given = toEventValue(value);
  if (typeof value !== 'string') return () => (given instanceof Map || Array.isArray(given) ? given : rubyText(given));
  const template = compileTemplate(value, options);
  return (event) => template.render(event);
}

function convert(target: FieldName, type: string): Action {
  if (!isConvertType(type)) {
    const known = 'string, integer, float, boolean, integer_eu, float_eu';
    throw new ShoalError(
      'illegal_argument_exception',
      400,
      `mutate: Invalid conversion type '${type}', expected one of ${known}`,
    );
  }
  return (event) => {
    const reference = target(event);
    const value = event.get(reference);
    if (value !== undefined && value !== null) event.set(reference, convertValue(value, type));
  };
}

function gsubs(options: PluginOptions, templates: TemplateOptions): readonly Action[] {
  const given = options.has('gsub') ? options.strings('gsub') : [];
  if (given.length % 3 !== 0) {
    const why = 'mutate: Invalid gsub configuration: it needs triples of field, regular expression, and replacement';
    throw new ShoalError('illegal_argument_exception', 400, why);
  }
  const actions: Action[] = [];
  for (let i = 0; i < given.length; i += 3) {
    const target = compileFieldName(given[i] ?? '', templates);
    const substitute = compileSubstitution(given[i + 1] ?? '', given[i + 2] ?? '', templates);
    actions.push(onText(target, substitute));
  }
  return actions;
}

function texts(
  options: PluginOptions,
  templates: TemplateOptions,
  name: string,
  change: (text: string) => string,
): readonly Action[] {
  const fields = options.has(name) ? options.strings(name) : [];
  return fields.map((field) => onText(compileFieldName(field, templates), change));
}

/** Changes a text, or the texts of an array; other kinds stay. */
function onText(target: FieldName, change: (text: string, event: LogEvent) => string): Action {
  return (event) => {
    const reference = target(event);
    const value = event.get(reference);
    if (typeof value === 'string') event.set(reference, change(value, event));
    else if (Array.isArray(value)) {
      event.set(
        reference,
        value.map((item) => (typeof item === 'string' ? change(item, event) : item)),
      );
    }
  };
}

function capitalized(text: string): string {
  const [first = ''] = text;
  const [upper = '', ...rest] = first.toUpperCase();
  return upper + rest.join('').toLowerCase() + text.slice(first.length).toLowerCase();
}

/** Strips a text or a list of texts; a list with another kind in it is an error. */
function strip(target: FieldName): Action {
  return (event) => {
    const reference = target(event);
    const value = event.get(reference);
    if (typeof value === 'string') event.set(reference, stripped(value));
    else if (Array.isArray(value)) event.set(reference, value.map(stripped));
  };
}

/** Takes ASCII white space and NUL from both ends, as Ruby does. */
function stripped(value: EventValue): string {
  if (typeof value !== 'string') {
    throw new ShoalError('illegal_argument_exception', 400, `cannot strip a value of the kind ${kindOf(value)}`);
  }
  return value.replace(/^[\0\t-\r ]+|[\0\t-\r ]+$/g, '');
}

function split(target: FieldName, separator: string): Action {
  return (event) => {
    const reference = target(event);
    const value = event.get(reference);
    if (typeof value === 'string') event.set(reference, rubySplit(value, separator));
  };
}

function join(target: FieldName, separator: string): Action {
  return (event) => {
    const reference = target(event);
    const value = event.get(reference);
    if (Array.isArray(value)) event.set(reference, rubyJoin(value, separator));
  };
}

function copy(source: FieldName, target: FieldName): Action {
  return (event) => {
    const value = event.get(source(event));
    if (value !== undefined && value !== null) event.set(target(event), cloneValue(value));
  };
}

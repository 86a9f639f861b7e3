/**
 * translate: looks a value up in a dictionary.
 */

import {
  cloneValue,
  compileTemplate,
  type EventMap,
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseFieldReference,
  type Template,
  toEventValue,
} from '@shoal/agent-event';
import {
  type Filter,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  rubyText,
} from '@shoal/agent-plugin-kit';
import { isShoalError, messageOf, ShoalError } from '@shoal/core';
import { GuardedRegex } from '@shoal/ruby-regex';
import { readDictionary } from './dictionary-file.ts';

export const translateFilter: PluginDefinition = {
  kind: 'filter',
  name: 'translate',
  version: '3.4.2',
  isStateless: true,
  options: {
    source: { type: 'fieldReference' },
    field: { type: 'fieldReference', deprecated: 'use source' },
    target: { type: 'fieldReference' },
    destination: { type: 'fieldReference', deprecated: 'use target' },
    dictionary: { type: 'hash' },
    dictionary_path: { type: 'path' },
    exact: { type: 'boolean', default: true },
    regex: { type: 'boolean', default: false },
    fallback: { type: 'string' },
    override: { type: 'boolean' },
    iterate_on: { type: 'fieldReference' },
    refresh_interval: { type: 'number', default: 300 },
    refresh_behaviour: { type: ['merge', 'replace'], default: 'merge' },
    yaml_dictionary_code_point_limit: { type: 'number', default: 134_217_728 },
    /** Both give the same dictionary; this agent reads a file as one piece. */
    yaml_load_strategy: { type: ['one_shot', 'streaming'], default: 'one_shot' },
  },
  create: (options, context) => new TranslateFilter(options, context),
};

type LookUp = (text: string) => EventValue | undefined;

class TranslateFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly source: FieldReference;
  private readonly target: FieldReference;
  private readonly iterated: FieldReference | null;
  private readonly isInPlace: boolean;
  private readonly overrides: boolean;
  private readonly fallback: Template | null;
  private dictionary: EventMap = new Map();
  private lookUp: LookUp = () => undefined;
  private readAtMs = 0;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    const source = named(options, 'source', 'field');
    if (source === null) throw invalid('source is required');
    if (options.has('dictionary_path') && options.has('dictionary') && options.hash('dictionary').size > 0) {
      throw invalid('dictionary and dictionary_path are mutually exclusive: give one of them');
    }
    if (options.number('yaml_dictionary_code_point_limit') <= 0) {
      throw invalid('yaml_dictionary_code_point_limit must be positive');
    }
    const fallbackTarget = context.ecs === 'disabled' ? parseFieldReference('translation') : source;
    this.source = source;
    this.target = named(options, 'target', 'destination') ?? fallbackTarget;
    this.isInPlace = sameField(this.target, source);
    this.overrides = options.has('override') ? options.boolean('override') : this.isInPlace;
    this.iterated = options.has('iterate_on') ? options.reference('iterate_on') : null;
    this.fallback = options.has('fallback') ? compileTemplate(options.string('fallback'), context) : null;
    this.load();
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    this.refresh();
    try {
      const isMatched = this.iterated === null ? this.translateOne(event) : this.translateEach(event, this.iterated);
      return isMatched ? 'matched' : 'unmatched';
    } catch (error) {
      if (!isShoalError(error)) throw error;
      const fields = { plugin: this.context.pluginId, reason: error.message };
      this.context.runtime.log.error('translate cannot look a value up', fields);
      return 'unmatched';
    }
  }

  /** A list stands for its first item. In place the event counts as matched even when nothing is found. */
  private translateOne(event: LogEvent): boolean {
    const value = event.get(this.source);
    if (value === undefined || this.isKept(event, this.target)) return false;
    const found = this.translated(event, Array.isArray(value) ? (value[0] ?? null) : value);
    if (found !== undefined) event.set(this.target, found);
    return found !== undefined || this.isInPlace;
  }

  private translateEach(event: LogEvent, iterated: FieldReference): boolean {
    const items = event.get(iterated);
    if (items === undefined) return false;
    if (sameField(iterated, this.source)) return this.translateItems(event, items);
    let isMatched = false;
    for (const index of Array.isArray(items) ? items.keys() : []) {
      const value = event.get(below(iterated, index, this.source));
      const found =
        value === undefined || value === null ? this.fallback?.render(event) : this.translated(event, value);
      if (found === undefined) continue;
      isMatched = true;
      event.set(below(iterated, index, this.target), found);
    }
    return isMatched;
  }

  /** The target has one item for each of the source, null where nothing was found. */
  private translateItems(event: LogEvent, items: EventValue): boolean {
    if (this.isKept(event, this.target)) return false;
    const sources = Array.isArray(items) ? items : items === null ? [] : [items];
    const found = sources.map((item) => this.translated(event, item) ?? null);
    event.set(this.target, found);
    return found.some((item) => item !== null && item !== false) || this.isInPlace;
  }

  private isKept(event: LogEvent, target: FieldReference): boolean {
    return !this.overrides && event.get(target) !== undefined;
  }

  private translated(event: LogEvent, value: EventValue): EventValue | undefined {
    const found = this.lookUp(rubyText(value));
    return found === undefined ? this.fallback?.render(event) : cloneValue(found);
  }

  private load(): void {
    if (!this.options.has('dictionary_path')) {
      const given = toEventValue(this.options.has('dictionary') ? this.options.hash('dictionary') : new Map());
      this.dictionary = given instanceof Map ? given : new Map();
    } else {
      const read = readDictionary(
        this.options.string('dictionary_path'),
        this.options.number('yaml_dictionary_code_point_limit'),
      );
      const merges = this.options.string('refresh_behaviour') === 'merge';
      this.dictionary = merges ? new Map([...this.dictionary, ...read]) : read;
      this.readAtMs = this.context.runtime.clock.monotonicMs();
    }
    this.lookUp = compileLookUp(this.dictionary, this.options.boolean('exact'), this.options.boolean('regex'));
  }

  /** A file that cannot be read any more leaves the old words in force. */
  private refresh(): void {
    const intervalMs = this.options.number('refresh_interval') * 1000;
    if (intervalMs <= 0 || !this.options.has('dictionary_path')) return;
    if (this.context.runtime.clock.monotonicMs() - this.readAtMs < intervalMs) return;
    try {
      this.load();
    } catch (error) {
      this.readAtMs = this.context.runtime.clock.monotonicMs();
      const reason = messageOf(error);
      this.context.runtime.log.warn('translate cannot read its dictionary again', {
        plugin: this.context.pluginId,
        reason,
      });
    }
  }
}

/**
 * Exact: the whole value, with `regex` by the first key whose expression is found in it. Otherwise all keys are looked for in
 * one pass over the text, and what was put in is not looked at again.
 */
function compileLookUp(dictionary: EventMap, exact: boolean, regex: boolean): LookUp {
  if (exact && !regex) return (text) => dictionary.get(text);
  if (exact) {
    const rules = [...dictionary].map(([key, value]) => ({ regex: new GuardedRegex(key), value }));
    return (text) => rules.find((rule) => rule.regex.test(text))?.value;
  }
  if (dictionary.size === 0) return () => undefined;
  const anyKey = new GuardedRegex([...dictionary.keys()].map(escaped).join('|'), 'g');
  return (text) => {
    const changed = anyKey.replace(text, (key) => rubyText(dictionary.get(String(key)) ?? null));
    return changed === text ? undefined : changed;
  };
}

function sameField(a: FieldReference, b: FieldReference): boolean {
  return (
    a.isMetadata === b.isMetadata && a.path.length === b.path.length && a.path.every((name, i) => name === b.path[i])
  );
}

/** The field of an item of a list. */
function below(list: FieldReference, index: number, field: FieldReference): FieldReference {
  const path = [...list.path, String(index), ...field.path];
  return { text: `${list.text}[${index}]${field.text}`, path, isMetadata: list.isMetadata };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function named(options: PluginOptions, name: string, oldName: string): FieldReference | null {
  if (options.has(name)) return options.reference(name);
  return options.has(oldName) ? options.reference(oldName) : null;
}

function invalid(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `translate: ${why}`);
}

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
  printValue,
  type Template,
  toEventValue,
} from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
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
  },
  create: (options, context) => new TranslateFilter(options, context),
};

type LookUp = (text: string) => EventValue | undefined;

class TranslateFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly source: FieldReference;
  private readonly target: FieldReference;
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
    if (options.has('dictionary') === options.has('dictionary_path')) {
      throw invalid('give dictionary or dictionary_path, one of them');
    }
    const fallbackTarget = context.ecs === 'disabled' ? parseFieldReference('translation') : source;
    this.source = source;
    this.target = named(options, 'target', 'destination') ?? fallbackTarget;
    this.overrides = options.has('override') ? options.boolean('override') : this.target.text === source.text;
    this.fallback = options.has('fallback') ? compileTemplate(options.string('fallback'), context) : null;
    this.load();
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    this.refresh();
    if (this.options.has('iterate_on')) return this.translateEach(event);
    const value = event.get(this.source);
    if (value === undefined || value === null) return 'unmatched';
    if (!this.overrides && event.get(this.target) !== undefined) return 'unmatched';
    const items = Array.isArray(value) ? value : [value];
    const found = items.map((item) => this.translated(event, item));
    if (found.every((item) => item === undefined)) return 'unmatched';
    const values = found.filter((item) => item !== undefined);
    event.set(this.target, Array.isArray(value) ? values : (values[0] ?? null));
    return 'matched';
  }

  private translateEach(event: LogEvent): 'matched' | 'unmatched' {
    const items = event.get(this.options.reference('iterate_on'));
    if (items === undefined || items === null) return 'unmatched';
    const isSource = this.options.reference('iterate_on').text === this.source.text;
    let isMatched = false;
    const translated: EventValue[] = [];
    for (const item of Array.isArray(items) ? items : [items]) {
      const value = isSource ? item : item instanceof Map ? item.get(this.source.path.at(-1) ?? '') : undefined;
      const found = value === undefined || value === null ? undefined : this.translated(event, value);
      if (found === undefined) continue;
      isMatched = true;
      if (isSource) translated.push(found);
      else if (item instanceof Map) item.set(this.target.path.at(-1) ?? '', found);
    }
    if (isSource && isMatched) event.set(this.target, translated);
    return isMatched ? 'matched' : 'unmatched';
  }

  private translated(event: LogEvent, value: EventValue): EventValue | undefined {
    const found = this.lookUp(printValue(value));
    return found === undefined ? this.fallback?.render(event) : cloneValue(found);
  }

  private load(): void {
    if (this.options.has('dictionary')) {
      const given = toEventValue(this.options.hash('dictionary'));
      this.dictionary = given instanceof Map ? given : new Map();
    } else {
      const read = readDictionary(this.options.string('dictionary_path'));
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
      const reason = error instanceof Error ? error.message : String(error);
      this.context.runtime.log.warn('translate cannot read its dictionary again', {
        plugin: this.context.pluginId,
        reason,
      });
    }
  }
}

/** Exact: the whole value. Otherwise every key is replaced inside the text. With `regex` keys are expressions. */
function compileLookUp(dictionary: EventMap, exact: boolean, regex: boolean): LookUp {
  if (exact && !regex) return (text) => dictionary.get(text);
  const rules = [...dictionary].map(([key, value]) => ({
    regex: new GuardedRegex(regex ? key : escaped(key), 'g'),
    value,
  }));
  if (exact) {
    return (text) => {
      const found = rules.find((rule) => {
        return rule.regex.test(text);
      });
      return found?.value;
    };
  }
  return (text) => {
    let changed = text;
    for (const rule of rules) changed = rule.regex.replace(changed, () => printValue(rule.value));
    return changed === text ? undefined : changed;
  };
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

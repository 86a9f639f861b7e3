/**
 * kv: finds `key=value` pairs in a text.
 */

import {
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
  noteRootTarget,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { isShoalError, ShoalError } from '@shoal/core';
import { compileRubyRegex, lazyWatchedCall, patternRisk, TIMED_OUT, type WatchedCall } from '@shoal/ruby-regex';
import { compileKvScanner, type KvScanner } from './kv-scanner.ts';

const TRANSFORMS = ['lowercase', 'uppercase', 'capitalize'] as const;

export const kvFilter: PluginDefinition = {
  kind: 'filter',
  name: 'kv',
  version: '4.7.0',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', default: 'message' },
    target: { type: 'fieldReference' },
    prefix: { type: 'template', default: '' },
    field_split: { type: 'string', default: ' ' },
    value_split: { type: 'string', default: '=' },
    field_split_pattern: { type: 'string' },
    value_split_pattern: { type: 'string' },
    include_keys: { type: 'array', default: [] },
    exclude_keys: { type: 'array', default: [] },
    default_keys: { type: 'hash', default: {} },
    allow_duplicate_values: { type: 'boolean', default: true },
    allow_empty_values: { type: 'boolean', default: false },
    include_brackets: { type: 'boolean', default: true },
    recursive: { type: 'boolean', default: false },
    trim_key: { type: 'string' },
    trim_value: { type: 'string' },
    remove_char_key: { type: 'string' },
    remove_char_value: { type: 'string' },
    transform_key: { type: TRANSFORMS },
    transform_value: { type: TRANSFORMS },
    whitespace: { type: ['lenient', 'strict'], default: 'lenient' },
    timeout_millis: { type: 'number', default: 30000 },
    tag_on_failure: { type: 'array', default: ['_kv_filter_error'] },
    tag_on_timeout: { type: 'string', default: '_kv_filter_timeout' },
  },
  create: (options, context) => {
    noteRootTarget(options, context);
    return new KvFilter(options, context);
  },
};

/** Values inside values; deeper ones stay text, so that a hostile line cannot exhaust the stack. */
const RECURSION_MAX = 100;

type Change = (text: string) => string;

/** What an event's own fields decide, the same for all of its texts. */
interface KeyRules {
  readonly included: readonly string[];
  readonly excluded: readonly string[];
  readonly prefix: string;
}

class KvFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly source: FieldReference;
  private readonly target: FieldReference | null;
  private readonly scanner: KvScanner;
  private readonly changeKey: Change;
  private readonly changeValue: Change;
  private readonly included: readonly Template[];
  private readonly excluded: readonly Template[];
  private readonly allowsEmpty: boolean;
  private readonly allowsDuplicates: boolean;
  private readonly isRecursive: boolean;
  /** Texts that are longer may take time that grows faster than they do: they are watched. */
  private readonly lengthMax: number;
  private readonly watch: WatchedCall | null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.source = options.reference('source');
    this.target = options.has('target') ? options.reference('target') : null;
    this.scanner = compileKvScanner({
      fieldSplit: options.string('field_split'),
      valueSplit: nonEmpty(options, 'value_split'),
      fieldSplitPattern: options.has('field_split_pattern') ? nonEmpty(options, 'field_split_pattern') : null,
      valueSplitPattern: options.has('value_split_pattern') ? nonEmpty(options, 'value_split_pattern') : null,
      includesBrackets: options.boolean('include_brackets'),
      isStrict: options.string('whitespace') === 'strict',
    });
    this.changeKey = changeOf(options, 'key');
    this.changeValue = changeOf(options, 'value');
    this.included = options.strings('include_keys').map((text) => compileTemplate(text, context));
    this.excluded = options.strings('exclude_keys').map((text) => compileTemplate(text, context));
    this.allowsEmpty = options.boolean('allow_empty_values');
    this.allowsDuplicates = options.boolean('allow_duplicate_values');
    this.isRecursive = options.boolean('recursive');
    const timeoutMs = options.number('timeout_millis');
    this.lengthMax = patternRisk(this.scanner.source).lengthMax;
    this.watch = timeoutMs > 0 ? lazyWatchedCall(timeoutMs) : null;
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    const value = event.get(this.source);
    const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
    const found: EventMap = new Map();
    const rules = this.rulesOf(event);
    const scan = (): true => {
      for (const text of texts) this.collect(rules, text, found, 0);
      return true;
    };
    const watch = texts.some((text) => text.length > this.lengthMax) ? this.watch : null;
    if ((watch === null ? scan() : watch(scan)) === TIMED_OUT) {
      event.tag(this.options.string('tag_on_timeout'));
      return 'unmatched';
    }
    const all: EventMap = new Map();
    for (const [key, given] of this.options.hash('default_keys')) all.set(key, toEventValue(given));
    for (const [key, one] of found) all.set(key, one);
    if (all.size === 0) return 'unmatched';
    try {
      this.store(event, all);
      return 'matched';
    } catch (error) {
      if (!isShoalError(error)) throw error;
      for (const tag of this.options.strings('tag_on_failure')) event.tag(tag);
      return 'unmatched';
    }
  }

  private rulesOf(event: LogEvent): KeyRules {
    return {
      included: this.included.map((template) => template.render(event)),
      excluded: this.excluded.map((template) => template.render(event)),
      prefix: this.options.template('prefix').render(event),
    };
  }

  private collect(rules: KeyRules, text: string, found: EventMap, depth: number): void {
    for (const pair of this.scanner.scan(text)) {
      if (pair.value === '' && !this.allowsEmpty) continue;
      const bare = this.changeKey(pair.key);
      if (rules.included.length > 0 && !rules.included.includes(bare)) continue;
      if (rules.excluded.includes(bare)) continue;
      const key = rules.prefix + bare;
      const value = this.changeValue(pair.value);
      const existing = found.get(key);
      if (!this.allowsDuplicates && existing !== undefined && holds(existing, value)) continue;
      const stored = this.nested(rules, value, depth);
      if (existing === undefined) found.set(key, stored);
      else if (Array.isArray(existing)) existing.push(stored);
      else found.set(key, [existing, stored]);
    }
  }

  private nested(rules: KeyRules, text: string, depth: number): EventValue {
    if (!this.isRecursive || depth >= RECURSION_MAX) return text;
    const inner: EventMap = new Map();
    this.collect(rules, text, inner, depth + 1);
    return inner.size === 0 ? text : inner;
  }

  private store(event: LogEvent, found: EventMap): void {
    if (this.target !== null) {
      event.set(this.target, found);
      return;
    }
    for (const [key, value] of found) event.set(referenceOf(key), value);
  }
}

/** A duplicate is what Ruby's `include?` finds: an item of an array, a key of a map, a part of a text. */
function holds(existing: EventValue, value: string): boolean {
  if (Array.isArray(existing) || typeof existing === 'string') return existing.includes(value);
  return existing instanceof Map && existing.has(value);
}

/** Keys come from the text. A key that trimming left empty is a name too; a malformed reference is an error. */
function referenceOf(key: string): FieldReference {
  return key === '' ? { text: key, path: [key], isMetadata: false } : parseFieldReference(key);
}

function nonEmpty(options: PluginOptions, name: string): string {
  const given = options.string(name);
  if (given === '') throw new ShoalError('illegal_argument_exception', 400, `kv: ${name} must not be empty`);
  return given;
}

/** Trim, then remove characters, then change case. Trimming is done in every line of a text. */
function changeOf(options: PluginOptions, part: 'key' | 'value'): Change {
  const changes: Change[] = [];
  if (options.has(`trim_${part}`)) {
    const set = `[${options.string(`trim_${part}`)}]`;
    const regex = compileRubyRegex(`^${set}+|${set}+$`, 'g');
    changes.push((text) => text.replace(regex, ''));
  }
  if (options.has(`remove_char_${part}`)) {
    const regex = compileRubyRegex(`[${options.string(`remove_char_${part}`)}]`, 'g');
    changes.push((text) => text.replace(regex, ''));
  }
  if (options.has(`transform_${part}`)) changes.push(transformOf(options.string(`transform_${part}`)));
  return (text) => changes.reduce((changed, change) => change(changed), text);
}

function transformOf(name: string): Change {
  if (name === 'lowercase') return (text) => text.toLowerCase();
  if (name === 'uppercase') return (text) => text.toUpperCase();
  return capitalize;
}

/** First character upper, the rest lower; a character whose upper case is two (`ß`) is only half upper. */
function capitalize(text: string): string {
  const [first = ''] = text;
  const [upper = '', ...more] = first.toUpperCase();
  return upper + (more.join('') + text.slice(first.length)).toLowerCase();
}

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
import { compileRubyRegex, patternRisk, TIMED_OUT, type WatchedCall, watchedCall } from '@shoal/ruby-regex';
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

const RECURSION_MAX = 10;
const PAIRS_MAX = 100_000;

type Change = (text: string) => string;

class KvFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly source: FieldReference;
  private readonly target: FieldReference | null;
  private readonly scanner: KvScanner;
  private readonly changeKey: Change;
  private readonly changeValue: Change;
  private readonly included: readonly Template[];
  private readonly excluded: readonly Template[];
  /** Only for patterns of the user that can run away. */
  private readonly watched: WatchedCall | null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.source = options.reference('source');
    this.target = options.has('target') ? options.reference('target') : null;
    this.scanner = compileKvScanner({
      fieldSplit: splitter(options, 'field_split'),
      valueSplit: splitter(options, 'value_split'),
      includesBrackets: options.boolean('include_brackets'),
      isStrict: options.string('whitespace') === 'strict',
    });
    this.changeKey = changeOf(options, 'key');
    this.changeValue = changeOf(options, 'value');
    this.included = options.strings('include_keys').map((text) => compileTemplate(text, context));
    this.excluded = options.strings('exclude_keys').map((text) => compileTemplate(text, context));
    const isRisky = patternRisk(this.scanner.source).blowUps.length > 0;
    this.watched =
      isRisky && options.number('timeout_millis') > 0 ? watchedCall(options.number('timeout_millis')) : null;
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    const value = event.get(this.source);
    const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
    const found: EventMap = new Map();
    const scan = (): true => {
      for (const text of texts) this.collect(event, text, found, 0);
      return true;
    };
    if ((this.watched === null ? scan() : this.watched(scan)) === TIMED_OUT) {
      event.tag(this.options.string('tag_on_timeout'));
      return 'unmatched';
    }
    for (const [key, given] of this.options.hash('default_keys'))
      if (!found.has(key)) found.set(key, toEventValue(given));
    if (found.size === 0) return 'unmatched';
    try {
      this.store(event, found);
      return 'matched';
    } catch (error) {
      if (!isShoalError(error)) throw error;
      for (const tag of this.options.strings('tag_on_failure')) event.tag(tag);
      return 'unmatched';
    }
  }

  private collect(event: LogEvent, text: string, found: EventMap, depth: number): void {
    const included = this.included.map((template) => template.render(event));
    const excluded = this.excluded.map((template) => template.render(event));
    const prefix = this.options.template('prefix').render(event);
    for (const pair of this.scanner.scan(text)) {
      if (pair.value === '' && !this.options.boolean('allow_empty_values')) continue;
      const key = this.changeKey(pair.key);
      if (included.length > 0 && !included.includes(key)) continue;
      if (excluded.includes(key) || key === '') continue;
      const changed = this.changeValue(pair.value);
      this.add(found, prefix + key, this.nested(event, changed, depth));
      if (found.size >= PAIRS_MAX) return;
    }
  }

  private nested(event: LogEvent, text: string, depth: number): EventValue {
    if (!this.options.boolean('recursive') || depth >= RECURSION_MAX) return text;
    const inner: EventMap = new Map();
    this.collect(event, text, inner, depth + 1);
    return inner.size === 0 ? text : inner;
  }

  private add(found: EventMap, key: string, value: EventValue): void {
    const existing = found.get(key);
    if (existing === undefined) found.set(key, value);
    else if (Array.isArray(existing)) {
      if (this.options.boolean('allow_duplicate_values') || !existing.includes(value)) existing.push(value);
    } else if (this.options.boolean('allow_duplicate_values') || existing !== value) found.set(key, [existing, value]);
  }

  private store(event: LogEvent, found: EventMap): void {
    if (this.target !== null) {
      event.set(this.target, found);
      return;
    }
    for (const [key, value] of found) event.set(referenceOf(key), value);
  }
}

/** Keys come from the text: what is no reference is a name as it is. */
function referenceOf(key: string): FieldReference {
  if (/^(?:\[[^[\]]+\])+$/.test(key) || !/[[\]]/.test(key)) return parseFieldReference(key);
  return { text: key, path: [key], isMetadata: false };
}

/** The pattern when given, else the characters as a class. */
function splitter(options: PluginOptions, name: string): { readonly pattern: string; readonly isClass: boolean } {
  if (options.has(`${name}_pattern`)) {
    const pattern = options.string(`${name}_pattern`);
    if (pattern === '')
      throw new ShoalError('illegal_argument_exception', 400, `kv: ${name}_pattern must not be empty`);
    return { pattern, isClass: false };
  }
  const characters = options.string(name);
  if (characters === '') throw new ShoalError('illegal_argument_exception', 400, `kv: ${name} must not be empty`);
  return { pattern: characters, isClass: true };
}

/** Trim, then remove characters, then change case. */
function changeOf(options: PluginOptions, part: 'key' | 'value'): Change {
  const changes: Change[] = [];
  if (options.has(`trim_${part}`)) {
    const set = `[${options.string(`trim_${part}`)}]`;
    const regex = compileRubyRegex(`\\A${set}+|${set}+\\z`, 'g');
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
  return (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
}

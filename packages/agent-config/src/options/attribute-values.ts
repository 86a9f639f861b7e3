/**
 * From the tree's attributes to the values that are checked: strings with escapes and variables replaced, repeated
 * attributes merged, repeated names inside one hash refused.
 */
import { type ConfigProblem, problemAt } from '../source/config-error.ts';
import type { AttributeNode, HashNode, NameNode, NumberNode, PluginNode, ValueNode } from '../source/config-tree.ts';
import type { SourceText } from '../source/source-text.ts';
import { replaceEscapes, substituteVariables, type VariableLookup } from '../source/substitute-variables.ts';
import { type GivenOption, PluginBlock, type RawValue } from './option-value.ts';

export interface LanguageOptions {
  readonly variables: VariableLookup;
  /** `config.support_escapes`. */
  readonly supportEscapes: boolean;
}

export class AttributeReader {
  private readonly source: SourceText;
  private readonly language: LanguageOptions;
  private readonly report: (problem: ConfigProblem) => void;

  constructor(source: SourceText, language: LanguageOptions, report: (problem: ConfigProblem) => void) {
    this.source = source;
    this.language = language;
    this.report = report;
  }

  options(plugin: PluginNode): readonly GivenOption[] {
    const options = new Map<string, GivenOption>();
    for (const attribute of plugin.attributes) {
      const name = this.name(attribute.name);
      const value = this.value(attribute.value);
      const before = options.get(name);
      const position = before?.position ?? this.source.position(attribute.start);
      const merged = before === undefined ? value : this.merge(before.value, value, name, attribute);
      options.set(name, { name, value: merged, position });
    }
    return [...options.values()];
  }

  name(node: NameNode | NumberNode): string {
    return node.kind === 'string' ? this.unescaped(node.text) : node.text;
  }

  value(node: ValueNode): RawValue {
    switch (node.kind) {
      case 'number':
        return Number(node.text);
      case 'bareword':
        return node.text;
      case 'string':
        return this.text(node.text, node.start);
      case 'array':
        return node.items.flatMap((item) => this.item(item));
      case 'hash':
        return this.hash(node);
      default:
        return this.block(node);
    }
  }

  /** A string of the configuration with escapes and variables replaced. */
  text(raw: string, offset: number): string | readonly string[] {
    const { value, missing } = substituteVariables(this.unescaped(raw), this.language.variables);
    for (const name of missing) {
      const message = `\${${name}} is neither in the key store nor in the environment, and has no default`;
      this.report(problemAt(this.source, offset, message, `a default is written \${${name}:default}`));
    }
    return value;
  }

  private unescaped(raw: string): string {
    return this.language.supportEscapes ? replaceEscapes(raw) : raw;
  }

  /** A list that came out of a variable inside a list is part of it. */
  private item(node: ValueNode): readonly RawValue[] {
    const value = this.value(node);
    return node.kind === 'string' && Array.isArray(value) ? value : [value];
  }

  private hash(node: HashNode): RawValue {
    const hash = new Map<string, RawValue>();
    for (const entry of node.entries) {
      const name = this.name(entry.name);
      if (hash.has(name)) {
        this.report(problemAt(this.source, entry.start, `The name ${JSON.stringify(name)} stands twice in this hash`));
      }
      hash.set(name, this.value(entry.value));
    }
    return hash;
  }

  private block(node: PluginNode): PluginBlock {
    const source = this.source.text.slice(node.start, node.end);
    return new PluginBlock(this.name(node.name), this.options(node), this.source.position(node.start), source);
  }

  private merge(before: RawValue, value: RawValue, name: string, attribute: AttributeNode): RawValue {
    if (before instanceof PluginBlock || value instanceof PluginBlock || name === 'codec' || name === 'id') {
      this.report(problemAt(this.source, attribute.start, `Setting '${name}' is given twice`));
      return before;
    }
    if (before instanceof Map && value instanceof Map) return mergeHashes(before, value);
    if (Array.isArray(before)) return [...before, ...(Array.isArray(value) ? value : [value])];
    if (Array.isArray(value)) return [before, ...value];
    return before === value ? before : [before, value];
  }
}

/** Values of one name are collected. */
function mergeHashes(before: ReadonlyMap<string, RawValue>, more: ReadonlyMap<string, RawValue>): RawValue {
  const merged = new Map(before);
  for (const [name, value] of more) {
    const present = merged.get(name);
    if (present === undefined || present === value) merged.set(name, value);
    else merged.set(name, [...asItems(present), ...asItems(value)]);
  }
  return merged;
}

function asItems(value: RawValue): readonly RawValue[] {
  return Array.isArray(value) ? value : [value];
}

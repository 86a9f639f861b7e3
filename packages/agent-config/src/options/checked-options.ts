/**
 * Options that passed the check, in the types their declarations promise. The accessors assert: a plugin that asks for an
 * option under another type, or for one that it did not declare, is a mistake of the plugin.
 */

import type { FieldReference, Template } from '@shoal/agent-event';
import type { Codec, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { assert, DoubleNumber } from '@shoal/core';
import type { Position } from '../source/position.ts';

/** A coerced value with the accessor it is for. `value` is the same in the language's own terms. */
export type OptionValue =
  | { readonly kind: 'string'; readonly string: string; readonly value: unknown }
  | { readonly kind: 'number'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'boolean'; readonly boolean: boolean; readonly value: unknown }
  | { readonly kind: 'array'; readonly value: readonly unknown[] }
  | { readonly kind: 'hash'; readonly value: ReadonlyMap<string, unknown> }
  | { readonly kind: 'reference'; readonly reference: FieldReference; readonly value: unknown }
  | { readonly kind: 'template'; readonly template: Template; readonly value: unknown }
  | { readonly kind: 'templates'; readonly templates: readonly Template[]; readonly value: readonly unknown[] }
  | { readonly kind: 'duration'; readonly milliseconds: number; readonly value: unknown }
  | { readonly kind: 'codec'; readonly codec: PlannedCodec; readonly value: unknown };

/** Codec of a codec option: checked, not created yet. */
export interface PlannedCodec {
  readonly name: string;
  readonly id: string;
  readonly hasExplicitId: boolean;
  readonly position: Position;
  readonly definition: Extract<PluginDefinition, { readonly kind: 'codec' }>;
  readonly options: CheckedOptions;
}

export class CheckedOptions {
  readonly values: ReadonlyMap<string, OptionValue>;

  constructor(values: ReadonlyMap<string, OptionValue>) {
    this.values = values;
  }

  /** The plan of the option's codec; null when the option is not there. */
  codecPlan(name: string): PlannedCodec | null {
    const value = this.values.get(name);
    return value?.kind === 'codec' ? value.codec : null;
  }

  /** What a plugin's `create` gets. Every codec option is made here, once. */
  bind(makeCodec: (plan: PlannedCodec) => Codec): PluginOptions {
    const codecs = new Map<string, Codec>();
    for (const [name, value] of this.values) if (value.kind === 'codec') codecs.set(name, makeCodec(value.codec));
    return new BoundOptions(this.values, codecs);
  }

  /** For questions that are asked before anything runs: to ask for a codec fails. */
  withoutCodecs(): PluginOptions {
    return new BoundOptions(this.values, new Map());
  }
}

type ValueOf<Kind extends OptionValue['kind']> = Extract<OptionValue, { readonly kind: Kind }>;

class BoundOptions implements PluginOptions {
  private readonly values: ReadonlyMap<string, OptionValue>;
  private readonly codecs: ReadonlyMap<string, Codec>;

  constructor(values: ReadonlyMap<string, OptionValue>, codecs: ReadonlyMap<string, Codec>) {
    this.values = values;
    this.codecs = codecs;
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  string(name: string): string {
    const option = this.option(name);
    if (option.kind === 'string') return option.string;
    // The text of a template or reference is wanted too, for messages.
    if (option.kind === 'template') return option.template.text;
    assert(option.kind === 'reference', `option ${name} is a ${option.kind}, no string`);
    return option.reference.text;
  }

  number(name: string): number {
    return this.of(name, 'number').number;
  }

  boolean(name: string): boolean {
    return this.of(name, 'boolean').boolean;
  }

  strings(name: string): readonly string[] {
    const option = this.option(name);
    if (option.kind === 'templates') return option.templates.map((template) => template.text);
    if (option.kind === 'string') return [option.string];
    return this.of(name, 'array').value.map(optionText);
  }

  value(name: string): unknown {
    return this.option(name).value;
  }

  hash(name: string): ReadonlyMap<string, unknown> {
    return this.of(name, 'hash').value;
  }

  reference(name: string): FieldReference {
    return this.of(name, 'reference').reference;
  }

  template(name: string): Template {
    return this.of(name, 'template').template;
  }

  templates(name: string): readonly Template[] {
    return this.of(name, 'templates').templates;
  }

  codec(name: string): Codec {
    const codec = this.codecs.get(name);
    assert(codec !== undefined, `no codec in option ${name}`);
    return codec;
  }

  milliseconds(name: string): number {
    return this.of(name, 'duration').milliseconds;
  }

  private option(name: string): OptionValue {
    const option = this.values.get(name);
    assert(option !== undefined, `option ${name} was not given and has no default`);
    return option;
  }

  private of<Kind extends OptionValue['kind']>(name: string, kind: Kind): ValueOf<Kind> {
    const option = this.option(name);
    assert(option.kind === kind, `option ${name} is a ${option.kind}, no ${kind}`);
    return option as ValueOf<Kind>;
  }
}

/** An item of an option as text; maps and lists as the language would print them. */
export function optionText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof DoubleNumber) return value.toString();
  if (Array.isArray(value)) return `[${value.map(optionText).join(', ')}]`;
  if (value instanceof Map) return `{${[...value].map(([k, v]) => `${optionText(k)} => ${optionText(v)}`).join(' ')}}`;
  return '';
}

/**
 * Properties of a processor, or of a pipeline, read by name: each read property is taken, and what is left over at the end is
 * refused.
 */

import { DoubleNumber, type ShoalError } from '@shoal/core';
import { javaText } from '@shoal/script';
import {
  type PathTemplate,
  pathTemplate,
  type TextTemplate,
  textTemplate,
  type ValueTemplate,
  valueTemplate,
} from '../templates/value-template.ts';
import type { DocumentMap, DocumentValue } from '../values/document-value.ts';
import { javaType } from '../values/java-types.ts';
import { type ConfigPlace, configError } from './config-error.ts';

export class ProcessorConfig {
  readonly place: ConfigPlace;
  readonly #left: DocumentMap;

  constructor(place: ConfigPlace, properties: DocumentMap) {
    this.place = place;
    this.#left = new Map(properties);
  }

  /** The same properties, whose errors name another place. */
  at(place: ConfigPlace): ProcessorConfig {
    return new ProcessorConfig(place, this.#left);
  }

  /** Names of properties that nobody has read. */
  unread(): readonly string[] {
    return [...this.#left.keys()];
  }

  has(name: string): boolean {
    return (this.#left.get(name) ?? null) !== null;
  }

  /** @throws parse_exception (400), naming the property */
  error(name: string, reason: string): ShoalError {
    return configError(this.place, name, reason);
  }

  /** Takes a value of any kind; null where there is none. */
  optionalValue(name: string): DocumentValue {
    const value = this.#left.get(name) ?? null;
    this.#left.delete(name);
    return value;
  }

  value(name: string): DocumentValue {
    const value = this.optionalValue(name);
    if (value === null) throw this.error(name, 'required property is missing');
    return value;
  }

  optionalText(name: string): string | null {
    const value = this.optionalValue(name);
    if (value !== null && typeof value !== 'string') throw this.#wrongKind(name, 'a string', value);
    return value;
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === null) throw this.error(name, 'required property is missing');
    return value;
  }

  /** A text or a whole number, as a text; null where there is none. */
  optionalTextOrInteger(name: string): string | null {
    const value = this.optionalValue(name);
    if (value === null || typeof value === 'string') return value;
    if (javaType(value) !== 'java.lang.Integer') throw this.#wrongKind(name, 'a string or int', value);
    return String(value);
  }

  flag(name: string, byDefault: boolean): boolean {
    const value = this.optionalValue(name);
    if (value === null) return byDefault;
    if (typeof value !== 'boolean') throw this.#wrongKind(name, 'a boolean', value);
    return value;
  }

  /** A whole number of 32 bits, also as a text. */
  optionalInteger(name: string): number | null {
    const value = this.optionalValue(name);
    if (value === null) return null;
    const text = javaText(value);
    const number = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(number) || Math.trunc(number) !== (number | 0)) {
      throw this.error(name, `property cannot be converted to an int [${text}]`);
    }
    return number;
  }

  integer(name: string, byDefault: number): number {
    return this.optionalInteger(name) ?? byDefault;
  }

  optionalList(name: string): readonly DocumentValue[] | null {
    const value = this.optionalValue(name);
    if (value !== null && !Array.isArray(value)) throw this.#wrongKind(name, 'a list', value);
    return value;
  }

  list(name: string): readonly DocumentValue[] {
    const value = this.optionalList(name);
    if (value === null) throw this.error(name, 'required property is missing');
    return value;
  }

  optionalTexts(name: string): readonly string[] | null {
    return (
      this.optionalList(name)?.map((item) => {
        if (typeof item !== 'string') throw this.#wrongKind(name, 'a list of strings', item);
        return item;
      }) ?? null
    );
  }

  /** A text, or a list of texts; empty where there is none. */
  textOrTexts(name: string): readonly string[] {
    const value = this.#left.get(name) ?? null;
    if (Array.isArray(value)) return this.texts(name);
    const text = this.optionalText(name);
    return text === null ? [] : [text];
  }

  texts(name: string): readonly string[] {
    const value = this.optionalTexts(name);
    if (value === null) throw this.error(name, 'required property is missing');
    return value;
  }

  optionalMap(name: string): DocumentMap | null {
    const value = this.optionalValue(name);
    if (value !== null && !(value instanceof Map)) throw this.#wrongKind(name, 'a map', value);
    return value;
  }

  map(name: string): DocumentMap {
    const value = this.optionalMap(name);
    if (value === null) throw this.error(name, 'required property is missing');
    return value;
  }

  /** One of the texts; null where there is none. */
  optionalChoice<T extends string>(name: string, choices: readonly T[], describe: string): T | null {
    const text = this.optionalText(name);
    if (text === null) return null;
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw this.error(name, describe.replace('{}', text));
    return found;
  }

  textTemplate(name: string): TextTemplate {
    return textTemplate(this.text(name));
  }

  optionalTextTemplate(name: string): TextTemplate | null {
    const text = this.optionalText(name);
    return text === null ? null : textTemplate(text);
  }

  pathTemplate(name: string): PathTemplate {
    return pathTemplate(this.text(name));
  }

  valueTemplate(name: string): ValueTemplate {
    return valueTemplate(this.value(name));
  }

  #wrongKind(name: string, wanted: string, value: DocumentValue): ShoalError {
    return this.error(name, `property isn't ${wanted}, but of type [${javaType(value)}]`);
  }
}

/** The number that a configured value is, as a double; null for what is none. */
export function numberOf(value: DocumentValue): number | null {
  if (value instanceof DoubleNumber) return value.value;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : null;
}

/**
 * Options of one analysis component (analyzer, tokenizer, token filter) as index settings declare them: flat texts.
 */
import { illegalArgument } from '@shoal/core';

export type ComponentOptions = Readonly<Record<string, string>>;

/** A list in flat settings: `name.0`, `name.1`, … or one text with commas; null when there is none. */
export function readList(options: ComponentOptions, name: string): readonly string[] | null {
  const single = options[name];
  if (single !== undefined) {
    return single
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  const items: string[] = [];
  for (let i = 0; options[`${name}.${i}`] !== undefined; i++) items.push(options[`${name}.${i}`] ?? '');
  return items.length === 0 ? null : items;
}

/**
 * A whole number, `fallback` when the option is not given.
 *
 * @throws ShoalError illegal_argument_exception for any other text
 */
export function readInteger(options: ComponentOptions, name: string, fallback: number): number {
  const text = options[name];
  if (text === undefined) return fallback;
  const number = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(number)) return number;
  throw illegalArgument(`Failed to parse int setting [${name}] with value [${text}]`);
}

/** @throws ShoalError illegal_argument_exception for what is neither `true` nor `false` */
export function readFlag(options: ComponentOptions, name: string, fallback: boolean): boolean {
  const text = options[name];
  if (text === undefined) return fallback;
  if (text === 'true' || text === 'false') return text === 'true';
  throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
}

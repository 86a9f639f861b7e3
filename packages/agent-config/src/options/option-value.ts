/**
 * Values of options as the language has them, before they are checked: variables replaced, escapes done, no types yet.
 */
import type { Position } from '../source/position.ts';

/** Barewords are text. A `PluginBlock` stands only where a codec may. */
export type RawValue = string | number | boolean | readonly RawValue[] | ReadonlyMap<string, RawValue> | PluginBlock;

/** `json { charset => "UTF-8" }` as the value of an option. */
export class PluginBlock {
  readonly name: string;
  readonly options: readonly GivenOption[];
  readonly position: Position;
  /** Text of the block in the configuration. */
  readonly source: string;

  constructor(name: string, options: readonly GivenOption[], position: Position, source: string) {
    this.name = name;
    this.options = options;
    this.position = position;
    this.source = source;
  }
}

/** An option as it was given; a repeated name is merged already. */
export interface GivenOption {
  readonly name: string;
  readonly value: RawValue;
  readonly position: Position;
}

/** What users call the type of a value. */
export function rawKind(value: RawValue): string {
  if (typeof value === 'string') return `the text ${JSON.stringify(value)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`;
  if (value instanceof PluginBlock) return `a block ${value.name} {…}`;
  return value instanceof Map ? 'a hash' : `a list of ${(value as readonly RawValue[]).length}`;
}

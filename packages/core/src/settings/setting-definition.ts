/**
 * One setting, declared once: name, type, default, bounds, and whether it may change while a node runs.
 *
 * Values are kept as text, as users write them and as the APIs print them; `parse` gives the typed value.
 */
import { illegalArgument } from '../errors/error-catalogue.ts';
import { parseByteSize } from './byte-size.ts';
import { parseTimeValue } from './time-value.ts';

export interface SettingDefinition<T> {
  /** Full name, or a prefix that ends in `*` for a group such as `node.attr.*`. */
  readonly name: string;
  /** Other names that mean the same; shown under `name`. */
  readonly aliases: readonly string[];
  /** Default value, when it is not set. */
  readonly defaultText: string;
  /** May be changed through `PUT _cluster/settings`. */
  readonly isDynamic: boolean;
  /** Value of a text; throws with the setting's name in the text. `name` differs from the definition's in a group. */
  readonly parse: (text: string, name: string) => T;
}

export interface SettingOptions {
  readonly isDynamic?: boolean;
  readonly aliases?: readonly string[];
}

export interface BoundedOptions extends SettingOptions {
  readonly min?: number;
  readonly max?: number;
}

export function textSetting(
  name: string,
  defaultText: string,
  options: SettingOptions = {},
): SettingDefinition<string> {
  return define(name, defaultText, options, (text) => text);
}

export function choiceSetting<const T extends string>(
  name: string,
  defaultText: T,
  allowed: readonly T[],
  options: SettingOptions = {},
): SettingDefinition<T> {
  return define(name, defaultText, options, (text, at) => {
    const found = allowed.find((word) => word === text);
    if (found === undefined) {
      throw illegalArgument(
        `Failed to parse value [${text}] for setting [${at}], must be one of [${allowed.join(', ')}]`,
      );
    }
    return found;
  });
}

/** Comma-separated; an empty text is an empty list. */
export function listSetting(
  name: string,
  defaultText: string,
  options: SettingOptions = {},
): SettingDefinition<readonly string[]> {
  return define(name, defaultText, options, (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
}

export function booleanSetting(
  name: string,
  defaultValue: boolean,
  options: SettingOptions = {},
): SettingDefinition<boolean> {
  return define(name, String(defaultValue), options, (text) => {
    if (text === 'true') return true;
    if (text === 'false') return false;
    throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
  });
}

export function integerSetting(
  name: string,
  defaultValue: number,
  options: BoundedOptions = {},
): SettingDefinition<number> {
  return define(name, String(defaultValue), options, (text, at) => {
    const value = Number(text);
    if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) {
      throw illegalArgument(`Failed to parse value [${text}] for setting [${at}]`);
    }
    if (options.min !== undefined && value < options.min) {
      throw illegalArgument(`Failed to parse value [${text}] for setting [${at}] must be >= ${options.min}`);
    }
    if (options.max !== undefined && value > options.max) {
      throw illegalArgument(`Failed to parse value [${text}] for setting [${at}] must be <= ${options.max}`);
    }
    return value;
  });
}

/** A duration; the value is in milliseconds, and so are the bounds. */
export function timeSetting(
  name: string,
  defaultText: string,
  options: BoundedOptions = {},
): SettingDefinition<number> {
  return define(name, defaultText, options, (text, at) =>
    within(parseTimeValue(text, at), text, at, options, (bound) => `${bound}ms`),
  );
}

/** A size; the value is in bytes, and so are the bounds. */
export function byteSizeSetting(
  name: string,
  defaultText: string,
  options: BoundedOptions = {},
): SettingDefinition<number> {
  return define(name, defaultText, options, (text, at) =>
    within(parseByteSize(text, at), text, at, options, (bound) => `${bound}b`),
  );
}

/** A port or a range of ports such as `9200-9300`, of which the first free one is taken; 0 takes any. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

const PORT_MAX = 65_535;

export function portSetting(
  name: string,
  defaultText: string,
  options: SettingOptions = {},
): SettingDefinition<PortRange> {
  return define(name, defaultText, options, (text, at) => {
    const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text);
    const first = Number(match?.[1]);
    const last = Number(match?.[2] ?? match?.[1]);
    if (match === null || first > last || last > PORT_MAX) {
      throw illegalArgument(`Failed to parse value [${text}] for setting [${at}], must be a port or a range of ports`);
    }
    return { first, last };
  });
}

function define<T>(
  name: string,
  defaultText: string,
  options: SettingOptions,
  parse: (text: string, name: string) => T,
): SettingDefinition<T> {
  return { name, aliases: options.aliases ?? [], defaultText, isDynamic: options.isDynamic ?? false, parse };
}

function within(
  value: number,
  text: string,
  name: string,
  bounds: BoundedOptions,
  show: (bound: number) => string,
): number {
  if (bounds.min !== undefined && value < bounds.min) {
    throw illegalArgument(`failed to parse value [${text}] for setting [${name}], must be >= [${show(bounds.min)}]`);
  }
  if (bounds.max !== undefined && value > bounds.max) {
    throw illegalArgument(`failed to parse value [${text}] for setting [${name}], must be <= [${show(bounds.max)}]`);
  }
  return value;
}

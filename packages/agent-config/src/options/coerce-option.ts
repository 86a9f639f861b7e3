/**
 * Turns the value of an option into the type that its declaration names, or says why it cannot.
 *
 * Lenient as the language always was: a list of one is its item where one is wanted, a scalar is a list of one where a list
 * is, `"10"` is a number. Never guesses beyond that.
 */

import { compileTemplate, type EscapeStyle, parseFieldReference, type Timestamp } from '@shoal/agent-event';
import { type OptionType, parseBytes, parseDuration } from '@shoal/agent-plugin-kit';
import { nearestNames, ShoalError } from '@shoal/core';
import { type OptionValue, optionText } from './checked-options.ts';
import { PluginBlock, type RawValue, rawKind } from './option-value.ts';

export interface CoercionContext {
  /** Absent: paths are not looked at. */
  readonly pathExists?: (path: string) => boolean;
  /** For `%{{TIME_NOW}}` in templates. */
  readonly now?: () => Timestamp;
  /** `config.field_reference.escape_style`. */
  readonly escapeStyle?: EscapeStyle;
}

/** What is wrong with a value, to follow the words "Setting 'x'". */
export interface Misfit {
  readonly misfit: string;
}

export type Coercion = OptionValue | Misfit;

/** All types but `codec`, which the check of plugins makes itself. */
export function coerceOption(type: Exclude<OptionType, 'codec'>, raw: RawValue, context: CoercionContext): Coercion {
  if (typeof type !== 'string') return coerceChoice(raw, type);
  switch (type) {
    case 'array':
      return { kind: 'array', value: asList(raw) };
    case 'hash':
      return coerceHash(raw);
    case 'any':
      return coerceAny(raw);
    case 'templates':
      return coerceTemplates(raw, context);
    case 'number':
      return withScalar(raw, 'a number', coerceNumber);
    case 'boolean':
      return withScalar(raw, 'true or false', coerceBoolean);
    case 'bytes':
      return withScalar(raw, 'a size in bytes, such as 10 or "10 mb"', (value) => {
        const bytes = parseBytes(String(value));
        return bytes === null ? null : { kind: 'number', number: bytes, value };
      });
    case 'duration':
      return coerceDuration(raw, 'seconds');
    case 'durationInDays':
      return coerceDuration(raw, 'days');
    default:
      return coerceText(type, raw, context);
  }
}

function coerceDuration(raw: RawValue, bareUnit: 'seconds' | 'days'): Coercion {
  return withScalar(raw, `a number of ${bareUnit}, or a text such as "5 minutes"`, (value) => {
    const milliseconds = parseDuration(String(value), bareUnit);
    return milliseconds === null ? null : { kind: 'duration', milliseconds, value };
  });
}

type TextType = 'string' | 'password' | 'uri' | 'path' | 'template' | 'fieldReference';

function coerceText(type: TextType, raw: RawValue, context: CoercionContext): Coercion {
  return withScalar(raw, TEXT_NAMES[type], (scalar) => {
    const value = String(scalar);
    switch (type) {
      case 'template':
        return guarded(() => ({ kind: 'template', template: compileTemplate(value, context), value }));
      case 'fieldReference':
        return guarded(() => ({
          kind: 'reference',
          reference: parseFieldReference(value, context.escapeStyle),
          value,
        }));
      case 'path':
        if (context.pathExists?.(value) === false) return { misfit: `must name what exists; there is no ${value}` };
        return { kind: 'string', string: value, value };
      case 'uri':
        return /^\S+$/.test(value) ? { kind: 'string', string: value, value } : null;
      default:
        return { kind: 'string', string: value, value };
    }
  });
}

const TEXT_NAMES: Readonly<Record<TextType, string>> = {
  string: 'a text',
  password: 'a text',
  uri: 'an address (URI)',
  path: 'a path',
  template: 'a text',
  fieldReference: 'a field reference',
};

type Scalar = string | number | boolean;

/** `coerce` answers null for "no such thing". */
function withScalar(raw: RawValue, wanted: string, coerce: (value: Scalar) => Coercion | null): Coercion {
  const value = Array.isArray(raw) && raw.length === 1 ? (raw[0] as RawValue) : raw;
  const result = typeof value === 'object' ? null : coerce(value);
  return result ?? { misfit: `must be ${wanted}, but is ${rawKind(raw)}` };
}

function guarded(make: () => OptionValue): Coercion {
  try {
    return make();
  } catch (error) {
    if (error instanceof ShoalError) return { misfit: `is wrong: ${error.message}` };
    throw error;
  }
}

function coerceNumber(value: Scalar): OptionValue | null {
  if (typeof value === 'number') return { kind: 'number', number: value, value };
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value)) return null;
  return { kind: 'number', number: Number(value), value: Number(value) };
}

function coerceBoolean(value: Scalar): OptionValue | null {
  const text = String(value);
  if (text !== 'true' && text !== 'false') return null;
  return { kind: 'boolean', boolean: text === 'true', value: text === 'true' };
}

function coerceChoice(raw: RawValue, choices: readonly string[]): Coercion {
  const value = Array.isArray(raw) && raw.length === 1 ? (raw[0] as RawValue) : raw;
  const text = typeof value === 'object' ? null : String(value);
  if (text !== null && choices.includes(text)) return { kind: 'string', string: text, value: text };
  const [nearest] = text === null ? [] : nearestNames(text, choices);
  const suggestion = nearest === undefined ? '' : `, did you mean '${nearest}'?`;
  return { misfit: `must be one of ${choices.join(', ')}, but is ${rawKind(raw)}${suggestion}` };
}

function asList(raw: RawValue): readonly RawValue[] {
  return Array.isArray(raw) ? raw : [raw];
}

/** A list is taken in pairs; a name that comes again collects its values. */
function coerceHash(raw: RawValue): Coercion {
  if (raw instanceof Map) return { kind: 'hash', value: raw };
  if (!Array.isArray(raw) || raw.length % 2 !== 0) {
    return { misfit: `must be a hash { "name" => "value" }, but is ${rawKind(raw)}` };
  }
  const hash = new Map<string, unknown>();
  for (let i = 0; i < raw.length; i += 2) {
    const name = optionText(raw[i]);
    const before = hash.get(name);
    if (before === undefined) hash.set(name, raw[i + 1]);
    else hash.set(name, [...(Array.isArray(before) ? before : [before]), raw[i + 1]]);
  }
  return { kind: 'hash', value: hash };
}

function coerceAny(raw: RawValue): Coercion {
  if (raw instanceof Map) return { kind: 'hash', value: raw };
  return Array.isArray(raw) ? { kind: 'array', value: raw } : { kind: 'string', string: optionText(raw), value: raw };
}

function coerceTemplates(raw: RawValue, context: CoercionContext): Coercion {
  const list = asList(raw);
  if (list.some((item) => item instanceof PluginBlock || item instanceof Map)) {
    return { misfit: `must be a list of texts, but is ${rawKind(raw)}` };
  }
  return guarded(() => ({
    kind: 'templates',
    templates: list.map((item) => compileTemplate(optionText(item), context)),
    value: list,
  }));
}

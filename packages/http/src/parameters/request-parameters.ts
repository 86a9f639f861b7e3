/**
 * Parameters of a request: checked against the route's declarations once, then read with their types.
 *
 * Texts of the errors are Elasticsearch's, since users search for them.
 */
import { assert, illegalArgument, parseTimeValue, ShoalError } from '@shoal/core';
import type { ParameterDeclarations, ParameterType } from './parameter-declaration.ts';

const INTEGER = /^[+-]?\d{1,10}$/;
const LONG = /^[+-]?\d{1,19}$/;
const INTEGER_MIN = -(2 ** 31);
const INTEGER_MAX = 2 ** 31 - 1;

export class RequestParameters {
  readonly #values: ReadonlyMap<string, string>;
  readonly #declared: ParameterDeclarations;

  /** Throws 400 for the first value that is not of its declared type. Undeclared names are ignored. */
  constructor(values: ReadonlyMap<string, string>, declared: ParameterDeclarations) {
    this.#values = values;
    this.#declared = declared;
    for (const [name, value] of values) {
      if (Object.hasOwn(declared, name)) checkValue(name, value, declared[name] ?? 'string');
    }
  }

  has(name: string): boolean {
    this.#assertDeclared(name);
    return this.#values.has(name);
  }

  /** Text of a parameter; null when not given. */
  string(name: string): string | null {
    this.#assertDeclared(name);
    return this.#values.get(name) ?? null;
  }

  /** Value of a name that every path template of the route has. */
  required(name: string): string {
    const value = this.string(name);
    assert(value !== null, `parameter ${name} is in every template of its route`);
    return value;
  }

  /** The comma-separated parts, blanks trimmed and empty ones dropped; empty when not given. */
  list(name: string): readonly string[] {
    const value = this.string(name);
    if (value === null) return [];
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  /** Value of a flag; the bare name counts as true. */
  boolean(name: string, fallback: boolean): boolean {
    const value = this.string(name);
    return value === null ? fallback : value !== 'false';
  }

  integer(name: string): number | null {
    const value = this.string(name);
    return value === null ? null : Number(value);
  }

  /** A whole number within 2^53. */
  long(name: string): number | null {
    return this.integer(name);
  }

  number(name: string): number | null {
    const value = this.string(name);
    return value === null ? null : Number(value);
  }

  /** Milliseconds; -1 for `-1`. */
  timeMs(name: string): number | null {
    const value = this.string(name);
    return value === null ? null : parseTimeValue(value, name);
  }

  /** All given parameters, declared or not. */
  entries(): ReadonlyMap<string, string> {
    return this.#values;
  }

  #assertDeclared(name: string): void {
    // The message is built only on failure: every read of a parameter passes here.
    if (!Object.hasOwn(this.#declared, name)) assert(false, `parameter ${name} is not declared by its route`);
  }
}

function checkValue(name: string, value: string, type: ParameterType): void {
  if (type === 'string' || type === 'list') return;
  if (typeof type === 'object' && 'because' in type) checkValue(name, value, type.type);
  else if (type === 'boolean') {
    if (value !== '' && value !== 'true' && value !== 'false') {
      throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
    }
  } else if (type === 'integer') {
    const parsed = Number(value);
    if (!INTEGER.test(value) || parsed < INTEGER_MIN || parsed > INTEGER_MAX) throw notANumber('int', name, value);
  } else if (type === 'long') {
    if (!LONG.test(value) || !Number.isSafeInteger(Number(value))) throw notANumber('long', name, value);
  } else if (type === 'number') {
    if (value === '' || !Number.isFinite(Number(value))) throw notANumber('float', name, value);
  } else if (type === 'time') {
    parseTimeValue(value, name);
  } else if (!type.includes(value)) {
    throw illegalArgument(
      `Failed to parse parameter [${name}] with value [${value}], expected one of [${type.join(', ')}]`,
    );
  }
}

function notANumber(kind: string, name: string, value: string): ShoalError {
  return illegalArgument(`Failed to parse ${kind} parameter [${name}] with value [${value}]`, {
    causedBy: new ShoalError('number_format_exception', 400, `For input string: "${value}"`),
  });
}

/**
 * Grok as Elasticsearch has it: with more types, of which a text that is no number of its own is an error and not 0, with a dot that
 * matches no line break, and with an end to each match.
 */
import { illegalArgument, isShoalError, lazy, ShoalError } from '@shoal/core';
import { TIMED_OUT } from '@shoal/ruby-regex';
import { type CapturedValue, coerceCapture } from './coerce-capture.ts';
import { type CompiledGrok, compileGrok } from './compile-grok.ts';
import type { CaptureType } from './expand-pattern.ts';
import { corePatterns, type PatternLibrary } from './pattern-library.ts';

const TYPES: readonly CaptureType[] = ['int', 'long', 'float', 'double', 'boolean'];
/** A match that takes longer is ended: the thread has others to serve. */
const MATCH_MS_MAX = 1_000;

/** The patterns that stand for every text, by name. */
export const strictPatterns: () => PatternLibrary = lazy(() => corePatterns('disabled'));

/** @throws illegal_argument_exception (400) for what is no pattern */
export function compileStrictGrok(pattern: string, library: PatternLibrary): CompiledGrok {
  const options = { library, types: TYPES, namedCapturesOnly: true, timeoutMs: MATCH_MS_MAX };
  try {
    return compileGrok(`(?-m:${pattern})`, options);
  } catch (error) {
    const [, missing] = isShoalError(error) ? (/^pattern %\{(\w+)\} not defined/.exec(error.message) ?? []) : [];
    if (missing === undefined) throw error;
    throw illegalArgument(`Unable to find pattern [${missing}] in Grok's pattern dictionary`);
  }
}

/**
 * Captured texts, in the order of the captures; null where the text does not fit.
 *
 * @throws illegal_argument_exception (400) for a match that takes too long
 */
export function strictMatch(grok: CompiledGrok, text: string): readonly (string | undefined)[] | null {
  const found = grok.match(text);
  if (found === TIMED_OUT) throw illegalArgument(`grok pattern matching was interrupted after [${MATCH_MS_MAX}] ms`);
  return found;
}

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DIGITS_MAX = 30;
const LIMIT: Readonly<Record<'int' | 'long', bigint>> = { int: 2n ** 31n, long: 2n ** 63n };

export interface TypedCapture {
  readonly type: CaptureType;
  readonly value: CapturedValue;
}

/**
 * Values by field. The first of equal fields that took part in the match gives the value.
 *
 * @param found as `match` of the pattern returned them
 * @throws number_format_exception (400)
 */
export function typedCaptures(
  { captures }: CompiledGrok,
  found: readonly (string | undefined)[],
): ReadonlyMap<string, TypedCapture> {
  const values = new Map<string, TypedCapture>();
  for (const [at, { field, type }] of captures.entries()) {
    const text = found[at];
    if (text !== undefined && !values.has(field)) values.set(field, { type, value: typedValue(text, type) });
  }
  return values;
}

function typedValue(text: string, type: CaptureType): CapturedValue {
  if (type === 'int' || type === 'long') {
    const value = INTEGER.test(text) && text.length <= DIGITS_MAX ? BigInt(text.replace('+', '')) : null;
    if (value === null || value >= LIMIT[type] || value < -LIMIT[type]) throw numberFormat(text);
  } else if ((type === 'float' || type === 'double') && !DECIMAL.test(text)) throw numberFormat(text);
  return coerceCapture(text, type);
}

function numberFormat(text: string): ShoalError {
  return new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
}

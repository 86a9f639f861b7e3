/**
 * Errors of expressions as users see them: `script_exception` with the source or the variable, and a mark below it.
 */
import { ShoalError } from '@shoal/core';
import { CompileFailure } from '../errors/script-error.ts';
import type { ScriptSource } from '../errors/script-source.ts';

const BAD_REQUEST = 400;
const HERE = '^---- HERE';

/** A place that breaks a rule of the grammar; `cause`: type of the error that the grammar's reader met, null without. */
export function expressionFailure(at: number, reason: string, cause: string | null = null): CompileFailure {
  const causedBy = cause === null ? {} : { causedBy: new ShoalError(cause, BAD_REQUEST, null) };
  return new CompileFailure(at, new ShoalError('parse_exception', BAD_REQUEST, reason, causedBy));
}

/** A place of the source, by its line and the characters before it there. */
export function placeOf(source: string, at: number): string {
  const before = source.slice(0, at).split('\n');
  return `on line (${before.length}) position (${before.at(-1)?.length ?? 0})`;
}

/** `script_exception` (400) of an expression that breaks the grammar. */
export function expressionCompileError(source: ScriptSource, { offset, failure }: CompileFailure): ShoalError {
  return expressionError(source, 'compile error', { piece: source.text, offset, cause: failure });
}

/** A variable that nothing stands behind; `offset` in its text. */
export class UnknownVariable extends Error {
  readonly offset: number;
  readonly failure: ShoalError;

  constructor(reason: string, offset = 0, type = 'parse_exception') {
    super(reason);
    this.offset = offset;
    this.failure = new ShoalError(type, BAD_REQUEST, reason);
  }
}

/** `script_exception` (400) of a variable that nothing stands behind. */
export function linkError(source: ScriptSource, variable: string, offset: number, cause: ShoalError): ShoalError {
  return expressionError(source, 'link error', { piece: variable, offset, cause });
}

function expressionError(
  { text, lang }: ScriptSource,
  reason: string,
  { piece, offset, cause }: { readonly piece: string; readonly offset: number; readonly cause: ShoalError },
): ShoalError {
  return new ShoalError('script_exception', BAD_REQUEST, reason, {
    metadata: { script_stack: [piece, `${' '.repeat(offset)}${HERE}`], script: text, lang },
    causedBy: cause,
  });
}

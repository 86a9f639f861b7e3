/**
 * Errors of scripts as users see them: `script_exception` with the piece of the source, a mark below it, and its cause.
 */
import { ShoalError } from '@shoal/core';
import type { ScriptSource } from './script-source.ts';

/** Characters of the source shown on each side of a place that does not compile. */
const SHOWN_CHARS = 25;

const BAD_REQUEST = 400;
const HERE = '^---- HERE';

/** Thrown while a script is compiled; `offset` is where, in characters of the source. */
export class CompileFailure extends Error {
  readonly offset: number;
  readonly failure: ShoalError;

  constructor(offset: number, cause: ShoalError) {
    super(cause.reason ?? cause.type);
    this.offset = offset;
    this.failure = cause;
  }
}

/** A place that breaks a rule of the language. */
export function compileFailure(offset: number, reason: string, type = 'illegal_argument_exception'): CompileFailure {
  return new CompileFailure(offset, new ShoalError(type, BAD_REQUEST, reason));
}

/** `script_exception` (400) of a script that does not compile. */
export function compileError(source: ScriptSource, { offset, failure }: CompileFailure): ShoalError {
  const { text, lang } = source;
  const start = Math.max(0, offset - SHOWN_CHARS);
  const end = Math.min(text.length, offset + SHOWN_CHARS);
  const before = start > 0 ? '... ' : '';
  const behind = end < text.length ? ' ...' : '';
  const shown = `${before}${text.slice(start, end)}${behind}`;
  const stack = [shown, `${' '.repeat(before.length + offset - start)}${HERE}`];
  return new ShoalError('script_exception', BAD_REQUEST, 'compile error', {
    metadata: { script_stack: stack, script: text, lang },
    details: { position: { offset, start, end } },
    causedBy: failure,
  });
}

/** Place at which a script failed while it ran. */
export interface FailedPlace {
  readonly offset: number;
  /** Offsets of all statements, ascending. */
  readonly statements: readonly number[];
}

/** `script_exception` (400) of a script that failed while it ran: shows the statement. */
export function runtimeError(source: ScriptSource, { offset, statements }: FailedPlace, cause: ShoalError): ShoalError {
  const { text, lang } = source;
  let start = 0;
  let end = text.length;
  for (const at of statements) {
    if (at <= offset) start = at;
    else {
      end = at;
      break;
    }
  }
  const stack = [text.slice(start, end), `${' '.repeat(Math.max(0, offset - start))}${HERE}`];
  return new ShoalError('script_exception', BAD_REQUEST, 'runtime error', {
    metadata: { script_stack: stack, script: text, lang },
    details: { position: { offset, start, end } },
    causedBy: cause,
  });
}

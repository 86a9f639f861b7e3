/**
 * Programs of scripts that were compiled before, by thread: the same text in the same place is compiled once.
 */
import { illegalArgument } from '@shoal/core';
import { compileScript, type ScriptProgram } from './compile-script.ts';
import type { ScriptContext } from './script-context.ts';
import type { ScriptRequest } from './script-request.ts';

/** Programs kept; the one that was made first goes first. */
const PROGRAMS_MAX = 200;

const programs = new Map<string, ScriptProgram>();

/**
 * The program of a script that stands in a request, or was looked up before.
 *
 * @throws ShoalError `illegal_argument_exception` for a language that there is not, `script_exception` "compile error"
 */
export function programOf({ lang, source }: ScriptRequest, context: ScriptContext): ScriptProgram {
  if (lang !== 'painless') throw illegalArgument(`script_lang not supported [${lang}]`);
  const text = source ?? '';
  const key = `${context.name} ${text}`;
  const known = programs.get(key);
  if (known !== undefined) return known;
  const made = compileScript({ lang, text }, context);
  const [oldest] = programs.keys();
  if (programs.size >= PROGRAMS_MAX && oldest !== undefined) programs.delete(oldest);
  programs.set(key, made);
  return made;
}

/**
 * Programs of the scripts of requests, by thread.
 */
import { illegalArgument } from '@shoal/core';
import { compileScript, type ScriptProgram } from './compile-script.ts';
import { compileExpressionScript, EXPRESSION } from './expression-program.ts';
import { RecentPrograms } from './recent-programs.ts';
import { MUSTACHE, type ScriptContext, unfitForTemplates } from './script-context.ts';
import type { ScriptRequest } from './script-request.ts';

const programs = new RecentPrograms<ScriptProgram>();

/**
 * The program of a script that stands in a request, or was looked up before.
 *
 * @throws ShoalError `illegal_argument_exception` for a language that there is not, `script_exception` "compile error"
 */
export function programOf({ lang, source }: ScriptRequest, context: ScriptContext): ScriptProgram {
  if (lang === MUSTACHE) throw illegalArgument(unfitForTemplates(context.name));
  if (lang !== EXPRESSION && lang !== 'painless') throw illegalArgument(`script_lang not supported [${lang}]`);
  const text = source ?? '';
  const compile = lang === EXPRESSION ? compileExpressionScript : compileScript;
  return programs.get(`${lang} ${context.name} ${text}`, () => compile({ lang, text }, context));
}

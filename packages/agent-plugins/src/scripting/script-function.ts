/**
 * The body of a function that a configuration holds, as a function with globals of its own. Its text is checked at once; the
 * globals are made for the first call, since making them costs more than most calls, and tests of pipelines make many.
 */
import { createContext, Script } from 'node:vm';
import type { PluginContext } from '@shoal/agent-plugin-kit';
import { mayKeepState } from './script-state.ts';

export interface ScriptText {
  /** Names of the arguments, as the body sees them. */
  readonly parameters: readonly string[];
  readonly body: string;
  /** File name in the script's errors. */
  readonly filename: string;
}

type ScriptCall = (...given: readonly unknown[]) => unknown;

/** Functions that keep nothing between calls, by their text: filters of later cases get the same. */
class ScriptCache {
  readonly functions: Map<string, ScriptCall> = new Map();
}

/**
 * `globals` are in the context besides those of the language.
 *
 * @throws SyntaxError
 */
export function scriptFunction(
  text: ScriptText,
  context: Pick<PluginContext, 'lasting'>,
  globals: Readonly<Record<string, unknown>> = {},
): ScriptCall {
  const { lasting } = context;
  if (lasting === undefined || mayKeepState(text.body, text.parameters)) return compiled(text, globals);
  const { functions } = lasting.get(ScriptCache);
  const key = JSON.stringify([text.filename, text.parameters, text.body]);
  const known = functions.get(key) ?? compiled(text, globals);
  functions.set(key, known);
  return known;
}

function compiled({ parameters, body, filename }: ScriptText, globals: Readonly<Record<string, unknown>>): ScriptCall {
  const script = new Script(`(function (${parameters.join(', ')}) {${body}\n})`, { filename });
  let made: unknown = null;
  return (...given) => {
    made ??= script.runInContext(createContext({ ...globals }));
    if (typeof made !== 'function') throw new TypeError('the script is no body of a function');
    return made(...given);
  };
}

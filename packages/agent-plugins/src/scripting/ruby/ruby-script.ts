/**
 * Ruby of a configuration: compiled when its plugin is made, called for each event.
 */
import { isShoalError, ShoalError } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { compileScript } from './compile/compile-script.ts';
import { ScriptLimitError, ScriptMachine } from './machine/script-machine.ts';
import { RubyException } from './values/ruby-exception.ts';
import type { Method, RubyProc, Value } from './values/ruby-value.ts';
import { RubyLogger } from './values/script-objects.ts';

export interface RubyFault {
  /** `message` of the exception. */
  readonly message: string;
  readonly className: string;
}

/** What a script raised, or what ended it, as texts; null for a defect of our own. */
export function faultOf(error: unknown): RubyFault | null {
  if (error instanceof RubyException) return { message: error.text, className: error.rubyClass.name };
  if (isShoalError(error)) return { message: error.message, className: 'RuntimeError' };
  return error instanceof ScriptLimitError ? { message: error.message, className: 'ScriptLimit' } : null;
}

/** The scripts of one plugin: they share instance variables, globals, constants and methods. */
export class RubyScripts {
  readonly machine: ScriptMachine;

  constructor(runtime: Runtime) {
    this.machine = new ScriptMachine(runtime);
    const logger = new RubyLogger();
    this.machine.self.variables.set('logger', logger);
    this.machine.functions.set('logger', () => logger);
    this.machine.defined.add('logger');
  }

  /** @param option that the code stands in, or the path of its file */
  compile(text: string, option: string, parameters: readonly string[], blockParameter: string | null = null): Method {
    const params = parameters.map((name) => ({ kind: 'required', name }) as const);
    const block = blockParameter === null ? [] : [{ kind: 'block', name: blockParameter } as const];
    return compileScript(this.machine, { text, name: option }, [...params, ...block]);
  }

  call(method: Method, args: readonly Value[], block: RubyProc | null = null): Value {
    return this.machine.run(() => method(this.machine, this.machine.self, args, block));
  }

  /** Runs what runs once, when the plugin starts: what it raises ends the start. */
  callAtStart(method: Method, args: readonly Value[], what: string): Value {
    try {
      return this.call(method, args);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === null) throw error;
      const why = `${what}: ${fault.className}: ${fault.message}`;
      throw new ShoalError('illegal_argument_exception', 400, why);
    }
  }

  functionNamed(name: string): Method | null {
    return this.machine.functions.get(name) ?? null;
  }
}

/**
 * javascript: runs a script on each event, in a context of its own.
 *
 * The context keeps scripts and the agent out of each other's way; it is no border of security: a script can do what the
 * process can. Run only scripts that you trust.
 */
import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { type LogEvent, toEventValue } from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { TIMED_OUT, watchedCall } from '@shoal/ruby-regex';
import { ScriptEvent, toScript } from '../../scripting/script-event.ts';
import { scriptFunction } from '../../scripting/script-function.ts';

export const javascriptFilter: PluginDefinition = {
  kind: 'filter',
  name: 'javascript',
  version: '1.0.0',
  options: {
    code: { type: 'string' },
    path: { type: 'path' },
    init: { type: 'string' },
    script_params: { type: 'hash', default: {} },
    /** 0: a script may run as long as it likes. */
    timeout_millis: { type: 'number', default: 0 },
    tag_on_exception: { type: 'string', default: '_javascriptexception' },
    tag_with_exception_message: { type: 'boolean', default: false },
  },
  create: (options, context) => new JavascriptFilter(options, context),
};

const ARGUMENTS = ['event', 'emit'];

type ScriptFunction = (event: ScriptEvent, emit: (event: ScriptEvent) => void) => unknown;

class JavascriptFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly run: ScriptFunction;
  private readonly call: (event: ScriptEvent, emit: (event: ScriptEvent) => void) => unknown;

  constructor(options: PluginOptions, context: PluginContext) {
    if (options.has('code') === options.has('path')) {
      throw new ShoalError('illegal_argument_exception', 400, 'javascript: give code or path, one of them');
    }
    this.options = options;
    this.context = context;
    this.run = compileScript(options, context);
    const timeoutMs = options.number('timeout_millis');
    const watched = timeoutMs > 0 ? watchedCall(timeoutMs) : null;
    this.call =
      watched === null
        ? this.run
        : (event, emit) => {
            const result = watched(() => this.run(event, emit));
            if (result === TIMED_OUT) throw new Error(`the script took longer than ${timeoutMs} ms`);
            return result;
          };
  }

  filter(event: LogEvent, emit: (event: LogEvent) => void): 'matched' | 'unmatched' {
    try {
      const result = this.call(new ScriptEvent(event), (made) => emit(ScriptEvent.unwrap(made)));
      if (Array.isArray(result)) handOn(event, result, emit);
      return 'matched';
    } catch (error) {
      // Errors of a script are of its own realm: only their text is sure.
      const message = String((error as { message?: unknown } | null)?.message ?? error);
      const { pluginId: plugin, position } = this.context;
      this.context.runtime.log.error('a script failed', { plugin, position, reason: message });
      event.tag(this.options.string('tag_on_exception'));
      if (this.options.boolean('tag_with_exception_message'))
        event.tag(`${this.options.string('tag_on_exception')}: ${message}`);
      return 'unmatched';
    }
  }
}

/** A script file answers the events that go on: the event itself, others, or none. */
function handOn(event: LogEvent, result: readonly unknown[], emit: (event: LogEvent) => void): void {
  let goesOn = false;
  for (const item of result) {
    if (!(item instanceof ScriptEvent)) continue;
    const one = ScriptEvent.unwrap(item);
    if (one === event) goesOn = true;
    else emit(one);
  }
  if (!goesOn) event.cancel();
}

function compileScript(options: PluginOptions, context: PluginContext): ScriptFunction {
  const params = toScript(toEventValue(options.hash('script_params')));
  const globals = { params, log: scriptLog(context), Event: ScriptEvent };
  try {
    if (options.has('code') && !options.has('init')) {
      return scriptFunction(
        { parameters: ARGUMENTS, body: options.string('code'), filename: context.position },
        context,
        globals,
      );
    }
    const sandbox = createContext(globals);
    if (options.has('init'))
      new Script(options.string('init'), { filename: `${context.position} init` }).runInContext(sandbox);
    const filename = options.has('path') ? options.string('path') : context.position;
    if (options.has('code')) {
      const source = `(function (${ARGUMENTS.join(', ')}) {${options.string('code')}\n})`;
      return asFunction(new Script(source, { filename }).runInContext(sandbox));
    }
    new Script(readFileSync(filename, 'utf8'), { filename }).runInContext(sandbox);
    new Script("if (typeof register === 'function') register(params)").runInContext(sandbox);
    return asFunction(new Script('filter').runInContext(sandbox));
  } catch (error) {
    const message = String((error as { message?: unknown } | null)?.message ?? error);
    throw new ShoalError('illegal_argument_exception', 400, `javascript: the script cannot be used: ${message}`);
  }
}

function asFunction(value: unknown): ScriptFunction {
  if (typeof value !== 'function') throw new TypeError('it does not define a function filter(event)');
  return (event, emit) => value(event, emit);
}

function scriptLog(context: PluginContext): Readonly<Record<string, (message: unknown) => void>> {
  const { log } = context.runtime;
  const fields = { plugin: context.pluginId };
  return {
    debug: (message) => log.debug(String(message), fields),
    info: (message) => log.info(String(message), fields),
    warn: (message) => log.warn(String(message), fields),
    error: (message) => log.error(String(message), fields),
  };
}

/**
 * ruby: runs a script in Ruby on each event: the subset of the language that configurations use, compiled to closures here.
 *
 * What is outside the subset is refused at the start, with line and column. A script that raises tags its event, which goes on.
 */
import { readFileSync } from 'node:fs';
import { type LogEvent, toEventValue } from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { settle, toRuby } from '../../scripting/ruby/library/event-values.ts';
import { newEventBlock } from '../../scripting/ruby/new-event-block.ts';
import { faultOf, RubyScripts } from '../../scripting/ruby/ruby-script.ts';
import { inspect } from '../../scripting/ruby/values/inspect.ts';
import { exception } from '../../scripting/ruby/values/ruby-exception.ts';
import { type Method, str, type Value } from '../../scripting/ruby/values/ruby-value.ts';
import { RubyEvent } from '../../scripting/ruby/values/script-objects.ts';
import { runScriptTests } from './script-tests.ts';

export const rubyFilter: PluginDefinition = {
  kind: 'filter',
  name: 'ruby',
  version: '3.1.8',
  options: {
    code: { type: 'string' },
    path: { type: 'path' },
    init: { type: 'string' },
    script_params: { type: 'hash', default: {} },
    tag_on_exception: { type: 'string', default: '_rubyexception' },
    tag_with_exception_message: { type: 'boolean', default: false },
  },
  create: (options, context) => new RubyFilter(options, context),
};

class RubyFilter implements Filter {
  /** What a script file returns is the outcome of the filter; events of `new_event_block` pass it by. */
  readonly decoratesNewEvents: boolean;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly scripts: RubyScripts;
  private readonly code: Method | null;
  private readonly filterMethod: Method | null;

  constructor(options: PluginOptions, context: PluginContext) {
    if (options.has('code') === options.has('path')) {
      throw new ShoalError('illegal_argument_exception', 400, 'give code or path, one of them');
    }
    this.decoratesNewEvents = options.has('path');
    this.options = options;
    this.context = context;
    this.scripts = newScripts(options, context);
    this.code = options.has('code') ? inlineScript(this.scripts, options) : null;
    this.filterMethod = options.has('path') ? fileScript(this.scripts, options, context) : null;
  }

  filter(event: LogEvent, emit: (event: LogEvent) => void): 'matched' | 'unmatched' {
    const object = new RubyEvent(event);
    const made: RubyEvent[] = [];
    try {
      if (this.code !== null) this.scripts.call(this.code, [object], newEventBlock(made, emit));
      else if (this.filterMethod !== null) handOn(object, this.scripts.call(this.filterMethod, [object]), made, emit);
      return 'matched';
    } catch (error) {
      this.report(event, error);
      return 'unmatched';
    } finally {
      settle(object);
      for (const one of made) settle(one);
    }
  }

  private report(event: LogEvent, error: unknown): void {
    const fault = faultOf(error);
    if (fault === null) throw error;
    const { pluginId: plugin, position, runtime } = this.context;
    const { message: reason, className: kind } = fault;
    runtime.log.error('ruby: a script failed', { plugin, position, kind, reason });
    const tag = this.options.string('tag_on_exception');
    if (this.options.boolean('tag_with_exception_message')) event.tag(`${tag}: ${reason}`);
    event.tag(tag);
  }
}

function newScripts(options: PluginOptions, context: PluginContext): RubyScripts {
  const scripts = new RubyScripts(context.runtime);
  const { variables } = scripts.machine.self;
  variables.set('script_params', parametersOf(options));
  variables.set('tag_on_exception', str(options.string('tag_on_exception')));
  return scripts;
}

function parametersOf(options: PluginOptions): Value {
  return toRuby(toEventValue(options.hash('script_params')), null);
}

function inlineScript(scripts: RubyScripts, options: PluginOptions): Method {
  if (options.has('init')) {
    const init = scripts.compile(options.string('init'), 'init', []);
    scripts.callAtStart(init, [], 'init');
  }
  return scripts.compile(options.string('code'), 'code', ['event'], 'new_event_block');
}

function fileScript(scripts: RubyScripts, options: PluginOptions, context: PluginContext): Method {
  const path = options.string('path');
  const text = readFileSync(path, 'utf8');
  // Tests get a machine of their own, as each of them has one in Logstash.
  runScriptTests(text, path, () => newScripts(options, context));
  const filter = loadFile(scripts, text, path);
  const register = scripts.functionNamed('register');
  if (register !== null) scripts.callAtStart(register, [parametersOf(options)], `register of ${path}`);
  return filter;
}

/** Runs the file, which defines its methods; `test` blocks are passed over. */
function loadFile(scripts: RubyScripts, text: string, path: string): Method {
  const { functions, defined } = scripts.machine;
  functions.set('test', () => null);
  for (const word of ['test', 'parameters', 'in_event', 'expect']) defined.add(word);
  scripts.callAtStart(scripts.compile(text, path, []), [], path);
  const filter = scripts.functionNamed('filter');
  if (filter !== null) return filter;
  throw new ShoalError('illegal_argument_exception', 400, `${path}: the script does not define a method "filter"`);
}

/** A script file answers the events that go on: the event itself, others, or none. */
function handOn(event: RubyEvent, result: Value, made: RubyEvent[], emit: (event: LogEvent) => void): void {
  if (!Array.isArray(result)) {
    throw exception(
      'RuntimeError',
      "Custom script did not return an array from 'filter'. Only arrays may be returned!",
    );
  }
  const events = result.filter((one): one is RubyEvent => one instanceof RubyEvent);
  if (events.length < result.length) {
    const other = result.find((one) => !(one instanceof RubyEvent)) ?? null;
    throw exception('RuntimeError', `Custom script returned a non event object '${inspect(other)}'!`);
  }
  let goesOn = false;
  for (const one of events) {
    if (one.event === event.event) goesOn = true;
    else {
      settle(one);
      made.push(one);
      emit(one.event);
    }
  }
  if (!goesOn) event.event.cancel();
}

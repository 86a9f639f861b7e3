/**
 * Scripts of `aggregate` in Ruby, and in JavaScript where `language` says so.
 */
import { type EventMap, type LogEvent, toEventValue } from '@shoal/agent-event';
import { optionError, type PluginContext } from '@shoal/agent-plugin-kit';
import { isShoalError } from '@shoal/core';
import { fromRuby, settle, toRuby } from '../../scripting/ruby/library/event-values.ts';
import { newEventBlock } from '../../scripting/ruby/new-event-block.ts';
import { faultOf, RubyScripts } from '../../scripting/ruby/ruby-script.ts';
import { RubyTime } from '../../scripting/ruby/values/ruby-time.ts';
import {
  float,
  type Methods,
  numberOf,
  OBJECT,
  RubyClass,
  RubyHash,
  RubyObject,
  str,
  type Value,
} from '../../scripting/ruby/values/ruby-value.ts';
import { RubyEvent } from '../../scripting/ruby/values/script-objects.ts';
import { fromScript, ScriptEvent, toScript } from '../../scripting/script-event.ts';
import { scriptFunction } from '../../scripting/script-function.ts';
import type { AggregateTask } from './aggregate-tasks.ts';

export interface AggregateScripts {
  newMap(): unknown;
  fieldsOf(map: unknown): EventMap;
  mapOf(fields: EventMap): unknown;
  /**
   * @param emit takes the events that the code makes, as it makes them
   * @returns what went wrong; null when nothing did
   */
  runCode(event: LogEvent, task: AggregateTask, emit: (event: LogEvent) => void): string | null;
  runTimeoutCode(event: LogEvent): string | null;
}

interface ScriptTexts {
  readonly code: string;
  readonly timeoutCode: string | null;
}

const META: RubyClass = new RubyClass('LogStash::Filters::Aggregate::Element', OBJECT);

/** `map_meta`: what a script may know of its task, and set for it alone. */
class RubyMapMeta extends RubyObject {
  readonly task: AggregateTask;

  constructor(task: AggregateTask) {
    super();
    this.task = task;
  }

  get rubyClass(): RubyClass {
    return META;
  }
}

const META_METHODS: Methods<RubyMapMeta> = {
  creation_timestamp: (_machine, { task }) => new RubyTime(task.createdMs, 0, 'local'),
  lastevent_timestamp: (_machine, { task }) => new RubyTime(task.touchedMs, 0, 'local'),
  task_id: (_machine, { task }) => str(task.taskId),
  map: (_machine, { task }) => task.map as Value,
  timeout: (_machine, { task }) => secondsValue(task.timeout),
  inactivity_timeout: (_machine, { task }) => secondsValue(task.inactivityTimeout),
  'timeout=': (_machine, { task }, [seconds = null]) => {
    task.timeout = numberOf(seconds);
    return seconds;
  },
  'inactivity_timeout=': (_machine, { task }, [seconds = null]) => {
    task.inactivityTimeout = numberOf(seconds);
    return seconds;
  },
};

META.define(META_METHODS);

function secondsValue(seconds: number | null): Value {
  return seconds === null || Number.isInteger(seconds) ? seconds : float(seconds);
}

export function rubyScripts({ code, timeoutCode }: ScriptTexts, context: PluginContext): AggregateScripts {
  const scripts = new RubyScripts(context.runtime);
  for (const name of Object.keys(META_METHODS)) scripts.machine.defined.add(name);
  const main = scripts.compile(code, 'code', ['event', 'map', 'map_meta'], 'new_event_block');
  const late = timeoutCode === null ? null : scripts.compile(timeoutCode, 'timeout_code', ['event']);
  const run = (event: LogEvent, call: (object: RubyEvent, made: RubyEvent[]) => void): string | null => {
    const object = new RubyEvent(event);
    const made: RubyEvent[] = [];
    try {
      call(object, made);
      return null;
    } catch (error) {
      const fault = faultOf(error);
      if (fault === null) throw error;
      return `${fault.className}: ${fault.message}`;
    } finally {
      settle(object);
      for (const one of made) settle(one);
    }
  };
  return {
    newMap: () => new RubyHash(),
    fieldsOf: (map) => {
      const fields = fromRuby(map as Value);
      return fields instanceof Map ? fields : new Map();
    },
    mapOf: (fields) => toRuby(fields, null),
    runCode: (event, task, emit) =>
      run(event, (object, made) =>
        scripts.call(main, [object, task.map as Value, new RubyMapMeta(task)], newEventBlock(made, emit)),
      ),
    runTimeoutCode: (event) => (late === null ? null : run(event, (object) => scripts.call(late, [object]))),
  };
}

export function javascriptScripts({ code, timeoutCode }: ScriptTexts, context: PluginContext): AggregateScripts {
  const main = compileJavascript(code, ['event', 'map'], context);
  const late = timeoutCode === null ? null : compileJavascript(timeoutCode, ['event', 'map'], context);
  const run = (call: () => void): string | null => {
    try {
      call();
      return null;
    } catch (error) {
      return messageOf(error);
    }
  };
  return {
    newMap: () => ({}),
    fieldsOf: (map) => {
      const fields = fromScript(map);
      return fields instanceof Map ? fields : new Map();
    },
    mapOf: (fields) => toScript(toEventValue(fields)),
    runCode: (event, task) => run(() => main(new ScriptEvent(event), task.map)),
    runTimeoutCode: (event) => (late === null ? null : run(() => late(new ScriptEvent(event), {}))),
  };
}

function compileJavascript(
  body: string,
  parameters: readonly string[],
  context: PluginContext,
): (...given: readonly unknown[]) => unknown {
  try {
    return scriptFunction({ parameters, body, filename: context.position }, context);
  } catch (error) {
    throw optionError(`the code cannot be used: ${messageOf(error)}`);
  }
}

/** Errors of a script are of its own realm: only their text is sure. */
function messageOf(error: unknown): string {
  return isShoalError(error) ? error.message : String((error as { message?: unknown } | null)?.message ?? error);
}

/**
 * aggregate: keeps a map for each task and lets a script fill it from the events of the task.
 *
 * Filters with the same `task_id` in one pipeline share their maps. Scripts are JavaScript; Ruby is refused with a hint.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
  createEvent,
  jsonText,
  type LogEvent,
  parseEventJson,
  parseFieldReference,
  Timestamp,
} from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { isShoalError, ShoalError } from '@shoal/core';
import { fromScript, ScriptEvent, toScript } from '../../scripting/script-event.ts';
import { scriptFunction } from '../../scripting/script-function.ts';
import { type AggregateTask, AggregateTaskMaps, type AggregateTasks } from './aggregate-tasks.ts';

export const aggregateFilter: PluginDefinition = {
  kind: 'filter',
  name: 'aggregate',
  version: '2.10.0',
  needsOneWorker: true,
  options: {
    task_id: { type: 'template', isRequired: true },
    code: { type: 'string', isRequired: true },
    language: { type: ['ruby', 'javascript'], default: 'ruby' },
    map_action: { type: ['create_or_update', 'create', 'update'], default: 'create_or_update' },
    end_of_task: { type: 'boolean', default: false },
    timeout: { type: 'number', default: 1800 },
    inactivity_timeout: { type: 'number' },
    push_map_as_event_on_timeout: { type: 'boolean', default: false },
    push_previous_map_as_event: { type: 'boolean', default: false },
    timeout_code: { type: 'string' },
    timeout_tags: { type: 'array', default: [] },
    timeout_task_id_field: { type: 'string' },
    timeout_timestamp_field: { type: 'string' },
    aggregate_maps_path: { type: 'string' },
  },
  create: (options, context) => new AggregateFilter(options, context),
};

type TaskScript = (event: ScriptEvent, map: unknown) => void;

class AggregateFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly code: TaskScript;
  private readonly timeoutCode: TaskScript | null;
  private readonly tasks: AggregateTasks;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    if (options.string('language') !== 'javascript') throw rubyRefused(options, context);
    this.code = compile(options.string('code'), context);
    this.timeoutCode = options.has('timeout_code') ? compile(options.string('timeout_code'), context) : null;
    const book = context.commons?.get(AggregateTaskMaps) ?? new AggregateTaskMaps();
    this.tasks = book.tasksOf(options.template('task_id').text);
  }

  async start(): Promise<void> {
    const path = this.options.has('aggregate_maps_path') ? this.options.string('aggregate_maps_path') : null;
    if (path === null || !existsSync(path)) return;
    const saved = parseEventJson(readFileSync(path, 'utf8'));
    if (!(saved instanceof Map)) return;
    for (const [id, map] of saved) this.tasks.set(id, this.newTask(null, toScript(map)));
  }

  async stop(): Promise<void> {
    if (!this.options.has('aggregate_maps_path')) return;
    const maps = new Map([...this.tasks].map(([id, task]) => [id, fromScript(task.map)]));
    writeFileSync(this.options.string('aggregate_maps_path'), jsonText(maps));
  }

  filter(event: LogEvent, emit: (event: LogEvent) => void): 'matched' | 'unmatched' {
    const template = this.options.template('task_id');
    const id = template.render(event);
    // A placeholder that stays means that the event has no task.
    if (id === '' || (id === template.text && !template.isConstant)) return 'unmatched';
    const task = this.taskFor(id, event, emit);
    if (task === null) return 'unmatched';
    try {
      this.code(new ScriptEvent(event), task.map);
      task.touchedAtMs = this.context.runtime.clock.monotonicMs();
    } catch (error) {
      this.reportFailure(error);
      event.tag('_aggregateexception');
      return 'unmatched';
    }
    if (this.options.boolean('end_of_task')) this.tasks.delete(id);
    return 'matched';
  }

  private taskFor(id: string, event: LogEvent, emit: (event: LogEvent) => void): AggregateTask | null {
    const existing = this.tasks.get(id);
    const action = this.options.string('map_action');
    if (existing !== undefined) return action === 'create' ? null : existing;
    if (action === 'update') return null;
    if (this.options.boolean('push_previous_map_as_event')) {
      for (const [previous, task] of this.tasks) {
        this.tasks.delete(previous);
        emit(this.eventOf(previous, task, []));
      }
    }
    const task = this.newTask(event, {});
    this.tasks.set(id, task);
    return task;
  }

  private newTask(event: LogEvent | null, map: unknown): AggregateTask {
    const now = this.context.runtime.clock.monotonicMs();
    const field = this.options.has('timeout_timestamp_field') ? this.options.string('timeout_timestamp_field') : null;
    const time = field === null ? undefined : event?.get(parseFieldReference(field));
    return { map, startedAtMs: now, touchedAtMs: now, time: time instanceof Timestamp ? time : null };
  }

  flush(flush: { readonly isFinal: boolean }): readonly LogEvent[] {
    const events: LogEvent[] = [];
    const now = this.context.runtime.clock.monotonicMs();
    const pushes =
      this.options.boolean('push_map_as_event_on_timeout') || this.options.boolean('push_previous_map_as_event');
    const keepsMaps = this.options.has('aggregate_maps_path');
    for (const [id, task] of this.tasks) {
      const isLast = flush.isFinal && !keepsMaps;
      if (!isLast && !this.isExpired(task, now)) continue;
      if (!pushes && !isLast) this.tasks.delete(id);
      if (!pushes) continue;
      this.tasks.delete(id);
      const tags = isLast ? ['_aggregatefinalflush'] : this.options.strings('timeout_tags');
      events.push(this.eventOf(id, task, tags));
    }
    return events;
  }

  private isExpired(task: AggregateTask, now: number): boolean {
    const idle = this.options.has('inactivity_timeout')
      ? this.options.number('inactivity_timeout') * 1000
      : Number.POSITIVE_INFINITY;
    return now - task.startedAtMs > this.options.number('timeout') * 1000 || now - task.touchedAtMs > idle;
  }

  private eventOf(id: string, task: AggregateTask, tags: readonly string[]): LogEvent {
    const fields = fromScript(task.map);
    const event = createEvent(fields instanceof Map ? fields : new Map());
    if (event.timestamp === null) event.timestamp = task.time ?? new Timestamp(this.context.runtime.clock.wallMs());
    if (this.options.has('timeout_task_id_field'))
      event.set(parseFieldReference(this.options.string('timeout_task_id_field')), id);
    for (const tag of tags) event.tag(tag);
    try {
      this.timeoutCode?.(new ScriptEvent(event), task.map);
    } catch (error) {
      this.reportFailure(error);
      event.tag('_aggregateexception');
    }
    return event;
  }

  private reportFailure(error: unknown): void {
    const reason = isShoalError(error)
      ? error.message
      : String((error as { message?: unknown } | null)?.message ?? error);
    const { pluginId: plugin, position } = this.context;
    this.context.runtime.log.error('aggregate: a script failed', { plugin, position, reason });
  }
}

function compile(code: string, context: PluginContext): TaskScript {
  try {
    return scriptFunction({ parameters: ['event', 'map'], body: code, filename: context.position }, context);
  } catch (error) {
    const message = String((error as { message?: unknown } | null)?.message ?? error);
    throw new ShoalError('illegal_argument_exception', 400, `aggregate: the code cannot be used: ${message}`);
  }
}

/** The commonest lines of Ruby are shown as they would be in JavaScript. */
function rubyRefused(options: PluginOptions, context: PluginContext): ShoalError {
  const translated = options
    .string('code')
    .replace(/(map\['[^']*'\])\s*\|\|=\s*/g, '$1 ??= ')
    .replace(/(\w)\s*<<\s*([^;\n]+)/g, '$1.push($2)')
    .trim();
  const why = `${context.position}: aggregate cannot run Ruby; write the code in JavaScript and set language => "javascript", perhaps: ${translated}`;
  return new ShoalError('illegal_argument_exception', 400, why);
}

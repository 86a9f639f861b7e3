/**
 * aggregate: keeps a map for each task and lets a script fill it from the events of the task.
 *
 * Filters with the same `task_id` in one pipeline share their maps; timeouts of a `task_id` are the business of one of them.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createEvent,
  type EventMap,
  type EventValue,
  jsonText,
  type LogEvent,
  parseEventJson,
  parseFieldReference,
  Timestamp,
} from '@shoal/agent-event';
import {
  type Filter,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { type AggregateScripts, javascriptScripts, rubyScripts } from './aggregate-scripts.ts';
import { type AggregateTask, AggregateTaskMaps, type AggregateTasks } from './aggregate-tasks.ts';
import { MapCountWarning } from './map-count-warning.ts';

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
    timeout: { type: 'number' },
    inactivity_timeout: { type: 'number' },
    push_map_as_event_on_timeout: { type: 'boolean', default: false },
    push_previous_map_as_event: { type: 'boolean', default: false },
    timeout_code: { type: 'string' },
    timeout_tags: { type: 'templates', default: [] },
    timeout_task_id_field: { type: 'string' },
    timeout_timestamp_field: { type: 'string' },
    aggregate_maps_path: { type: 'string' },
    map_count_warning_threshold: { type: 'number', default: 5000 },
  },
  create: (options, context) => new AggregateFilter(options, context),
};

/** Seconds after which a task ends when no filter says when. */
const DEFAULT_TIMEOUT = 1800;
const TIMEOUT_OPTIONS = [
  'timeout',
  'inactivity_timeout',
  'timeout_code',
  'timeout_timestamp_field',
  'timeout_task_id_field',
];

class AggregateFilter implements Filter {
  /** Maps become events with what their scripts gave them, no more. */
  readonly decoratesNewEvents = false;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly scripts: AggregateScripts;
  private readonly book: AggregateTaskMaps;
  private readonly pattern: string;
  private readonly tasks: AggregateTasks;
  private readonly pushesOnTimeout: boolean;
  private readonly mapCountWarning: MapCountWarning;
  private lastFlushMs = Number.NEGATIVE_INFINITY;
  /** A script gave a task a timeout of its own, which may be short. */
  private checksEachFlush = false;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.pattern = options.template('task_id').text;
    if (!/%\{.+\}/.test(this.pattern)) {
      throw optionError(`task_id '${this.pattern}' must contain a dynamic expression like '%{field}'`);
    }
    const texts = {
      code: options.string('code'),
      timeoutCode: options.has('timeout_code') ? options.string('timeout_code') : null,
    };
    const make = options.string('language') === 'javascript' ? javascriptScripts : rubyScripts;
    this.scripts = make(texts, context);
    this.pushesOnTimeout =
      options.boolean('push_map_as_event_on_timeout') || options.boolean('push_previous_map_as_event');
    this.mapCountWarning = new MapCountWarning(options.number('map_count_warning_threshold'));
    this.book = context.commons?.get(AggregateTaskMaps) ?? new AggregateTaskMaps();
    this.tasks = this.book.tasksOf(this.pattern);
    this.takeTimeouts();
    if (options.has('aggregate_maps_path')) this.book.takePath();
  }

  private takeTimeouts(): void {
    const { options, book, pattern } = this;
    const hasTimeouts =
      TIMEOUT_OPTIONS.some((name) => options.has(name)) ||
      this.pushesOnTimeout ||
      options.templates('timeout_tags').length > 0;
    if (hasTimeouts && book.flushers.has(pattern)) {
      throw optionError(
        `for task_id '${pattern}', there are more than one filter which defines timeout options: ${TIMEOUT_OPTIONS.join(', ')}, push_map_as_event_on_timeout, push_previous_map_as_event, timeout_tags`,
      );
    }
    if (hasTimeouts) book.flushers.set(pattern, this);
    const own = this.secondsOf('timeout');
    if (own !== null && (book.defaultTimeout === null || own < book.defaultTimeout)) book.defaultTimeout = own;
    const idle = this.secondsOf('inactivity_timeout');
    const most = Math.min(own ?? Number.POSITIVE_INFINITY, book.defaultTimeout ?? Number.POSITIVE_INFINITY);
    if (idle !== null && idle > most) {
      throw optionError(`for task_id '${pattern}', inactivity_timeout must be lower than timeout`);
    }
  }

  private secondsOf(name: string): number | null {
    return this.options.has(name) ? this.options.number(name) : null;
  }

  private get timeout(): number {
    return this.secondsOf('timeout') ?? this.book.defaultTimeout ?? DEFAULT_TIMEOUT;
  }

  private get inactivityTimeout(): number {
    return this.secondsOf('inactivity_timeout') ?? this.timeout;
  }

  async start(): Promise<void> {
    const path = this.options.has('aggregate_maps_path') ? this.options.string('aggregate_maps_path') : null;
    if (path === null || !existsSync(path)) return;
    const saved = parseEventJson(readFileSync(path, 'utf8'));
    if (saved instanceof Map) {
      for (const [pattern, tasks] of saved) {
        if (tasks instanceof Map) for (const [id, task] of tasks) this.restore(this.book.tasksOf(pattern), id, task);
      }
    }
    // What it holds is here now: read again after an end without a save, it would come back a second time.
    rmSync(path);
  }

  private restore(tasks: AggregateTasks, taskId: string, saved: EventValue): void {
    if (!(saved instanceof Map)) return;
    const number = (name: string): number | null => {
      const value = saved.get(name);
      return typeof value === 'number' ? value : null;
    };
    const map = saved.get('map');
    const now = this.context.runtime.clock.wallMs();
    tasks.set(taskId, {
      taskId,
      map: this.scripts.mapOf(map instanceof Map ? map : new Map()),
      createdMs: number('createdMs') ?? now,
      createdLagMs: number('createdLagMs') ?? 0,
      touchedMs: number('touchedMs') ?? now,
      touchedLagMs: number('touchedLagMs') ?? 0,
      timeout: number('timeout'),
      inactivityTimeout: number('inactivityTimeout'),
    });
  }

  async stop(): Promise<void> {
    if (!this.options.has('aggregate_maps_path')) return;
    const saved: EventMap = new Map();
    for (const [pattern, tasks] of this.book.byTaskId) {
      if (tasks.size > 0) saved.set(pattern, new Map([...tasks].map(([id, task]) => [id, this.savedTask(task)])));
    }
    if (saved.size > 0) writeFileSync(this.options.string('aggregate_maps_path'), jsonText(saved));
  }

  private savedTask({ taskId: _, map, ...times }: AggregateTask): EventMap {
    return new Map<string, EventValue>([['map', this.scripts.fieldsOf(map)], ...Object.entries(times)]);
  }

  filter(event: LogEvent, emit: (event: LogEvent) => void): 'matched' | 'unmatched' {
    const id = this.options.template('task_id').render(event);
    // A placeholder that stays means that the event has no task.
    if (id === this.pattern) return 'unmatched';
    if (this.mapCountWarning.isDue(this.tasks.size)) this.warnOfMaps();
    const made: LogEvent[] = [];
    const task = this.taskFor(id, event, made);
    const outcome = task === null ? 'unmatched' : this.runTask(event, task, made);
    for (const one of made) emit(one);
    return outcome;
  }

  private runTask(event: LogEvent, task: AggregateTask, made: LogEvent[]): 'matched' | 'unmatched' {
    const now = this.context.runtime.clock.wallMs();
    task.touchedMs = this.referenceMs(event);
    task.touchedLagMs = now - task.touchedMs;
    const fault = this.scripts.runCode(event, task, (one) => made.push(one));
    if (fault !== null) {
      this.report(fault, 'code_errors');
      event.tag('_aggregateexception');
    }
    if (this.options.boolean('end_of_task')) this.tasks.delete(task.taskId);
    if (task.timeout === 0 || task.inactivityTimeout === 0) {
      this.tasks.delete(task.taskId);
      if (this.flusher().options.boolean('push_map_as_event_on_timeout')) made.push(this.eventOf(task));
    } else if (task.timeout !== null || task.inactivityTimeout !== null) this.flusher().checksEachFlush = true;
    this.gauge();
    return fault === null ? 'matched' : 'unmatched';
  }

  private taskFor(id: string, event: LogEvent, made: LogEvent[]): AggregateTask | null {
    if (this.options.has('timeout_timestamp_field')) this.endBefore(id, event, made);
    const existing = this.tasks.get(id);
    const action = this.options.string('map_action');
    if (existing !== undefined) return action === 'create' ? null : existing;
    if (action === 'update') return null;
    if (this.options.boolean('push_previous_map_as_event')) this.pushOldest(made);
    const createdMs = this.referenceMs(event);
    const lagMs = this.context.runtime.clock.wallMs() - createdMs;
    const task: AggregateTask = {
      taskId: id,
      map: this.scripts.newMap(),
      createdMs,
      createdLagMs: lagMs,
      touchedMs: createdMs,
      touchedLagMs: lagMs,
      timeout: null,
      inactivityTimeout: null,
    };
    this.tasks.set(id, task);
    return task;
  }

  /** The time of an event ends the task that it belongs to, before it begins another. */
  private endBefore(id: string, event: LogEvent, made: LogEvent[]): void {
    const task = this.tasks.get(id);
    if (task === undefined) return;
    const now = this.referenceMs(event);
    if (!this.isExpired(task, now - task.createdMs, now - task.touchedMs)) return;
    this.tasks.delete(id);
    if (this.pushesOnTimeout) made.push(this.eventOf(task));
  }

  private pushOldest(made: LogEvent[]): void {
    const [oldest] = this.tasks.values();
    if (oldest === undefined) return;
    this.tasks.delete(oldest.taskId);
    made.push(this.eventOf(oldest));
  }

  private referenceMs(event: LogEvent): number {
    if (this.options.has('timeout_timestamp_field')) {
      const time = event.get(parseFieldReference(this.options.string('timeout_timestamp_field')));
      if (time instanceof Timestamp) return time.epochMs;
    }
    return this.context.runtime.clock.wallMs();
  }

  private flusher(): AggregateFilter {
    const known = this.book.flushers.get(this.pattern);
    if (known instanceof AggregateFilter) return known;
    this.book.flushers.set(this.pattern, this);
    return this;
  }

  flush(flush: { readonly isFinal: boolean }): readonly LogEvent[] {
    if (this.flusher() !== this) return [];
    const now = this.context.runtime.clock.wallMs();
    const isDue = now > this.lastFlushMs + (this.inactivityTimeout * 1000) / 2;
    if (!isDue && !flush.isFinal && !this.checksEachFlush) return [];
    this.lastFlushMs = now;
    // At the end maps that nobody keeps become events rather than being lost.
    const takesAll = flush.isFinal && this.pushesOnTimeout && !this.options.has('aggregate_maps_path');
    const events: LogEvent[] = [];
    for (const [id, task] of this.tasks) {
      const isLate = this.isExpired(
        task,
        now - task.createdMs - task.createdLagMs,
        now - task.touchedMs - task.touchedLagMs,
      );
      if (!isLate && !takesAll) continue;
      this.tasks.delete(id);
      if (isLate) this.context.metrics.increment('task_timeouts');
      if (this.pushesOnTimeout) events.push(this.eventOf(task));
    }
    if (this.tasks.size === 0) this.checksEachFlush = false;
    if (flush.isFinal) for (const event of events) event.tag('_aggregatefinalflush');
    this.gauge();
    return events;
  }

  private isExpired(task: AggregateTask, ageMs: number, idleMs: number): boolean {
    const { timeout, inactivityTimeout } = task;
    return ageMs > (timeout ?? this.timeout) * 1000 || idleMs > (inactivityTimeout ?? this.inactivityTimeout) * 1000;
  }

  private eventOf(task: AggregateTask): LogEvent {
    const event = createEvent(this.scripts.fieldsOf(task.map));
    if (event.timestamp === null) event.timestamp = new Timestamp(this.context.runtime.clock.wallMs());
    const owner = this.flusher();
    if (owner.options.has('timeout_task_id_field')) {
      event.set(parseFieldReference(owner.options.string('timeout_task_id_field')), task.taskId);
    }
    for (const tag of owner.options.templates('timeout_tags')) event.tag(tag.render(event));
    const fault = owner.scripts.runTimeoutCode(event);
    if (fault !== null) {
      this.report(fault, 'timeout_code_errors');
      event.tag('_aggregateexception');
    }
    this.context.metrics.increment('pushed_events');
    return event;
  }

  private warnOfMaps(): void {
    const { size } = this.tasks;
    const threshold = this.options.number('map_count_warning_threshold');
    const { pluginId: plugin, position } = this.context;
    this.context.runtime.log.warn(
      `Aggregate filter memory warning: task_id pattern '${this.pattern}' has ${size} maps in memory (threshold: ${threshold}).`,
      { plugin, position },
    );
  }

  private report(reason: string, counter: string): void {
    const { pluginId: plugin, position } = this.context;
    this.context.metrics.increment(counter);
    this.context.runtime.log.error('aggregate: a script failed', { plugin, position, reason });
  }

  private gauge(): void {
    this.context.metrics.gauge('aggregate_maps', this.tasks.size);
  }
}

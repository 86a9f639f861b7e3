/**
 * elapsed: the time between a start event and the end event with the same id.
 */

import {
  createEvent,
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseFieldReference,
  printValue,
  Timestamp,
} from '@shoal/agent-event';
import {
  addHost,
  type Filter,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { asFloat } from '@shoal/core';

export const elapsedFilter: PluginDefinition = {
  kind: 'filter',
  name: 'elapsed',
  version: '4.1.0',
  needsOneWorker: true,
  options: {
    start_tag: { type: 'string', isRequired: true },
    end_tag: { type: 'string', isRequired: true },
    unique_id_field: { type: 'fieldReference', isRequired: true },
    timeout: { type: 'number', default: 1800 },
    new_event_on_match: { type: 'boolean', default: false },
    keep_start_event: { type: ['first', 'last'], default: 'first' },
  },
  create: (options, context) => new ElapsedFilter(options, context),
};

/** Starts that wait for their ends; beyond it the oldest is given up as expired. */
const STARTS_MAX = 1_000_000;
const TIME = parseFieldReference('elapsed_time');
const START = parseFieldReference('elapsed_timestamp_start');

interface Started {
  readonly id: EventValue;
  readonly time: Timestamp;
  readonly takenAtMs: number;
}

class ElapsedFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly idField: FieldReference;
  private readonly starts = new Map<string, Started>();
  private readonly expired: LogEvent[] = [];

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.idField = options.reference('unique_id_field');
  }

  filter(event: LogEvent, emit: (event: LogEvent) => void): 'matched' | 'unmatched' {
    const id = event.get(this.idField);
    if (id === undefined || id === null) return 'unmatched';
    if (event.hasTag(this.options.string('start_tag'))) this.begin(event, id);
    else if (event.hasTag(this.options.string('end_tag'))) this.end(event, id, emit);
    else return 'unmatched';
    return 'matched';
  }

  private begin(event: LogEvent, id: EventValue): void {
    const key = printValue(id);
    if (this.starts.has(key) && this.options.string('keep_start_event') === 'first') return;
    if (this.starts.size >= STARTS_MAX) this.giveUpOldest();
    const { clock } = this.context.runtime;
    const time = event.timestamp ?? new Timestamp(clock.wallMs());
    this.starts.delete(key);
    this.starts.set(key, { id, time, takenAtMs: clock.monotonicMs() });
  }

  private end(event: LogEvent, id: EventValue, emit: (event: LogEvent) => void): void {
    const key = printValue(id);
    const started = this.starts.get(key);
    if (started === undefined) {
      event.tag('elapsed_end_without_start');
      return;
    }
    this.starts.delete(key);
    const endMs = event.timestamp?.epochMs ?? this.context.runtime.clock.wallMs();
    const seconds = (endMs - started.time.epochMs) / 1000;
    if (this.options.boolean('new_event_on_match')) emit(this.report(started, seconds, 'elapsed_match'));
    else mark(event, started, seconds, 'elapsed_match');
  }

  flush(): readonly LogEvent[] {
    const now = this.context.runtime.clock.monotonicMs();
    const timeoutMs = this.options.number('timeout') * 1000;
    for (const [key, started] of this.starts) {
      if (now - started.takenAtMs < timeoutMs) break;
      this.starts.delete(key);
      this.expired.push(this.report(started, (now - started.takenAtMs) / 1000, 'elapsed_expired_error'));
    }
    return this.expired.splice(0);
  }

  private giveUpOldest(): void {
    const oldest = this.starts.entries().next().value;
    if (oldest === undefined) return;
    this.starts.delete(oldest[0]);
    const waited = (this.context.runtime.clock.monotonicMs() - oldest[1].takenAtMs) / 1000;
    this.expired.push(this.report(oldest[1], waited, 'elapsed_expired_error'));
  }

  private report(started: Started, seconds: number, tag: string): LogEvent {
    const event = createEvent(new Map([['@timestamp', new Timestamp(this.context.runtime.clock.wallMs())]]));
    addHost(event, this.context);
    event.set(this.idField, started.id);
    mark(event, started, seconds, tag);
    return event;
  }
}

function mark(event: LogEvent, started: Started, seconds: number, tag: string): void {
  event.set(TIME, asFloat(seconds));
  event.set(START, started.time);
  event.tag('elapsed');
  event.tag(tag);
}

/**
 * The elasticsearch input: the hits of a search as events, page after page, once or by a schedule.
 */

import {
  type EventMap,
  type EventValue,
  jsonText,
  type LogEvent,
  parseEventJson,
  parseFieldReference,
} from '@shoal/agent-event';
import {
  type EventSink,
  type LoopControl,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  producingInput,
  targetedEvent,
} from '@shoal/agent-plugin-kit';
import { messageOf, ShoalError } from '@shoal/core';
import {
  ElasticsearchHosts,
  elasticsearchConnection,
  warnOfUnusedHostTls,
} from '../../elasticsearch-client/elasticsearch-hosts.ts';
import { ESQL_PATH } from '../../elasticsearch-client/esql-query.ts';
import { cronSchedule, runScheduled } from '../../schedule/schedule.ts';
import { checkRowsOptions, rowEvents } from './esql-rows.ts';
import { FieldTracker } from './field-tracker.ts';
import { SearchAfter, SearchRefused } from './search-after.ts';

const RETRY_MS = 1_000;

export const elasticsearchInput: PluginDefinition = {
  kind: 'input',
  name: 'elasticsearch',
  version: '5.0.0',
  options: {
    ...elasticsearchConnection,
    codec: { type: 'codec', default: 'json' },
    index: { type: 'string', default: 'logstash-*' },
    query: { type: 'string', default: '{ "sort": [ "_doc" ] }' },
    size: { type: 'number', default: 1000 },
    scroll: { type: 'string', default: '1m' },
    search_api: { type: ['auto', 'search_after', 'scroll'], default: 'auto' },
    slices: { type: 'number' },
    docinfo: { type: 'boolean', default: false },
    docinfo_target: { type: 'string' },
    docinfo_fields: { type: 'array', default: ['_index', '_type', '_id'] },
    schedule: { type: 'string' },
    response_type: { type: ['hits', 'aggregations'], default: 'hits' },
    retries: { type: 'number', default: 0 },
    target: { type: 'fieldReference' },
    request_timeout_seconds: { type: 'number', default: 60 },
    /** Field whose value in the last hit replaces `:last_value` in the query of the next run. */
    tracking_field: { type: 'string' },
    tracking_field_seed: { type: 'string' },
    last_run_metadata_path: { type: 'string' },
    query_type: { type: ['dsl', 'esql'], default: 'dsl' },
  },
  create(options, context) {
    checkNumbers(options);
    if (options.string('query_type') === 'esql') checkRowsOptions(options);
    else checkQuery(options);
    const isScheduled = options.has('schedule');
    warnOfUnusedHostTls(options, context);
    const schedule = isScheduled ? cronSchedule(options.string('schedule')) : null;
    return producingInput(context.runtime, { isEndless: isScheduled }, async (sink, control) => {
      const hosts = new ElasticsearchHosts(options, {
        clock: context.runtime.clock,
        path: '',
        resurrectDelayMs: 5_000,
        connectionsMax: 10,
        idleMs: 10_000,
      });
      const tracker = options.has('tracking_field') ? await FieldTracker.open(options, context) : null;
      const run = async (): Promise<void> => {
        const query = tracker === null ? options.string('query') : tracker.fill(options.string('query'));
        const observe = (hit: EventMap): void => tracker?.observe(hit);
        await new SearchRun({ hosts, options, context, sink, control, query, observe }).run();
        if (tracker !== null) await sink.confirmed?.();
        await tracker?.save();
      };
      try {
        if (schedule === null) await run();
        else
          await runScheduled(schedule, context.runtime.clock, control, () =>
            run().catch((error) => context.runtime.log.error('a search failed', { error: String(error) })),
          );
      } finally {
        hosts.close();
      }
    });
  },
};

function checkNumbers(options: PluginOptions): void {
  if (options.has('slices') && options.number('slices') < 1) throw optionError('[slices] must be at least 1');
  if (options.number('retries') < 0) throw optionError('[retries] must not be negative');
}

/** A query with a place for the last value is JSON only once that is filled in. */
function checkQuery(options: PluginOptions): void {
  if (options.has('tracking_field')) return;
  const text = options.string('query');
  let query: EventValue;
  try {
    query = parseEventJson(text);
  } catch (error) {
    throw optionError(`[query => ${text}] is no JSON: ${messageOf(error)}`);
  }
  if (!(query instanceof Map)) throw optionError(`[query => ${text}] is no JSON object`);
  if (options.has('slices') && query.has('slice'))
    throw optionError('[query] has a slice of its own, which [slices] would replace');
}

interface SearchParts {
  readonly hosts: ElasticsearchHosts;
  readonly options: PluginOptions;
  readonly context: PluginContext;
  readonly sink: EventSink;
  readonly control: LoopControl;
  /** JSON. */
  readonly query: string;
  /** Called with every hit once its event is in the queue. */
  observe(hit: EventMap): void;
}

class SearchRun {
  private readonly parts: SearchParts;
  private readonly hosts: ElasticsearchHosts;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly sink: EventSink;
  private readonly control: LoopControl;

  constructor(parts: SearchParts) {
    this.parts = parts;
    this.hosts = parts.hosts;
    this.options = parts.options;
    this.context = parts.context;
    this.sink = parts.sink;
    this.control = parts.control;
  }

  /** A failed search is done again from its start, as often as `retries` says: events may come twice then. */
  async run(): Promise<void> {
    for (let attempt = 0; !this.control.isStopped; attempt++) {
      try {
        if (this.options.string('query_type') === 'esql') return await this.rows();
        if (this.options.string('response_type') === 'aggregations') return await this.aggregations();
        return await this.pages();
      } catch (error) {
        if (attempt >= this.options.number('retries')) throw error;
        this.context.runtime.log.warn('a search failed and is done again', { error: String(error) });
        await this.control.pause(RETRY_MS);
      }
    }
  }

  private async rows(): Promise<void> {
    const body = jsonText(new Map([['query', this.parts.query]]));
    const answer = await this.ask('POST', ESQL_PATH, body);
    await this.sink.push(rowEvents(answer, this.target()));
  }

  private async aggregations(): Promise<void> {
    const answer = await this.ask('POST', this.searchPath('size=0'), this.parts.query);
    const found = answer.get('aggregations');
    if (found instanceof Map) await this.sink.push([targetedEvent(found, this.target())]);
  }

  /** `auto` scrolls, and where a cluster has no scrolling goes on behind the last hit of each page. */
  private async pages(): Promise<void> {
    const api = this.options.string('search_api');
    if (api === 'search_after') return this.searchAfter();
    const slices = this.options.has('slices') ? this.options.number('slices') : 1;
    const scrolls = Array.from({ length: slices }, (_, id) => this.scroll(slices > 1 ? { id, max: slices } : null));
    try {
      await Promise.all(scrolls);
    } catch (error) {
      if (api === 'scroll' || !String(error).includes('[scroll] is not supported')) throw error;
      await this.searchAfter();
    }
    return undefined;
  }

  private searchAfter(): Promise<void> {
    const { options, context, control } = this;
    return new SearchAfter({
      query: asMap(parseEventJson(this.parts.query)),
      index: options.string('index'),
      size: options.number('size'),
      keepAlive: options.string('scroll'),
      log: context.runtime.log,
      control,
      ask: (method, path, text) => this.ask(method, path, text),
      take: (hits) => this.take(hits),
    }).run();
  }

  private async take(hits: readonly EventValue[]): Promise<void> {
    await this.sink.push(hits.map((hit) => this.event(asMap(hit))));
    for (const hit of hits) this.parts.observe(asMap(hit));
  }

  private async scroll(slice: { readonly id: number; readonly max: number } | null): Promise<void> {
    const { options } = this;
    const query = asMap(parseEventJson(this.parts.query));
    if (slice !== null)
      query.set(
        'slice',
        new Map([
          ['id', slice.id],
          ['max', slice.max],
        ]),
      );
    const keep = options.string('scroll');
    let page = await this.ask(
      'POST',
      this.searchPath(`size=${options.number('size')}&scroll=${keep}`),
      jsonText(query),
    );
    for (;;) {
      const hits = asMap(page.get('hits')).get('hits');
      const id = page.get('_scroll_id');
      if (!Array.isArray(hits) || hits.length === 0 || this.control.isStopped) {
        if (typeof id === 'string') await this.forget(id);
        return;
      }
      await this.take(hits);
      if (typeof id !== 'string') return;
      page = await this.ask(
        'POST',
        '/_search/scroll',
        jsonText(
          new Map<string, EventValue>([
            ['scroll', keep],
            ['scroll_id', id],
          ]),
        ),
      );
    }
  }

  /** The cluster forgets it by itself later: a failure here does no harm. */
  private async forget(scrollId: string): Promise<void> {
    const body = jsonText(new Map([['scroll_id', scrollId]]));
    await this.ask('DELETE', '/_search/scroll', body).catch(() => undefined);
  }

  private searchPath(parameters: string): string {
    return `/${encodeURIComponent(this.options.string('index'))}/_search?${parameters}`;
  }

  private async ask(method: string, path: string, body: string): Promise<EventMap> {
    const answer = await this.hosts.call({
      method,
      path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(body, 'utf8'),
      timeoutMs: this.options.number('request_timeout_seconds') * 1000,
    });
    if (answer.status >= 300) {
      const text = Buffer.from(answer.body.subarray(0, 500)).toString('utf8');
      throw new SearchRefused(answer.status, text);
    }
    return asMap(parseEventJson(answer.body));
  }

  private target(): ReturnType<PluginOptions['reference']> | null {
    return this.options.has('target') ? this.options.reference('target') : null;
  }

  private event(hit: EventMap): LogEvent {
    const event = targetedEvent(hit.get('_source') ?? new Map(), this.target());
    if (!this.options.boolean('docinfo')) return event;
    const isLegacy = this.context.ecs === 'disabled';
    const target = this.options.has('docinfo_target')
      ? this.options.string('docinfo_target')
      : isLegacy
        ? '[@metadata]'
        : '[@metadata][input][elasticsearch]';
    const existing = event.get(parseFieldReference(bracketed(target)));
    if (existing !== undefined && existing !== null && !(existing instanceof Map)) throw incompatible(target);
    for (const name of this.options.strings('docinfo_fields')) {
      const value = hit.get(name);
      if (value !== undefined) event.set(parseFieldReference(`${bracketed(target)}[${name}]`), value);
    }
    return event;
  }
}

/** The document has something else where what is around it belongs. */
function incompatible(target: string): ShoalError {
  const text = `incompatible event: [docinfo_target => ${target}] is a field of the document that is no object`;
  return new ShoalError('illegal_argument_exception', 400, text);
}

function bracketed(target: string): string {
  return target.startsWith('[') ? target : `[${target}]`;
}

function asMap(value: EventValue | undefined): EventMap {
  return value instanceof Map ? value : new Map();
}

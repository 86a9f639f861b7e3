/**
 * elasticsearch: looks an event up in a cluster and copies what the search found into it.
 *
 * One search for each event. A search that fails, or that some shards did not answer, leaves the event as it is but for a tag:
 * a part of the answer would look like the whole. An event is matched when there are hits or aggregations.
 */
import { type EventMap, type EventValue, type LogEvent, parseEventJson, parseFieldReference } from '@shoal/agent-event';
import type { Filter, FilterOutcome, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { messageOf, ShoalError } from '@shoal/core';
import {
  ElasticsearchHosts,
  elasticsearchConnection,
  warnOfUnusedHostTls,
} from '../../elasticsearch-client/elasticsearch-hosts.ts';
import { type CopyRule, copiedFields, copyRules, valueAt } from './copy-rules.ts';
import { copyColumns, esqlSearch } from './esql-lookup.ts';
import { type LookupSearch, lookupSearch } from './lookup-search.ts';

const REQUEST_TIMEOUT_MS = 60_000;
/** Bytes of a refusal that a log line shows. */
const REFUSAL_BYTES_MAX = 500;
const TOTAL_HITS = parseFieldReference('[@metadata][total_hits]');

export const elasticsearchFilter: PluginDefinition = {
  kind: 'filter',
  name: 'elasticsearch',
  version: '4.2.0',
  options: {
    ...elasticsearchConnection,
    index: { type: 'template', default: '' },
    query: { type: 'template' },
    query_template: { type: 'path' },
    sort: { type: 'string', default: '@timestamp:desc' },
    enable_sort: { type: 'boolean', default: true },
    result_size: { type: 'number', default: 1 },
    fields: { type: 'any', default: {} },
    docinfo_fields: { type: 'hash', default: {} },
    aggregation_fields: { type: 'hash', default: {} },
    target: { type: 'fieldReference' },
    retry_on_failure: { type: 'number', default: 0 },
    retry_on_status: { type: 'array', default: [] },
    tag_on_failure: { type: 'array', default: ['_elasticsearch_lookup_failure'] },
    query_type: { type: ['dsl', 'esql'], default: 'dsl' },
    query_params: { type: 'hash', default: {} },
  },
  create: (options, context) => new ElasticsearchFilter(options, context),
};

class ElasticsearchFilter implements Filter {
  private readonly context: PluginContext;
  private readonly hosts: ElasticsearchHosts;
  private readonly isEsql: boolean;
  private readonly search: LookupSearch;
  private readonly fields: readonly CopyRule[];
  private readonly docinfo: readonly CopyRule[];
  private readonly aggregations: readonly CopyRule[];
  private readonly retriesMax: number;
  private readonly retriedStatuses: ReadonlySet<number>;
  private readonly failureTags: readonly string[];

  constructor(options: PluginOptions, context: PluginContext) {
    this.context = context;
    this.isEsql = options.string('query_type') === 'esql';
    this.search = this.isEsql ? esqlSearch(options) : lookupSearch(options, context);
    warnOfUnusedHostTls(options, context);
    const target = options.has('target') ? options.reference('target') : null;
    this.fields = copyRules(copiedFields(options.value('fields')), target);
    this.docinfo = copyRules(options.hash('docinfo_fields'), target);
    this.aggregations = copyRules(options.hash('aggregation_fields'), target);
    this.retriesMax = options.number('retry_on_failure');
    this.retriedStatuses = new Set(options.strings('retry_on_status').map(Number));
    this.failureTags = options.strings('tag_on_failure');
    this.hosts = new ElasticsearchHosts(options, {
      clock: context.runtime.clock,
      path: '',
      resurrectDelayMs: 5_000,
      connectionsMax: 10,
      idleMs: 10_000,
    });
  }

  async filter(event: LogEvent): Promise<FilterOutcome> {
    try {
      return this.copy(await this.ask(event), event);
    } catch (error) {
      // The event goes on without what was looked up; its tags say so.
      const { pipelineId, pluginId, runtime } = this.context;
      const text = messageOf(error);
      runtime.log.warn('a lookup failed', { pipeline: pipelineId, id: pluginId, error: text });
      for (const tag of this.failureTags) event.tag(tag);
      return 'unmatched';
    }
  }

  async stop(): Promise<void> {
    this.hosts.close();
  }

  /** Answer of the search for one event. */
  private async ask(event: LogEvent): Promise<EventMap> {
    const call = { ...this.search(event), timeoutMs: REQUEST_TIMEOUT_MS };
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= this.retriesMax;
      const answer = await this.hosts.call(call).catch((error: unknown) => {
        if (isLast) throw error;
        return null;
      });
      if (answer === null) continue;
      if (!isLast && this.retriedStatuses.has(answer.status)) continue;
      if (answer.status >= 300) {
        const text = Buffer.from(answer.body.subarray(0, REFUSAL_BYTES_MAX)).toString('utf8');
        throw new ShoalError('http_exception', 502, `the search was answered with status ${answer.status}: ${text}`);
      }
      return mapOf(parseEventJson(answer.body));
    }
  }

  private copy(answer: EventMap, event: LogEvent): FilterOutcome {
    if (this.isEsql) {
      copyColumns(answer, this.fields, event);
      return 'matched';
    }
    const shards = mapOf(answer.get('_shards'));
    const failures = shards.get('failures');
    if (failures !== undefined) throw new ShoalError('http_exception', 502, `${shards.get('failed')} shards failed`);
    const found = mapOf(answer.get('hits'));
    const total = found.get('total');
    event.set(TOTAL_HITS, (total instanceof Map ? total.get('value') : total) ?? null);
    const hits = listOf(found.get('hits')).map(mapOf);
    if (hits.length > 0) {
      const sources = hits.map((hit) => mapOf(hit.get('_source')));
      for (const rule of this.fields) event.set(rule.to, oneOrAll(sources.map((source) => valueAt(source, rule))));
      for (const rule of this.docinfo) event.set(rule.to, oneOrAll(hits.map((hit) => valueAt(hit, rule))));
    }
    const aggregations = mapOf(answer.get('aggregations'));
    if (aggregations.size > 0) {
      for (const { name, to } of this.aggregations) event.set(to, aggregations.get(name) ?? null);
    }
    return hits.length > 0 || aggregations.size > 0 ? 'matched' : 'unmatched';
  }
}

/** The value of a single hit, a list of those of several. */
function oneOrAll(values: readonly EventValue[]): EventValue {
  return values.length > 1 ? [...values] : (values[0] ?? null);
}

function mapOf(value: EventValue | undefined): EventMap {
  return value instanceof Map ? value : new Map();
}

function listOf(value: EventValue | undefined): readonly EventValue[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The elasticsearch output: events into any cluster that speaks the Elasticsearch API, through bulk requests.
 */
import { readFile } from 'node:fs/promises';
import { compileTemplate, type LogEvent } from '@shoal/agent-event';
import {
  type Output,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { parseJson } from '@shoal/core';
import {
  ElasticsearchHosts,
  elasticsearchConnection,
  type HostsSettings,
  warnOfUnusedHostTls,
} from '../../elasticsearch-client/elasticsearch-hosts.ts';
import { type BulkItem, BulkItems, checkActions } from './bulk-action.ts';
import { BulkDelivery } from './bulk-delivery.ts';
import { hasComposableTemplates, lifecycleObstacle } from './cluster-facts.ts';
import { type ClusterResource, type SetupSettings, setUpCluster } from './cluster-setup.ts';
import { tellClusterUuid } from './cluster-uuid.ts';
import type { DataStream } from './data-stream.ts';
import { defaultTemplate } from './default-template.ts';
import {
  aliasResource,
  bytesOf,
  type Lifecycle,
  lifecycleOf,
  policyResource,
  usualName,
  withLifecycle,
} from './index-lifecycle.ts';

const STREAM_NAMES = ['data_stream_type', 'data_stream_dataset', 'data_stream_namespace'];
/** What is looked at in the answer to a bulk request; the rest is some 200 bytes a document. */
const ANSWER_FILTER = 'filter_path=errors,items.*.error,items.*.status';
/** Options that say that plain indices are meant: a data stream has no use for them. */
const INDEX_OPTIONS = [
  'index',
  'upsert',
  'script',
  'template',
  'template_name',
  'ilm_rollover_alias',
  'version',
  'version_type',
  'join_field',
  'parent',
  'document_type',
];
/** The same for options that are always there. */
const INDEX_SWITCHES = ['doc_as_upsert', 'scripted_upsert', 'template_overwrite'];
/** A data stream takes new documents only, whatever the action is called. */
const STREAM_ACTIONS = ['index', 'create'];

export const elasticsearchOutput: PluginDefinition = {
  kind: 'output',
  name: 'elasticsearch',
  version: '12.0.2',
  concurrency: 'each',
  joinsBatches: true,
  options: {
    ...elasticsearchConnection,
    codec: { type: 'codec', default: 'plain' },
    index: { type: 'template' },
    action: { type: 'template', default: 'index' },
    document_id: { type: 'template' },
    routing: { type: 'template' },
    pipeline: { type: 'template' },
    version: { type: 'template' },
    version_type: { type: ['internal', 'external', 'external_gt', 'external_gte', 'force'] },
    doc_as_upsert: { type: 'boolean', default: false },
    upsert: { type: 'template' },
    script: { type: 'string' },
    script_type: { type: ['inline', 'indexed'], default: 'inline' },
    script_lang: { type: 'string', default: 'painless' },
    script_var_name: { type: 'string', default: 'event' },
    scripted_upsert: { type: 'boolean', default: false },
    retry_on_conflict: { type: 'number', default: 1 },
    data_stream: { type: ['true', 'false', 'auto'], default: 'auto' },
    data_stream_type: { type: 'string' },
    data_stream_dataset: { type: 'string' },
    data_stream_namespace: { type: 'string' },
    data_stream_auto_routing: { type: 'boolean', default: true },
    data_stream_sync_fields: { type: 'boolean', default: true },
    manage_template: { type: 'boolean', default: true },
    template: { type: 'path' },
    template_name: { type: 'string' },
    template_overwrite: { type: 'boolean', default: false },
    template_api: { type: ['auto', 'legacy', 'composable'], default: 'auto' },
    ilm_enabled: { type: ['auto', 'true', 'false'], default: 'auto' },
    retry_initial_interval: { type: 'number', default: 2 },
    retry_max_interval: { type: 'number', default: 64 },
    timeout: { type: 'number', default: 60 },
    pool_max: { type: 'number', default: 1000 },
    pool_max_per_route: { type: 'number', default: 100 },
    resurrect_delay: { type: 'number', default: 5 },
    validate_after_inactivity: { type: 'number', default: 10_000 },
    sniffing: { type: 'boolean', default: false },
    sniffing_delay: { type: 'number', default: 5 },
    sniffing_path: { type: 'string', default: '/_nodes/http' },
    http_compression: { type: 'boolean' },
    /** 1 to 9; 0 compresses nothing, and so does leaving it out without `http_compression`. */
    compression_level: { type: 'number' },
    path: { type: 'string', default: '' },
    bulk_path: { type: 'string' },
    parameters: { type: 'hash', default: {} },
    dlq_custom_codes: { type: 'array', default: [] },
    dlq_on_failed_indexname_interpolation: { type: 'boolean', default: true },
    silence_errors_in_log: { type: 'array', default: [] },
    failure_type_logging_whitelist: { type: 'array', default: [], deprecated: 'use silence_errors_in_log' },
    ilm_rollover_alias: { type: 'string' },
    ilm_pattern: { type: 'string', default: '{now/d}-000001' },
    ilm_policy: { type: 'string', default: 'logstash-policy' },
    healthcheck_path: { type: 'string' },
    join_field: { type: 'fieldReference' },
    parent: { type: 'template' },
    drop_error_types: { type: 'array', default: [] },
    document_type: {
      type: 'string',
      deprecated: 'it has no effect: clusters of version 8 have no types of documents',
    },
  },
  create: (options, context) => new ElasticsearchOutput(options, context),
};

class ElasticsearchOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: StoppableWait;
  private readonly hosts: ElasticsearchHosts;
  private readonly delivery: BulkDelivery;
  private readonly stream: DataStream | null;
  /** What an index lifecycle would be; the cluster has the last word where it is `auto`. */
  private readonly lifecycle: Lifecycle | null;
  /** Begins with the first batch: until then the cluster need not be there. */
  private setup: Promise<BulkItems> | null = null;
  /** Ends with the uuid of the cluster, or with the output. */
  private naming: Promise<void> | null = null;

  constructor(options: PluginOptions, context: PluginContext) {
    warnOfUnusedHostTls(options, context);
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
    this.hosts = new ElasticsearchHosts(options, hostsSettings(options, context));
    this.stream = dataStreamOf(options, context);
    if (this.stream === null) checkActions(options);
    this.lifecycle = this.stream === null ? lifecycleOf(options, context) : null;
    this.delivery = new BulkDelivery(this.hosts, deliverySettings(options), context, this.control);
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    const bulk = await (this.setup ??= this.setUp());
    const items: BulkItem[] = [];
    for (const event of events) {
      const item = bulk.of(event);
      if ('reason' in item) await this.delivery.refuse(item.event, item.reason);
      else items.push(item);
    }
    await this.delivery.deliver(items);
    this.naming ??= tellClusterUuid(this.hosts, {
      timeoutMs: this.options.number('timeout') * 1000,
      control: this.control,
      metrics: this.context.metrics,
      log: this.context.runtime.log,
    });
  }

  async stop(): Promise<void> {
    this.control.stop();
    this.hosts.close();
  }

  /** What makes items of events, once the cluster has all that they need. */
  private async setUp(): Promise<BulkItems> {
    const { options, context, stream } = this;
    const settings: SetupSettings = {
      timeoutMs: options.number('timeout') * 1000,
      retryFirstMs: options.number('retry_initial_interval') * 1000,
      retryMaxMs: options.number('retry_max_interval') * 1000,
      log: context.runtime.log,
      control: this.control,
    };
    const lifecycle = await this.possibleLifecycle(settings);
    const managed = stream === null && options.boolean('manage_template');
    const template = managed ? await this.templateResource(lifecycle, settings) : null;
    const resources = [
      ...(lifecycle === null ? [] : policyResource(lifecycle)),
      ...(template === null ? [] : [template]),
      ...(lifecycle === null ? [] : [aliasResource(lifecycle)]),
    ];
    await setUpCluster(this.hosts, resources, settings);
    const usual = compileTemplate(lifecycle?.alias ?? `${usualName(context)}-%{+yyyy.MM.dd}`);
    const index = options.has('index') && lifecycle === null ? options.template('index') : usual;
    return new BulkItems(options, index, stream);
  }

  /** The lifecycle that was asked for; by itself only where the cluster has such policies. */
  private async possibleLifecycle(settings: SetupSettings): Promise<Lifecycle | null> {
    const { lifecycle, options, context } = this;
    if (lifecycle === null) return null;
    const { pluginId: plugin, position } = context;
    if (options.string('ilm_enabled') === 'auto') {
      const why = await lifecycleObstacle(this.hosts, settings);
      if (why !== null) {
        settings.log.info(`indices have no lifecycle: index lifecycle management is ${why}`, { plugin });
        return null;
      }
    }
    if (options.has('index'))
      settings.log.warn('[ilm_rollover_alias] takes the place of [index]', { plugin, position });
    return lifecycle;
  }

  /** The template of a file, or the one that the output brings itself. */
  private async templateResource(lifecycle: Lifecycle | null, settings: SetupSettings): Promise<ClusterResource> {
    const { options, context } = this;
    const text = options.has('template') ? await readFile(options.string('template')) : null;
    const parsed = text === null ? null : parseJson(text);
    const given = typeof parsed === 'object' && parsed !== null ? { ...parsed } : null;
    const api = options.string('template_api');
    const isComposable =
      api === 'auto'
        ? given === null
          ? await hasComposableTemplates(this.hosts, settings)
          : 'template' in given
        : api === 'composable';
    const name = options.has('template_name') ? options.string('template_name') : usualName(context);
    const path = `/${isComposable ? '_index_template' : '_template'}/${encodeURIComponent(name)}`;
    const probe = options.boolean('template_overwrite') ? null : { method: 'HEAD' as const, path };
    const rolled = (template: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
      lifecycle === null ? template : withLifecycle(template, lifecycle, isComposable);
    const base = { name: `index template ${name}`, probe, path };
    // The file goes as it is, unless something has to be added to it.
    if (text !== null) return { ...base, body: lifecycle === null ? text : bytesOf(rolled(given ?? {})) };
    const kind = { name: usualName(context), isEcs: context.ecs !== 'disabled', isComposable };
    const [body = bytesOf({}), less = bytesOf({})] = [true, false].map((hasPlaces) =>
      bytesOf(rolled(defaultTemplate({ ...kind, hasPlaces }))),
    );
    const lacks = 'fields of type geo_point and half_float';
    return { ...base, body, fallback: { body: less, lacks, without: 'its own rules choose the types of fields' } };
  }
}

function hostsSettings(options: PluginOptions, context: PluginContext): HostsSettings {
  const health = options.has('healthcheck_path') ? options.string('healthcheck_path') : null;
  return {
    clock: context.runtime.clock,
    path: withSlash(options.string('path')).replace(/\/$/, ''),
    resurrectDelayMs: options.number('resurrect_delay') * 1000,
    connectionsMax: Math.min(options.number('pool_max'), options.number('pool_max_per_route')),
    idleMs: options.number('validate_after_inactivity'),
    healthPath: health === null ? null : withSlash(health),
    ...(options.boolean('sniffing') ? { sniffing: sniffingOf(options, context) } : {}),
  };
}

/** Paths may be given without the slash in front. */
function withSlash(path: string): string {
  return path.replace(/^(?=[^/])/, '/');
}

function sniffingOf(options: PluginOptions, context: PluginContext): NonNullable<HostsSettings['sniffing']> {
  return {
    path: withSlash(options.string('sniffing_path')),
    everyMs: options.number('sniffing_delay') * 1000,
    timeoutMs: options.number('timeout') * 1000,
    log: context.runtime.log,
  };
}

/** Path of bulk requests. The answer is asked for without what is not looked at, unless an option says what it shall have. */
function bulkPathOf(options: PluginOptions): string {
  const path = withSlash(options.has('bulk_path') ? options.string('bulk_path') : '/_bulk');
  const parameters = [...options.hash('parameters')].map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  const given = [path, parameters.join('&')].filter((part) => part !== '').join(path.includes('?') ? '&' : '?');
  if (/[?&]filter_path=/.test(given)) return given;
  return `${given}${given.includes('?') ? '&' : '?'}${ANSWER_FILTER}`;
}

function deliverySettings(options: PluginOptions): ConstructorParameters<typeof BulkDelivery>[1] {
  const isCompressed = options.has('http_compression') && options.boolean('http_compression');
  const usualLevel = isCompressed ? 1 : 0;
  return {
    path: bulkPathOf(options),
    timeoutMs: options.number('timeout') * 1000,
    retryFirstMs: options.number('retry_initial_interval') * 1000,
    retryMaxMs: options.number('retry_max_interval') * 1000,
    compressionLevel: options.has('compression_level') ? options.number('compression_level') : usualLevel,
    deadLetterCodes: new Set(options.strings('dlq_custom_codes').map(Number)),
    silentErrors: new Set(
      ['silence_errors_in_log', 'failure_type_logging_whitelist'].flatMap((name) => options.strings(name)),
    ),
    droppedErrors: new Set(options.strings('drop_error_types')),
  };
}

/** null: plain indices. `auto` is data streams under ECS, unless an option says otherwise. */
function dataStreamOf(options: PluginOptions, context: PluginContext): DataStream | null {
  const mode = options.string('data_stream');
  const foreign = [
    ...INDEX_OPTIONS.filter((name) => options.has(name)),
    ...INDEX_SWITCHES.filter((name) => options.boolean(name)),
    ...(options.string('ilm_enabled') === 'auto' ? [] : ['ilm_enabled']),
    ...(STREAM_ACTIONS.includes(options.template('action').text) ? [] : ['action']),
  ];
  if (mode === 'false' || (mode === 'auto' && (context.ecs === 'disabled' || foreign.length > 0))) {
    const useless = STREAM_NAMES.filter((name) => options.has(name));
    if (useless.length > 0) throw optionError(`[${useless.join('], [')}] say nothing without [data_stream => true]`);
    return null;
  }
  if (foreign.length > 0)
    throw optionError(`[data_stream => true] chooses index and action: remove [${foreign.join('], [')}]`);
  const given = (name: string, other: string): string => (options.has(name) ? options.string(name) : other);
  return {
    type: given('data_stream_type', 'logs'),
    dataset: given('data_stream_dataset', 'generic'),
    namespace: given('data_stream_namespace', 'default'),
    followsEvent: options.boolean('data_stream_auto_routing'),
    writesFields: options.boolean('data_stream_sync_fields'),
  };
}

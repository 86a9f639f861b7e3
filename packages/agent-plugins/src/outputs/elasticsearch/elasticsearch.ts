/**
 * The elasticsearch output: events into any cluster that speaks the Elasticsearch API, through bulk requests.
 */
import { readFile } from 'node:fs/promises';
import { compileTemplate, type LogEvent } from '@shoal/agent-event';
import {
  type Output,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  refusedOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { parseJson, ShoalError } from '@shoal/core';
import {
  ElasticsearchHosts,
  elasticsearchConnection,
  type HostsSettings,
} from '../../elasticsearch-client/elasticsearch-hosts.ts';
import { type BulkItem, BulkItems, checkScripts, type DataStream } from './bulk-action.ts';
import { BulkDelivery } from './bulk-delivery.ts';
import { type ClusterResource, setUpCluster } from './cluster-setup.ts';
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
/** Options that say that plain indices are meant. */
const INDEX_OPTIONS = ['index', 'document_id', 'upsert', 'script', 'template', 'template_name'];
/** A data stream takes new documents only, whatever the action is called. */
const STREAM_ACTIONS = ['index', 'create'];

export const elasticsearchOutput: PluginDefinition = {
  kind: 'output',
  name: 'elasticsearch',
  version: '12.0.2',
  concurrency: 'each',
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
    ilm_rollover_alias: { type: 'string' },
    ilm_pattern: { type: 'string', default: '{now/d}-000001' },
    ilm_policy: { type: 'string', default: 'logstash-policy' },
    ...refusedOptions(['proxy', 'healthcheck_path', 'ssl_certificate_verification', 'join_field', 'parent']),
  },
  create: (options, context) => new ElasticsearchOutput(options, context),
};

class ElasticsearchOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: StoppableWait;
  private readonly hosts: ElasticsearchHosts;
  private readonly items: BulkItems;
  private readonly delivery: BulkDelivery;
  private readonly lifecycle: Lifecycle | null;
  /** What is set up before the first event. */
  private setup: Promise<void> | null = null;

  constructor(options: PluginOptions, context: PluginContext) {
    checkScripts(options);
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
    this.hosts = new ElasticsearchHosts(options, {
      clock: context.runtime.clock,
      path: options
        .string('path')
        .replace(/^(?=[^/])/, '/')
        .replace(/\/$/, ''),
      resurrectDelayMs: options.number('resurrect_delay') * 1000,
      connectionsMax: Math.min(options.number('pool_max'), options.number('pool_max_per_route')),
      idleMs: options.number('validate_after_inactivity'),
      ...(options.boolean('sniffing') ? { sniffing: sniffingOf(options, context) } : {}),
    });
    this.lifecycle = lifecycleOf(options, context);
    const usual = compileTemplate(this.lifecycle?.alias ?? `${usualName(context)}-%{+yyyy.MM.dd}`);
    const index = options.has('index') && this.lifecycle === null ? options.template('index') : usual;
    const stream = this.lifecycle === null ? dataStreamOf(options, context) : null;
    this.items = new BulkItems(options, index, stream);
    this.delivery = new BulkDelivery(this.hosts, deliverySettings(options), context, this.control);
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    await (this.setup ??= this.setUp());
    const items: BulkItem[] = [];
    for (const event of events) {
      const item = this.items.of(event);
      if ('reason' in item) await this.delivery.refuse(item.event, item.reason);
      else items.push(item);
    }
    await this.delivery.deliver(items);
  }

  async stop(): Promise<void> {
    this.control.stop();
    this.hosts.close();
  }

  private async setUp(): Promise<void> {
    const { options, lifecycle } = this;
    const template = options.boolean('manage_template') ? await this.templateResource() : null;
    const resources = [
      ...(lifecycle === null ? [] : policyResource(lifecycle)),
      ...(template === null ? [] : [template]),
      ...(lifecycle === null ? [] : [aliasResource(lifecycle)]),
    ];
    await setUpCluster(this.hosts, resources, {
      timeoutMs: options.number('timeout') * 1000,
      retryFirstMs: options.number('retry_initial_interval') * 1000,
      retryMaxMs: options.number('retry_max_interval') * 1000,
      log: this.context.runtime.log,
      control: this.control,
    });
  }

  /** The file that was given, or one that only says which policy indices have; null without either. */
  private async templateResource(): Promise<ClusterResource | null> {
    const { options, lifecycle } = this;
    const text = options.has('template') ? await readFile(options.string('template')) : null;
    const parsed = text === null ? null : parseJson(text);
    if (parsed === null && lifecycle === null) return null;
    const given = typeof parsed === 'object' && parsed !== null ? { ...parsed } : null;
    const api = options.string('template_api');
    const isComposable = api === 'composable' || (api === 'auto' && (given === null || 'template' in given));
    const name = options.has('template_name') ? options.string('template_name') : usualName(this.context);
    const path = `/${isComposable ? '_index_template' : '_template'}/${encodeURIComponent(name)}`;
    const probe = options.boolean('template_overwrite') ? null : { method: 'HEAD' as const, path };
    const rolled = lifecycle === null ? null : withLifecycle(given ?? {}, lifecycle, isComposable);
    // The file goes as it is, unless something has to be added to it.
    return {
      name: `index template ${name}`,
      probe,
      path,
      body: rolled === null ? (text ?? bytesOf({})) : bytesOf(rolled),
    };
  }
}

function refused(text: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, text);
}

function sniffingOf(options: PluginOptions, context: PluginContext): NonNullable<HostsSettings['sniffing']> {
  const path = options.string('sniffing_path');
  return {
    path: path.startsWith('/') ? path : `/${path}`,
    everyMs: options.number('sniffing_delay') * 1000,
    timeoutMs: options.number('timeout') * 1000,
    log: context.runtime.log,
  };
}

function deliverySettings(options: PluginOptions): ConstructorParameters<typeof BulkDelivery>[1] {
  const parameters = [...options.hash('parameters')].map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  const path = options.has('bulk_path') ? options.string('bulk_path') : '/_bulk';
  const isCompressed = options.has('http_compression') && options.boolean('http_compression');
  const usualLevel = isCompressed ? 1 : 0;
  return {
    path: (path.startsWith('/') ? path : `/${path}`) + (parameters.length > 0 ? `?${parameters.join('&')}` : ''),
    timeoutMs: options.number('timeout') * 1000,
    retryFirstMs: options.number('retry_initial_interval') * 1000,
    retryMaxMs: options.number('retry_max_interval') * 1000,
    compressionLevel: options.has('compression_level') ? options.number('compression_level') : usualLevel,
    deadLetterCodes: new Set(options.strings('dlq_custom_codes').map(Number)),
    silentErrors: new Set(options.strings('silence_errors_in_log')),
  };
}

/** null: plain indices. `auto` is data streams under ECS, unless an option says otherwise. */
function dataStreamOf(options: PluginOptions, context: PluginContext): DataStream | null {
  const mode = options.string('data_stream');
  const namesIndices =
    INDEX_OPTIONS.some((name) => options.has(name)) || !STREAM_ACTIONS.includes(options.template('action').text);
  if (mode === 'false' || (mode === 'auto' && (context.ecs === 'disabled' || namesIndices))) {
    const useless = STREAM_NAMES.filter((name) => options.has(name));
    if (useless.length > 0) throw refused(`[${useless.join('], [')}] say nothing without [data_stream => true]`);
    return null;
  }
  if (mode === 'true' && options.has('index')) throw refused('[data_stream => true] chooses the index: remove [index]');
  const given = (name: string, other: string): string => (options.has(name) ? options.string(name) : other);
  return {
    type: given('data_stream_type', 'logs'),
    dataset: given('data_stream_dataset', 'generic'),
    namespace: given('data_stream_namespace', 'default'),
    followsEvent: options.boolean('data_stream_auto_routing'),
    writesFields: options.boolean('data_stream_sync_fields'),
  };
}

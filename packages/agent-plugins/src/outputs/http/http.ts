/**
 * The http output: each event, or each batch, one request.
 */
import { gzipSync } from 'node:zlib';
import {
  compileTemplate,
  eventToJsonText,
  jsonText,
  type LogEvent,
  type Template,
  type TemplateOptions,
  toEventValue,
} from '@shoal/agent-event';
import {
  type HttpClient,
  httpClient,
  httpClientOptions,
  type Output,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  rubyText,
  StoppableWait,
  userAuthorization,
} from '@shoal/agent-plugin-kit';
import { isShoalError, messageOf, ShoalError } from '@shoal/core';

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 60_000;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  json_batch: 'application/json',
  form: 'application/x-www-form-urlencoded',
  message: 'text/plain',
};

export const httpOutput: PluginDefinition = {
  kind: 'output',
  name: 'http',
  version: '6.0.0',
  concurrency: 'each',
  options: {
    codec: { type: 'codec', default: 'plain' },
    url: { type: 'template', isRequired: true },
    http_method: { type: ['put', 'post', 'patch', 'delete', 'get', 'head'], isRequired: true },
    format: { type: ['json', 'json_batch', 'form', 'message'], default: 'json' },
    mapping: { type: 'hash' },
    message: { type: 'template' },
    headers: { type: 'hash', default: {} },
    content_type: { type: 'string' },
    retry_failed: { type: 'boolean', default: true },
    retryable_codes: { type: 'array', default: [429, 500, 502, 503, 504] },
    ignorable_codes: { type: 'array', default: [] },
    http_compression: { type: 'boolean', default: false },
    ...httpClientOptions,
  },
  create: (options, context) => new HttpOutput(options, context),
};

interface Request {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

class HttpOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: StoppableWait;
  private readonly client: HttpClient;
  private readonly authorization: string | null;
  private readonly headers: readonly (readonly [string, Template])[];
  private readonly retryable: ReadonlySet<number>;
  private readonly ignorable: ReadonlySet<number>;
  private readonly mapping: ((event: LogEvent) => unknown) | null;
  private readonly isBatch: boolean;

  constructor(options: PluginOptions, context: PluginContext) {
    if (options.string('format') === 'message' && !options.has('message'))
      throw new ShoalError('illegal_argument_exception', 400, '[format => message] needs a [message]');
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
    this.client = httpClient(options, context);
    this.authorization = userAuthorization(options);
    this.headers = [...options.hash('headers')].map(([name, value]) => [
      name.toLowerCase(),
      compileTemplate(String(value), context),
    ]);
    this.retryable = new Set(options.strings('retryable_codes').map(Number));
    this.ignorable = new Set(options.strings('ignorable_codes').map(Number));
    this.mapping = options.has('mapping') ? compileMapping(options.value('mapping'), context) : null;
    this.isBatch = options.string('format') === 'json_batch';
    if (this.mapping !== null && options.string('format') === 'message')
      context.runtime.log.warn('[mapping] has no effect with [format => message]', {
        plugin: context.pluginId,
        position: context.position,
      });
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    if (this.isBatch) {
      const body = `[${events.map((event) => this.json(event)).join(',')}]`;
      await this.deliver(this.request(first, body));
    } else await Promise.all(events.map((event) => this.deliver(this.request(event, this.body(event)))));
  }

  async stop(): Promise<void> {
    this.control.stop();
    this.client.close();
  }

  private request(event: LogEvent, body: string): Request {
    const { options } = this;
    const headers: Record<string, string> = {};
    // A batch has no one event to fill a placeholder from: its address and headers stay as they are written.
    const filled = (template: Template): string => (this.isBatch ? template.text : template.render(event));
    for (const [name, template] of this.headers) headers[name] = filled(template);
    if (options.has('content_type')) headers['content-type'] = options.string('content_type');
    headers['content-type'] ??= CONTENT_TYPES[options.string('format')] ?? 'text/plain';
    if (this.authorization !== null) headers.authorization = this.authorization;
    return { url: filled(options.template('url')), headers, body };
  }

  private json(event: LogEvent): string {
    return this.mapping === null ? eventToJsonText(event) : jsonText(toEventValue(this.mapping(event)));
  }

  private body(event: LogEvent): string {
    const format = this.options.string('format');
    if (format === 'message') return this.options.template('message').render(event);
    if (format !== 'form') return this.json(event);
    const fields = toEventValue(this.mapping === null ? event.fields : this.mapping(event));
    const pairs = fields instanceof Map ? [...fields] : [];
    return pairs.map(([name, value]) => `${formText(name)}=${formText(rubyText(value))}`).join('&');
  }

  /** Until it is accepted, refused for good, or retries are not wanted. */
  private async deliver(request: Request): Promise<void> {
    let pauseMs = RETRY_FIRST_MS;
    for (;;) {
      const failure = await this.attempt(request);
      if (failure === null) return;
      if (!failure.isRetryable || !this.options.boolean('retry_failed')) {
        this.context.metrics.increment('failures');
        this.context.runtime.log.error('events were refused and are dropped', {
          url: request.url,
          reason: failure.reason,
        });
        return;
      }
      if (this.control.isStopped) throw new ShoalError('http_exception', 503, `not delivered: ${failure.reason}`);
      this.context.metrics.increment('retries');
      const { reason } = failure;
      this.context.runtime.log.warn('a request failed and is sent again', { url: request.url, reason, pauseMs });
      await this.control.pause(pauseMs);
      pauseMs = Math.min(RETRY_MAX_MS, pauseMs * 2);
    }
  }

  private async attempt(request: Request): Promise<{ readonly reason: string; readonly isRetryable: boolean } | null> {
    const plain = Buffer.from(request.body, 'utf8');
    const isCompressed = this.options.boolean('http_compression');
    const method = this.options.string('http_method').toUpperCase();
    try {
      const { status } = await this.client.call({
        method,
        url: request.url,
        headers: isCompressed ? { ...request.headers, 'content-encoding': 'gzip' } : request.headers,
        timeoutMs: this.options.number('request_timeout') * 1000,
        ...(method === 'HEAD' ? {} : { body: isCompressed ? gzipSync(plain) : plain }),
      });
      if ((status >= 200 && status < 300) || this.ignorable.has(status)) return null;
      return { reason: `status ${status}`, isRetryable: this.retryable.has(status) };
    } catch (error) {
      // What is no failure of the network, such as an address that is none, would fail again for ever.
      const reason = messageOf(error);
      return { reason, isRetryable: isShoalError(error) };
    }
  }
}

/** Form encoding as `CGI.escape` has it; half of a surrogate pair, which has no bytes, becomes U+FFFD. */
function formText(text: string): string {
  const escaped = encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
  return escaped
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** Values in the mapping are templates at any depth, and so become texts; names stay as they are. */
function compileMapping(value: unknown, options: TemplateOptions): (event: LogEvent) => unknown {
  if (value instanceof Map) {
    const parts = [...value].map(([name, item]) => [String(name), compileMapping(item, options)] as const);
    return (event) => new Map(parts.map(([name, item]) => [name, item(event)]));
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => compileMapping(item, options));
    return (event) => items.map((item) => item(event));
  }
  const template = compileTemplate(String(value), options);
  return (event) => template.render(event);
}

/**
 * http: asks an address about each event and puts the answer into the event.
 *
 * One event waits for its answer before the next of the batch is asked for.
 */

import {
  compileTemplate,
  type EventMap,
  type EventValue,
  type FieldReference,
  jsonText,
  type LogEvent,
  parseEventJson,
  parseFieldReference,
  type Template,
  toEventValue,
} from '@shoal/agent-event';
import {
  type Filter,
  type HttpAnswer,
  type HttpClient,
  httpClient,
  httpClientOptions,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  userAuthorization,
} from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';

export const httpFilter: PluginDefinition = {
  kind: 'filter',
  name: 'http',
  version: '2.0.0',
  options: {
    url: { type: 'template', isRequired: true },
    verb: { type: ['GET', 'HEAD', 'PATCH', 'DELETE', 'POST', 'PUT'], default: 'GET' },
    headers: { type: 'hash', default: {} },
    query: { type: 'hash', default: {} },
    body: { type: 'any' },
    body_format: { type: ['text', 'json'], default: 'text' },
    target_body: { type: 'fieldReference' },
    target_headers: { type: 'fieldReference' },
    tag_on_request_failure: { type: 'array', default: ['_httprequestfailure'] },
    tag_on_json_failure: { type: 'array', default: ['_jsonparsefailure'] },
    ...httpClientOptions,
  },
  create: (options, context) => new HttpFilter(options, context),
};

/** Values of options with a template in place of each text. */
type Rendering = (event: LogEvent) => EventValue;

class HttpFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly client: HttpClient;
  private readonly authorization: string | null;
  private readonly url: Template;
  private readonly headers: Rendering;
  private readonly query: Rendering;
  private readonly body: Rendering | null;
  private readonly bodyTarget: FieldReference;
  private readonly headersTarget: FieldReference;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.client = httpClient(options, context);
    this.authorization = userAuthorization(options);
    this.url = options.template('url');
    this.headers = rendering(toEventValue(options.hash('headers')), context);
    this.query = rendering(toEventValue(options.hash('query')), context);
    this.body = options.has('body') ? rendering(toEventValue(options.value('body')), context) : null;
    const isLegacy = context.ecs === 'disabled';
    const target = (name: string, legacy: string, ecs: string): FieldReference =>
      options.has(name) ? options.reference(name) : parseFieldReference(isLegacy ? legacy : ecs);
    this.bodyTarget = target('target_body', '[body]', '[http][response][body][content]');
    this.headersTarget = target('target_headers', '[headers]', '[@metadata][filter][http][response][headers]');
  }

  async filter(event: LogEvent): Promise<'matched' | 'unmatched'> {
    const answer = await this.ask(event);
    if (answer === null) {
      for (const tag of this.options.strings('tag_on_request_failure')) event.tag(tag);
      return 'unmatched';
    }
    this.take(event, answer);
    return 'matched';
  }

  async stop(): Promise<void> {
    this.client.close();
  }

  /** null when there is no answer, or none that says yes. */
  private async ask(event: LogEvent): Promise<HttpAnswer | null> {
    const url = this.url.render(event);
    try {
      const body = this.bodyFor(event);
      const answer = await this.client.call({
        method: this.options.string('verb'),
        url: withQuery(url, this.query(event)),
        headers: this.headersFor(event),
        timeoutMs: this.options.number('request_timeout') * 1000,
        ...(body === null ? {} : { body }),
      });
      if (answer.status >= 200 && answer.status <= 299) return answer;
      this.report(url, { status: answer.status });
    } catch (error) {
      this.report(url, { reason: messageOf(error) });
    }
    return null;
  }

  private report(url: string, fields: Readonly<Record<string, unknown>>): void {
    const { pluginId: plugin, position } = this.context;
    this.context.metrics.increment('failures');
    this.context.runtime.log.error('http: the request failed', { plugin, position, url, ...fields });
  }

  private headersFor(event: LogEvent): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    for (const [name, value] of pairsOf(this.headers(event))) headers[name.toLowerCase()] = textOf(value);
    headers['content-type'] = this.options.string('body_format') === 'json' ? 'application/json' : 'text/plain';
    if (this.authorization !== null) headers.authorization = this.authorization;
    return headers;
  }

  /** Lists and hashes are JSON; a text is sent as it is, in JSON too, where it may be written by hand. */
  private bodyFor(event: LogEvent): Uint8Array | null {
    return this.body === null ? null : Buffer.from(textOf(this.body(event)));
  }

  private take(event: LogEvent, answer: HttpAnswer): void {
    event.set(this.headersTarget, headersOf(answer));
    const text = Buffer.from(answer.body).toString('utf8');
    const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
    if (type.trim().toLowerCase() !== 'application/json') {
      event.set(this.bodyTarget, text.trim());
      return;
    }
    try {
      event.set(this.bodyTarget, parseEventJson(text));
    } catch (error) {
      const { pluginId: plugin } = this.context;
      this.context.runtime.log.warn('http: the answer is no JSON', { plugin, reason: String(error) });
      for (const tag of this.options.strings('tag_on_json_failure')) event.tag(tag);
    }
  }
}

function rendering(value: EventValue, context: PluginContext): Rendering {
  if (typeof value === 'string') {
    const template = compileTemplate(value, context);
    return (event) => template.render(event);
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => rendering(item, context));
    return (event) => items.map((item) => item(event));
  }
  if (!(value instanceof Map)) return () => value;
  const pairs = [...value].map(([name, item]) => [compileTemplate(name, context), rendering(item, context)] as const);
  return (event) => new Map(pairs.map(([name, item]) => [name.render(event), item(event)]));
}

function pairsOf(value: EventValue): Iterable<readonly [string, EventValue]> {
  return value instanceof Map ? value : [];
}

function textOf(value: EventValue): string {
  return typeof value === 'string' ? value : jsonText(value);
}

function withQuery(url: string, query: EventValue): string {
  const made = new URL(url);
  for (const [name, value] of pairsOf(query)) {
    for (const one of Array.isArray(value) ? value : [value]) made.searchParams.append(name, textOf(one));
  }
  return made.href;
}

/** A header that comes several times is a list. */
function headersOf(answer: HttpAnswer): EventMap {
  const headers: EventMap = new Map();
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, value);
  return headers;
}

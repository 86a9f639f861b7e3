/**
 * The logstash output: batches of events to the logstash input of another agent, or of Logstash, which has them as they
 * were here. Hosts take turns; one that failed is passed over for a while, unless all have.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { eventsToJsonLines, type LogEvent } from '@shoal/agent-event';
import {
  basicAuthorization,
  type HttpClient,
  httpClient,
  httpClientOptions,
  type Output,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { isShoalError, ShoalError } from '@shoal/core';
import { TakingTurns } from './taking-turns.ts';

const zipped = promisify(gzip);
const PORT_DEFAULT = '9800';
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 60_000;
/** Statuses of a host that may take the same events later. */
const RETRYABLE: readonly number[] = [429, 500, 502, 503, 504];

export const logstashOutput: PluginDefinition = {
  kind: 'output',
  name: 'logstash',
  version: '1.0.4',
  concurrency: 'each',
  options: {
    hosts: { type: 'array', isRequired: true },
    username: { type: 'string' },
    ...httpClientOptions,
    user: { type: 'string', deprecated: 'use [username] instead' },
    ssl_enabled: { type: 'boolean', default: true },
  },
  create: (options, context) => new LogstashOutput(options, context),
};

class LogstashOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly client: HttpClient;
  private readonly hosts: TakingTurns;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly control: StoppableWait;

  constructor(options: PluginOptions, context: PluginContext) {
    const scheme = options.boolean('ssl_enabled') ? 'https' : 'http';
    const unused = Object.keys(httpClientOptions).filter((name) => /^ssl_(?!enabled$)/.test(name) && options.has(name));
    if (scheme === 'http' && unused.length > 0)
      throw optionError(`[${unused.join('], [')}] cannot be given with [ssl_enabled => false]`);
    this.options = options;
    this.context = context;
    this.client = httpClient(options, context);
    this.hosts = new TakingTurns(
      options.strings('hosts').map((host) => addressOf(scheme, host)),
      context.runtime.clock,
    );
    const authorization = authorizationOf(options);
    this.headers = {
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
      ...(authorization === null ? {} : { authorization }),
    };
    this.control = new StoppableWait(context.runtime);
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    if (events.length === 0) return;
    const body = await zipped(eventsToJsonLines(events));
    let pauseMs = RETRY_FIRST_MS;
    for (;;) {
      const url = this.hosts.next();
      const failure = await this.attempt(url, body);
      if (failure === null) return;
      const { reason } = failure;
      if (!failure.isRetryable) {
        this.context.metrics.increment('failures', events.length);
        this.context.runtime.log.error('events were refused and are dropped', { url, reason, events: events.length });
        return;
      }
      this.hosts.failed(url);
      if (this.control.isStopped) throw new ShoalError('http_exception', 503, `not delivered: ${reason}`);
      this.context.metrics.increment('retries');
      this.context.runtime.log.warn('a request failed and is sent again', { url, reason, pauseMs });
      await this.control.pause(pauseMs);
      pauseMs = Math.min(RETRY_MAX_MS, pauseMs * 2);
    }
  }

  async stop(): Promise<void> {
    this.control.stop();
    this.client.close();
  }

  private async attempt(
    url: string,
    body: Uint8Array,
  ): Promise<{ readonly reason: string; readonly isRetryable: boolean } | null> {
    const timeoutMs = this.options.number('request_timeout') * 1000;
    try {
      const { status } = await this.client.call({ method: 'POST', url, headers: this.headers, body, timeoutMs });
      if (status >= 200 && status < 300) return null;
      return { reason: `status ${status}`, isRetryable: RETRYABLE.includes(status) };
    } catch (error) {
      if (!isShoalError(error)) throw error;
      return { reason: error.message, isRetryable: true };
    }
  }
}

function addressOf(scheme: string, host: string): string {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^\s:/[\]]+)(?::(\d{1,5}))?$/.exec(host);
  if (match === null) throw optionError(`[hosts] wants a host, or host:port, not [${host}]`);
  return `${scheme}://${match[1]}:${match[2] ?? PORT_DEFAULT}/`;
}

function authorizationOf(options: PluginOptions): string | null {
  if (options.has('username') && options.has('user'))
    throw optionError('[user] and [username] are the same: use only [username]');
  const name = options.has('username') ? 'username' : 'user';
  if (!options.has(name)) return null;
  if (!options.has('password')) throw optionError(`[${name} => ${options.string(name)}] needs a [password]`);
  return basicAuthorization(options.string(name), options.string('password'));
}

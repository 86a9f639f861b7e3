/**
 * Addresses of an Elasticsearch-API cluster, in turn; one that fails is left out for a while.
 */

import { parseEventJson } from '@shoal/agent-event';
import {
  basicAuthorization,
  clientTls,
  clientTlsOptions,
  type HttpAnswer,
  type HttpCall,
  HttpClient,
  isTlsEnabled,
  type OptionDeclarations,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { Clock, Log } from '@shoal/runtime';

export const elasticsearchConnection: OptionDeclarations = {
  hosts: { type: 'array', default: ['//127.0.0.1:9200'] },
  user: { type: 'string' },
  password: { type: 'password' },
  api_key: { type: 'password' },
  cloud_id: { type: 'string' },
  cloud_auth: { type: 'password' },
  custom_headers: { type: 'hash', default: {} },
  ...clientTls,
};

interface Host {
  readonly url: string;
  /** Monotonic; not asked before. */
  deadUntilMs: number;
}

export interface HostsSettings {
  readonly clock: Clock;
  readonly path: string;
  readonly resurrectDelayMs: number;
  readonly connectionsMax: number;
  readonly idleMs: number;
  readonly sniffing?: SniffingSettings;
}

/** Sniffing: the addresses of the cluster's nodes replace the hosts that were given, and are read again at an interval. */
interface SniffingSettings {
  readonly path: string;
  readonly everyMs: number;
  readonly timeoutMs: number;
  readonly log: Log;
}

export class ElasticsearchHosts {
  private hosts: Host[];
  private readonly client: HttpClient;
  private readonly headers: Record<string, string>;
  private readonly settings: HostsSettings;
  private turn = 0;
  private readonly isTls: boolean;
  private sniffAtMs = Number.NEGATIVE_INFINITY;
  private sniffed: Promise<void> | null = null;

  constructor(options: PluginOptions, settings: HostsSettings) {
    this.settings = settings;
    const isTls = isTlsEnabled(options);
    this.isTls = isTls;
    const given = options.has('cloud_id') ? [cloudHost(options.string('cloud_id'))] : options.strings('hosts');
    this.hosts = given.map((text) => ({
      url: hostUrl(text, isTls) + settings.path,
      deadUntilMs: Number.NEGATIVE_INFINITY,
    }));
    if (this.hosts.length === 0) throw new ShoalError('illegal_argument_exception', 400, '[hosts] names no host');
    const { connectionsMax, idleMs } = settings;
    this.client = new HttpClient({ tls: clientTlsOptions(options), connectionsMax, idleMs });
    this.headers = requestHeaders(options);
  }

  /** Asks one host after the other until one answers; rejects with the last failure. */
  async call(call: Omit<HttpCall, 'url'> & { readonly path: string }): Promise<HttpAnswer> {
    await this.sniffWhenDue();
    return this.ask(call);
  }

  private async ask(call: Omit<HttpCall, 'url'> & { readonly path: string }): Promise<HttpAnswer> {
    let failure: unknown;
    for (let attempt = 0; attempt < this.hosts.length; attempt++) {
      const host = this.next();
      try {
        const headers = { ...this.headers, ...call.headers };
        const answer = await this.client.call({ ...call, url: withCredentialsOut(host.url) + call.path, headers });
        host.deadUntilMs = Number.NEGATIVE_INFINITY;
        return answer;
      } catch (error) {
        failure = error;
        host.deadUntilMs = this.settings.clock.monotonicMs() + this.settings.resurrectDelayMs;
      }
    }
    throw failure;
  }

  /** One at a time; who calls meanwhile waits for it. A failure leaves the hosts as they are. */
  private async sniffWhenDue(): Promise<void> {
    const { sniffing, clock } = this.settings;
    if (sniffing === undefined) return;
    if (this.sniffed === null) {
      if (clock.monotonicMs() < this.sniffAtMs) return;
      this.sniffed = this.sniff(sniffing).finally(() => {
        this.sniffAtMs = clock.monotonicMs() + sniffing.everyMs;
        this.sniffed = null;
      });
    }
    await this.sniffed;
  }

  private async sniff({ path, timeoutMs, log }: SniffingSettings): Promise<void> {
    try {
      const answer = await this.ask({ method: 'GET', path, timeoutMs });
      const found = nodeAddresses(answer.body);
      if (answer.status !== 200 || found.length === 0) throw new Error(`status ${answer.status}, no addresses`);
      const isTls = this.isTls || this.hosts[0]?.url.startsWith('https:') === true;
      const urls = found.map((address) => hostUrl(address, isTls) + this.settings.path);
      this.hosts = urls.map(
        (url) => this.hosts.find((host) => host.url === url) ?? { url, deadUntilMs: Number.NEGATIVE_INFINITY },
      );
    } catch (error) {
      log.warn('the nodes of the cluster could not be asked for', { error: String(error) });
    }
  }

  close(): void {
    this.client.close();
  }

  /** The next in turn that is not dead; when all are, the one that was for longest. */
  private next(): Host {
    const nowMs = this.settings.clock.monotonicMs();
    for (let i = 0; i < this.hosts.length; i++) {
      const host = this.hosts[this.turn++ % this.hosts.length];
      if (host !== undefined && host.deadUntilMs <= nowMs) return host;
    }
    const [first, ...rest] = this.hosts;
    if (first === undefined) throw new ShoalError('illegal_argument_exception', 400, '[hosts] names no host');
    return rest.reduce((oldest, host) => (host.deadUntilMs < oldest.deadUntilMs ? host : oldest), first);
  }
}

/** HTTP addresses of nodes, those that only manage the cluster left out. */
function nodeAddresses(body: Uint8Array): readonly string[] {
  const parsed = parseEventJson(body);
  const nodes = parsed instanceof Map ? parsed.get('nodes') : undefined;
  if (!(nodes instanceof Map)) return [];
  return [...nodes.values()].flatMap((node) => {
    if (!(node instanceof Map)) return [];
    const roles = node.get('roles');
    if (Array.isArray(roles) && roles.length === 1 && roles[0] === 'master') return [];
    const http = node.get('http');
    const address = http instanceof Map ? http.get('publish_address') : undefined;
    // `name/address:port` where the node knows its name.
    return typeof address === 'string' ? [address.slice(address.indexOf('/') + 1)] : [];
  });
}

function requestHeaders(options: PluginOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of options.hash('custom_headers')) headers[name.toLowerCase()] = String(value);
  if (options.has('user') && options.has('api_key'))
    throw new ShoalError('illegal_argument_exception', 400, 'give either [user] or [api_key], not both');
  if (options.has('api_key')) {
    const key = options.string('api_key');
    // `id:key` as it is shown to people; encoded keys hold no colon.
    headers.authorization = `ApiKey ${key.includes(':') ? Buffer.from(key).toString('base64') : key}`;
  } else if (options.has('user')) {
    headers.authorization = basicAuthorization(
      options.string('user'),
      options.has('password') ? options.string('password') : '',
    );
  } else if (options.has('cloud_auth')) {
    const [user = '', ...password] = options.string('cloud_auth').split(':');
    headers.authorization = basicAuthorization(user, password.join(':'));
  } else {
    const [first] = options.has('cloud_id') ? [] : options.strings('hosts');
    const { username, password } = new URL(hostUrl(first ?? '', false));
    if (username !== '')
      headers.authorization = basicAuthorization(decodeURIComponent(username), decodeURIComponent(password));
  }
  return headers;
}

/** `host`, `host:port`, `//host:port` or a whole address; 9200 is the port when none is said. */
function hostUrl(text: string, isTls: boolean): string {
  const scheme = isTls ? 'https:' : 'http:';
  const whole = /^https?:/.test(text) ? text : text.startsWith('//') ? scheme + text : `${scheme}//${text}`;
  try {
    const url = new URL(whole);
    const hasPort = url.port !== '' || /:(80|443)(\/|$)/.test(whole);
    if (!hasPort) url.port = '9200';
    return url.toString().replace(/\/$/, '');
  } catch {
    throw new ShoalError('illegal_argument_exception', 400, `[hosts] holds [${text}], which is no address`);
  }
}

/** Credentials go as a header; some servers refuse them in addresses, and they must not show in messages. */
function withCredentialsOut(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.toString().replace(/\/$/, '');
}

function cloudHost(cloudId: string): string {
  const encoded = cloudId.slice(cloudId.indexOf(':') + 1);
  const [domain, cluster] = Buffer.from(encoded, 'base64').toString('utf8').split('$');
  if (domain === undefined || cluster === undefined || cluster === '')
    throw new ShoalError('illegal_argument_exception', 400, `[cloud_id] cannot be read: [${cloudId}]`);
  return `https://${cluster}.${domain.includes(':') ? domain : `${domain}:443`}`;
}

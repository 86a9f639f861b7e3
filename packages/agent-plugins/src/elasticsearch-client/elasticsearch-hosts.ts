/**
 * Addresses of an Elasticsearch-API cluster, in turn; one that fails is left out for a while.
 */

import { parseEventJson } from '@shoal/agent-event';
import {
  basicAuthorization,
  clientTls,
  clientTlsOptions,
  type FingerprintTrust,
  type HttpAnswer,
  type HttpCall,
  HttpClient,
  isTlsEnabled,
  type OptionDeclarations,
  type PluginContext,
  type PluginOptions,
  parseFingerprint,
  parseProxy,
  warnOfUnusedTls,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { Clock, Log } from '@shoal/runtime';

export const elasticsearchConnection: OptionDeclarations = {
  /** The own machine's port 9200 when none is given. */
  hosts: { type: 'array' },
  user: { type: 'string' },
  password: { type: 'password' },
  api_key: { type: 'password' },
  cloud_id: { type: 'string' },
  cloud_auth: { type: 'password' },
  custom_headers: { type: 'hash', default: {} },
  proxy: { type: 'string' },
  /** Fingerprint (SHA-256, hexadecimal) of a certificate in the server's chain, which is trusted. */
  ca_trusted_fingerprint: { type: 'array' },
  ...clientTls,
};

const USUAL_HOST = '//127.0.0.1:9200';

/** Says which options of TLS have no effect, because all hosts are spoken to without it. */
export function warnOfUnusedHostTls(
  options: PluginOptions,
  context: Pick<PluginContext, 'runtime' | 'position'>,
): void {
  const isTls = isTlsEnabled(options);
  if (givenHosts(options).every((text) => hostUrl(text, isTls).startsWith('http:'))) warnOfUnusedTls(options, context);
}

interface Host {
  readonly url: string;
  /** The same without credentials, as it is asked. */
  readonly address: string;
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
  /** Asked of a host that failed before anything else is; null: the next request itself is the test. */
  readonly healthPath?: string | null;
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
    this.hosts = givenHosts(options).map((text) => hostAt(hostUrl(text, isTls) + settings.path));
    checkSchemes(this.hosts, options);
    if (this.hosts.length === 0) throw new ShoalError('illegal_argument_exception', 400, '[hosts] names no host');
    const { connectionsMax, idleMs } = settings;
    const tls = clientTlsOptions(options);
    this.client = new HttpClient({
      tls,
      trust: trustOf(options, tls.rejectUnauthorized && tls.checkServerIdentity === undefined, settings.clock),
      proxy: options.has('proxy') ? parseProxy(options.string('proxy')) : null,
      connectionsMax,
      idleMs,
    });
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
        await this.checkHealth(host, call.timeoutMs);
        const answer = await this.client.call({ ...call, url: host.address + call.path, headers });
        host.deadUntilMs = Number.NEGATIVE_INFINITY;
        return answer;
      } catch (error) {
        failure = error;
        host.deadUntilMs = this.settings.clock.monotonicMs() + this.settings.resurrectDelayMs;
      }
    }
    throw failure;
  }

  /** Rejects while a host that failed does not say that it is well again. */
  private async checkHealth(host: Host, timeoutMs: number): Promise<void> {
    const { healthPath = null } = this.settings;
    if (healthPath === null || host.deadUntilMs === Number.NEGATIVE_INFINITY) return;
    const url = host.address + healthPath;
    const { status } = await this.client.call({ method: 'HEAD', url, headers: this.headers, timeoutMs });
    if (status >= 400) throw new ShoalError('http_exception', 502, `the check of its health answered ${status}`);
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
      this.hosts = urls.map((url) => this.hosts.find((host) => host.url === url) ?? hostAt(url));
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

function hostAt(url: string): Host {
  return { url, address: withCredentialsOut(url), deadUntilMs: Number.NEGATIVE_INFINITY };
}

function givenHosts(options: PluginOptions): readonly string[] {
  if (!options.has('cloud_id')) return options.has('hosts') ? options.strings('hosts') : [USUAL_HOST];
  if (options.has('hosts'))
    throw new ShoalError('illegal_argument_exception', 400, 'give either [hosts] or [cloud_id], not both');
  return [cloudHost(options.string('cloud_id'))];
}

/** An address with another scheme than the options ask for would be spoken to otherwise than they say. */
function checkSchemes(hosts: readonly Host[], options: PluginOptions): void {
  const isTls = givenTlsEnabled(options);
  if (isTls === null) return;
  const other = hosts.find(({ url }) => url.startsWith('https:') !== isTls);
  if (other === undefined) return;
  const scheme = isTls ? 'http' : 'https';
  const why = `[ssl_enabled => ${isTls}] does not go with the ${scheme} address [${withCredentialsOut(other.url)}]`;
  throw new ShoalError('illegal_argument_exception', 400, why);
}

/** null when nothing is said about it. */
function givenTlsEnabled(options: PluginOptions): boolean | null {
  if (isTlsEnabled(options)) return true;
  return options.has('ssl_enabled') || options.has('ssl') ? false : null;
}

function trustOf(options: PluginOptions, comparesNames: boolean, clock: Clock): FingerprintTrust | null {
  if (!options.has('ca_trusted_fingerprint')) return null;
  const fingerprints = options.strings('ca_trusted_fingerprint').map(parseFingerprint);
  return { fingerprints, comparesNames, nowMs: () => clock.wallMs() };
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
  const ways = ['user', 'api_key', 'cloud_auth'].filter((name) => options.has(name));
  if (ways.length > 1)
    throw new ShoalError('illegal_argument_exception', 400, `give only one of [${ways.join('] and [')}]`);
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
    const [first] = givenHosts(options);
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
  const encoded = cloudId.slice(cloudId.lastIndexOf(':') + 1);
  const [domain = '', cluster = ''] = Buffer.from(encoded, 'base64').toString('utf8').split('$');
  if (domain === '' || cluster === '' || cluster === 'undefined')
    throw new ShoalError('illegal_argument_exception', 400, `[cloud_id] cannot be read: [${cloudId}]`);
  // A port may stand behind the domain, for all services, or behind the name of the cluster alone.
  const [host = '', port = '443'] = domain.split(':');
  const [name = '', ownPort = port] = cluster.split(':');
  return `https://${name}.${host}:${ownPort}`;
}

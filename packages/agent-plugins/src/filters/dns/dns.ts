/**
 * dns: addresses of names and names of addresses, without holding up other events of the worker's process.
 */
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type EventValue, type FieldReference, type LogEvent, parseFieldReference } from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';

export const dnsFilter: PluginDefinition = {
  kind: 'filter',
  name: 'dns',
  version: '3.2.0',
  options: {
    resolve: { type: 'array', default: [] },
    reverse: { type: 'array', default: [] },
    action: { type: ['append', 'replace'], default: 'append' },
    nameserver: { type: 'array', default: [] },
    hostsfile: { type: 'array', default: [] },
    timeout: { type: 'number', default: 0.5 },
    max_retries: { type: 'number', default: 2 },
    hit_cache_size: { type: 'number', default: 0 },
    hit_cache_ttl: { type: 'number', default: 60 },
    failed_cache_size: { type: 'number', default: 0 },
    failed_cache_ttl: { type: 'number', default: 5 },
    tag_on_timeout: { type: 'array', default: ['_dnstimeout'] },
  },
  create: (options, context) => new DnsFilter(options, context),
};

type Answer =
  | { readonly kind: 'found'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'timeout' };

interface Remembered {
  readonly answer: Answer;
  readonly untilMs: number;
}

class DnsFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly resolver: Resolver;
  private readonly forward: readonly FieldReference[];
  private readonly reverse: readonly FieldReference[];
  private readonly hosts: ReadonlyMap<string, string>;
  private readonly hits = new Map<string, Remembered>();
  private readonly failures = new Map<string, Remembered>();

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    const timeout = Math.max(1, Math.round(options.number('timeout') * 1000));
    this.resolver = new Resolver({ timeout, tries: options.number('max_retries') + 1 });
    const servers = options.strings('nameserver');
    if (servers.length > 0) this.resolver.setServers(servers);
    this.forward = options.strings('resolve').map((name) => parseFieldReference(name));
    this.reverse = options.strings('reverse').map((name) => parseFieldReference(name));
    this.hosts = new Map(options.strings('hostsfile').flatMap(readHosts));
  }

  async filter(event: LogEvent): Promise<'matched' | 'unmatched'> {
    for (const field of this.forward) {
      if (!(await this.lookUp(event, field, false))) return 'unmatched';
    }
    for (const field of this.reverse) {
      if (!(await this.lookUp(event, field, true))) return 'unmatched';
    }
    return 'matched';
  }

  private async lookUp(event: LogEvent, field: FieldReference, isReverse: boolean): Promise<boolean> {
    const value = event.get(field);
    const text = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (typeof text !== 'string' || text === '') return false;
    if (isReverse && isIP(text) === 0) return false;
    const answer = await this.remembered(text, isReverse);
    if (answer.kind === 'timeout') for (const tag of this.options.strings('tag_on_timeout')) event.tag(tag);
    if (answer.kind !== 'found') return false;
    event.set(field, this.combined(value ?? null, answer.text));
    return true;
  }

  private combined(value: EventValue, found: string): EventValue {
    if (this.options.string('action') === 'replace') return found;
    return Array.isArray(value) ? [...value, found] : [value, found];
  }

  private async remembered(text: string, isReverse: boolean): Promise<Answer> {
    const known = this.hosts.get(`${isReverse ? 'ptr' : 'a'} ${text.toLowerCase()}`);
    if (known !== undefined) return { kind: 'found', text: known };
    const key = `${isReverse} ${text}`;
    const now = this.context.runtime.clock.monotonicMs();
    for (const cache of [this.hits, this.failures]) {
      const entry = cache.get(key);
      if (entry !== undefined && entry.untilMs > now) return entry.answer;
    }
    const answer = await this.ask(text, isReverse);
    const kind = answer.kind === 'found' ? 'hit' : 'failed';
    const cache = kind === 'hit' ? this.hits : this.failures;
    const sizeMax = this.options.number(`${kind}_cache_size`);
    if (sizeMax > 0) {
      const [oldest] = cache.keys();
      if (cache.size >= sizeMax && oldest !== undefined) cache.delete(oldest);
      cache.set(key, { answer, untilMs: now + this.options.number(`${kind}_cache_ttl`) * 1000 });
    }
    return answer;
  }

  private async ask(text: string, isReverse: boolean): Promise<Answer> {
    try {
      const found = isReverse ? await this.resolver.reverse(text) : await this.addresses(text);
      return found[0] === undefined ? { kind: 'none' } : { kind: 'found', text: found[0] };
    } catch (error) {
      // A name that does not exist is an answer; only a server that does not answer is tagged.
      const code = error instanceof Error && 'code' in error ? error.code : '';
      return { kind: code === 'ETIMEOUT' || code === 'ECONNREFUSED' ? 'timeout' : 'none' };
    }
  }

  private async addresses(name: string): Promise<readonly string[]> {
    if (isIP(name) !== 0) return [name];
    try {
      return await this.resolver.resolve4(name);
    } catch (error) {
      const hasNone = error instanceof Error && 'code' in error && error.code === 'ENODATA';
      if (!hasNone) throw error;
      return await this.resolver.resolve6(name);
    }
  }
}

function readHosts(path: string): readonly (readonly [string, string])[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line): readonly (readonly [string, string])[] => {
      const [address, ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/);
      if (address === undefined || isIP(address) === 0) return [];
      const forward = names.map((name) => [`a ${name.toLowerCase()}`, address] as const);
      return names[0] === undefined ? forward : [...forward, [`ptr ${address}`, names[0]] as const];
    });
}

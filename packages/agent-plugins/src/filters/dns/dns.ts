/**
 * dns: addresses of names and names of addresses, without holding up other events of the worker's process.
 */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { type EventValue, type FieldReference, type LogEvent, parseFieldReference } from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { type HostsFile, readHostsFiles } from './hosts-file.ts';
import {
  type NameServers,
  parseNameServers,
  type SearchRules,
  searchCandidates,
  systemNameServers,
} from './name-servers.ts';

export const dnsFilter: PluginDefinition = {
  kind: 'filter',
  name: 'dns',
  version: '3.2.0',
  options: {
    resolve: { type: 'array', default: [] },
    reverse: { type: 'array', default: [] },
    action: { type: ['append', 'replace'], default: 'append' },
    nameserver: { type: 'any' },
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
  /** null, as `resolver` is: hosts files alone answer. */
  private readonly servers: NameServers | null;
  private readonly resolver: Resolver | null;
  private readonly forward: readonly FieldReference[];
  private readonly reverse: readonly FieldReference[];
  private readonly hosts: readonly HostsFile[];
  private readonly hits = new Map<string, Remembered>();
  private readonly failures = new Map<string, Remembered>();

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.servers = serversOf(options, context);
    this.resolver = this.servers === null ? null : askingServers(options, this.servers);
    this.forward = options.strings('resolve').map((name) => parseFieldReference(name));
    this.reverse = options.strings('reverse').map((name) => parseFieldReference(name));
    this.hosts = readHostsFiles(options.strings('hostsfile'));
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
    // A field that is not there keeps the others from nothing.
    if (value === undefined || value === null) return true;
    const text = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (typeof text !== 'string' || text === '') return false;
    if (isReverse && isIP(text) === 0) return false;
    const name = isReverse ? text : asciiName(text);
    if (name === '') return false;
    const answer = await this.remembered(name, isReverse);
    if (answer.kind === 'timeout') for (const tag of this.options.strings('tag_on_timeout')) event.tag(tag);
    if (answer.kind !== 'found') return false;
    event.set(field, this.combined(value, answer.text));
    return true;
  }

  private combined(value: EventValue, found: string): EventValue {
    if (this.options.string('action') === 'replace') return Array.isArray(value) ? [found] : found;
    return Array.isArray(value) ? [...value, found] : [value, found];
  }

  private async remembered(text: string, isReverse: boolean): Promise<Answer> {
    for (const { nameOf, addressOf } of this.hosts) {
      const known = (isReverse ? nameOf : addressOf).get(text);
      if (known !== undefined) return { kind: 'found', text: known };
    }
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
    const { servers, resolver } = this;
    if (!isReverse && isIP(text) !== 0) return { kind: 'found', text };
    if (servers === null || resolver === null) return { kind: 'none' };
    try {
      const found = isReverse ? (await resolver.reverse(text))[0] : await firstAddress(resolver, text, servers);
      return found === undefined ? { kind: 'none' } : { kind: 'found', text: isReverse ? unicodeName(found) : found };
    } catch (error) {
      // A name that does not exist is an answer; only a server that does not answer is tagged.
      const code = codeOf(error);
      return { kind: code === 'ETIMEOUT' || code === 'ECONNREFUSED' ? 'timeout' : 'none' };
    }
  }
}

/** The address of the first completion of the name that exists; a name without addresses ends the search. */
async function firstAddress(resolver: Resolver, name: string, rules: SearchRules): Promise<string | undefined> {
  for (const candidate of searchCandidates(name, rules)) {
    try {
      return (await resolver.resolve4(candidate))[0];
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENODATA') return (await resolver.resolve6(candidate))[0];
      if (code !== 'ENOTFOUND') throw error;
    }
  }
  return undefined;
}

/** Who is asked behind the hosts files: with files of the user only the servers that the user names, if any. */
function serversOf(options: PluginOptions, context: PluginContext): NameServers | null {
  const given = options.has('nameserver') ? options.value('nameserver') : [];
  if (!Array.isArray(given) || given.length > 0) return parseNameServers(given);
  const isAlone = options.has('nameserver') || options.strings('hostsfile').length > 0;
  return isAlone ? null : systemNameServers(context.hostName);
}

/** Names with letters beyond ASCII as servers know them; empty when that is none. */
function asciiName(name: string): string {
  return /^[\x20-\x7e]*$/.test(name) ? name : domainToASCII(name);
}

function unicodeName(name: string): string {
  return name.includes('xn--') ? domainToUnicode(name) || name : name;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

function askingServers(options: PluginOptions, { addresses }: NameServers): Resolver {
  const timeout = Math.max(1, Math.round(options.number('timeout') * 1000));
  const resolver = new Resolver({ timeout, tries: options.number('max_retries') + 1 });
  if (addresses === null) return resolver;
  try {
    resolver.setServers(addresses);
  } catch {
    const why = `[nameserver] wants addresses, not [${addresses.join(', ')}]`;
    throw new ShoalError('illegal_argument_exception', 400, why);
  }
  return resolver;
}

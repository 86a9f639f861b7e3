/**
 * memcached: puts values of a memcached into events, and values of events into it.
 */

import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { inflateSync } from 'node:zlib';
import {
  compileTemplate,
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseFieldReference,
  type Template,
} from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { optionError } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';
import { MemcachedConnection, type StoredValue } from './memcached-connection.ts';
import { marshal, unmarshal } from './ruby-marshal.ts';
import { ServerRing } from './server-ring.ts';

export const memcachedFilter: PluginDefinition = {
  kind: 'filter',
  name: 'memcached',
  version: '1.2.0',
  options: {
    hosts: { type: 'array', default: ['localhost'] },
    namespace: { type: 'string' },
    get: { type: 'hash', default: {} },
    set: { type: 'hash', default: {} },
    ttl: { type: 'number', default: 0 },
    tag_on_failure: { type: 'string', default: '_memcached_failure' },
    lru_cache_ttl: { type: 'number', default: 0 },
    lru_cache_max_size: { type: 'number', default: 1024 },
  },
  create: (options, context) => new MemcachedFilter(options, context),
};

const DEFAULT_PORT = 11_211;
const KEY_LENGTH_MAX = 250;
/** Characters that are kept of a longer key, before its digest. */
const KEPT_LENGTH = 212;
/** Flags of Ruby's client. */
const SERIALIZED = 1;
const COMPRESSED = 2;
const INFLATED_MAX = 64 * 1024 * 1024;

interface Entry {
  readonly key: Template;
  readonly field: FieldReference;
}

interface Cached {
  readonly value: EventValue | undefined;
  readonly untilMs: number;
}

class MemcachedFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly servers: readonly MemcachedConnection[];
  private readonly ring: ServerRing;
  private readonly reads: readonly Entry[];
  private readonly writes: readonly Entry[];
  private readonly ttl: number;
  /** Answers of before, the least recently used first. */
  private readonly cache = new Map<string, Cached>();

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.ttl = options.number('ttl');
    if (this.ttl < 0) throw optionError("'ttl' option cannot be negative");
    const hosts = options.strings('hosts');
    if (hosts.length === 0) throw optionError("'hosts' cannot be empty");
    this.servers = hosts.map(connectionTo);
    this.ring = new ServerRing(this.servers.map(({ name }) => name));
    const entry = (key: string, field: string): Entry => ({
      key: compileTemplate(key, context),
      field: parseFieldReference(field, context.escapeStyle),
    });
    this.reads = [...options.hash('get')].map(([key, field]) => entry(key, String(field)));
    this.writes = [...options.hash('set')].map(([field, key]) => entry(String(key), field));
  }

  async start(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.check()));
  }

  async stop(): Promise<void> {
    for (const server of this.servers) server.close();
  }

  async filter(event: LogEvent): Promise<'matched' | 'unmatched'> {
    try {
      const wrote = await this.write(event);
      const found = await this.read(event);
      return wrote || found ? 'matched' : 'unmatched';
    } catch (error) {
      const reason = messageOf(error);
      const { pluginId: plugin, position } = this.context;
      this.context.runtime.log.error('memcached: the server cannot be used', { plugin, position, reason });
      event.tag(this.options.string('tag_on_failure'));
      return 'unmatched';
    }
  }

  private async write(event: LogEvent): Promise<boolean> {
    const values = this.writes.flatMap(({ key, field }) => {
      const value = event.get(field);
      return value === undefined || value === null ? [] : [{ key: this.keyOf(key.render(event)), value }];
    });
    await Promise.all(
      values.map(({ key, value }) =>
        this.serverOf(key).set(key, { flags: SERIALIZED, bytes: marshal(value) }, Math.trunc(this.ttl)),
      ),
    );
    return values.length > 0;
  }

  private async read(event: LogEvent): Promise<boolean> {
    const found = await Promise.all(
      this.reads.map(async ({ key, field }) => ({ field, value: await this.lookUp(this.keyOf(key.render(event))) })),
    );
    const hits = found.filter(({ value }) => value !== undefined && value !== null);
    for (const { field, value = null } of hits) event.set(field, value);
    return hits.length > 0;
  }

  /** undefined when there is no such entry, which is remembered too. */
  private async lookUp(key: string): Promise<EventValue | undefined> {
    const ttlMs = this.options.number('lru_cache_ttl') * 1000;
    const sizeMax = this.options.number('lru_cache_max_size');
    if (ttlMs <= 0 || sizeMax <= 0) return this.fetch(key);
    const now = this.context.runtime.clock.monotonicMs();
    const known = this.cache.get(key);
    this.cache.delete(key);
    const entry =
      known !== undefined && known.untilMs > now ? known : { value: await this.fetch(key), untilMs: now + ttlMs };
    this.cache.set(key, entry);
    const [oldest] = this.cache.keys();
    if (this.cache.size > sizeMax && oldest !== undefined) this.cache.delete(oldest);
    return entry.value;
  }

  private async fetch(key: string): Promise<EventValue | undefined> {
    const stored = await this.serverOf(key).get(key);
    return stored === null ? undefined : readValue(stored);
  }

  private serverOf(key: string): MemcachedConnection {
    const server = this.servers[this.ring.serverOf(key)];
    if (server === undefined) throw optionError('there is no server');
    return server;
  }

  private keyOf(key: string): string {
    const namespace = this.options.has('namespace') ? this.options.string('namespace') : '';
    const whole = namespace === '' ? key : `${namespace}:${key}`;
    if (Buffer.byteLength(whole) <= KEY_LENGTH_MAX) return whole;
    const digest = createHash('md5').update(whole).digest('hex');
    return `${Buffer.from(whole).subarray(0, KEPT_LENGTH).toString('latin1')}:md5:${digest}`;
  }
}

function readValue({ flags, bytes }: StoredValue): EventValue {
  const raw = (flags & COMPRESSED) === 0 ? bytes : inflateSync(bytes, { maxOutputLength: INFLATED_MAX });
  return (flags & SERIALIZED) === 0 ? raw.toString('utf8') : unmarshal(raw);
}

/** `name`, `name:port`, `::1`, `[::1]:port`. */
function connectionTo(text: string): MemcachedConnection {
  const found = /^(?:\[([^\]]+)\](?::(\d+))?|([^:]+)(?::(\d+))?|([0-9a-fA-F:.]+))$/.exec(text.trim());
  const port = Number(found?.[2] ?? found?.[4] ?? DEFAULT_PORT);
  const host = found?.[1] ?? found?.[3] ?? found?.[5];
  const isBare = found?.[5] === undefined || isIPv6(found[5]);
  if (host === undefined || !isBare || port < 1 || port > 65_535) throw optionError(`cannot read the host [${text}]`);
  return new MemcachedConnection(host, port);
}

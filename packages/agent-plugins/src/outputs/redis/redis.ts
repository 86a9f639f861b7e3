/**
 * The redis output: events to the end of a list, or to a channel. What the server has not confirmed is sent again, to the
 * next of the hosts, for as long as it takes.
 */
import type { LogEvent, Template } from '@shoal/agent-event';
import {
  type Codec,
  type Output,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  refusedOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { connectRedis, type RedisConnection, requireRedis } from '../../redis/redis-client.ts';

const PLUGIN = 'redis output';
/** Lists whose last check for congestion is remembered: names may come from events. */
const CHECKED_MAX = 10_000;

export const redisOutput: PluginDefinition = {
  kind: 'output',
  name: 'redis',
  version: '5.2.0',
  concurrency: 'each',
  options: {
    codec: { type: 'codec', default: 'json' },
    host: { type: 'array', default: ['127.0.0.1'] },
    shuffle_hosts: { type: 'boolean', default: true },
    port: { type: 'number', default: 6379 },
    db: { type: 'number', default: 0 },
    timeout: { type: 'number', default: 5 },
    password: { type: 'password' },
    key: { type: 'template', isRequired: true },
    data_type: { type: ['list', 'channel'], isRequired: true },
    batch: { type: 'boolean', default: false },
    batch_events: { type: 'number', default: 50 },
    /** Nothing waits that long: a batch of the pipeline is sent whole before the next one comes. */
    batch_timeout: { type: 'number', default: 5 },
    reconnect_interval: { type: 'number', default: 1 },
    congestion_threshold: { type: 'number', default: 0 },
    congestion_interval: { type: 'number', default: 1 },
    ...refusedOptions(['queue'], 'use [key] with [data_type => list]'),
    ...refusedOptions(['name'], 'it has no effect; remove it'),
  },
  create: (options, context) => new RedisOutput(options, context),
};

interface Push {
  readonly key: string;
  readonly payloads: Uint8Array[];
}

interface Host {
  readonly host: string;
  readonly port: number;
}

class RedisOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly key: Template;
  private readonly isList: boolean;
  private readonly hosts: readonly Host[];
  private readonly control: StoppableWait;
  /** When a list was last found short enough, in milliseconds of the monotonic clock. */
  private readonly checkedMs = new Map<string, number>();
  private nextHost = 0;
  private connection: RedisConnection | null = null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    this.key = options.template('key');
    this.isList = options.string('data_type') === 'list';
    this.control = new StoppableWait(context.runtime);
    if (options.boolean('batch') && !this.isList) throw optionError('[batch] is for [data_type => list] only');
    const hosts = options.strings('host').map((text) => hostOf(text, options.number('port')));
    if (hosts.length === 0) throw optionError('[host] names no host');
    this.hosts = options.boolean('shuffle_hosts') ? shuffled(hosts, context) : hosts;
  }

  async start(): Promise<void> {
    await requireRedis(PLUGIN);
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    let left = this.pushesOf(events);
    while (left.length > 0) {
      try {
        this.connection ??= await this.connected();
        left = await this.send(this.connection, left);
      } catch (error) {
        this.connection?.close();
        this.connection = null;
        if (this.control.isStopped) throw error;
        this.context.runtime.log.warn('cannot write to redis', {
          plugin: this.context.pluginId,
          error: String(error),
        });
        await this.control.pause(this.options.number('reconnect_interval') * 1000);
      }
    }
  }

  async stop(): Promise<void> {
    this.control.stop();
    this.connection?.close();
  }

  /** One command for each event, or for as many of a list as a batch may hold. */
  private pushesOf(events: readonly LogEvent[]): Push[] {
    const isBatched = this.options.boolean('batch');
    const payloadsMax = isBatched ? Math.max(1, this.options.number('batch_events')) : 1;
    const pushes: Push[] = [];
    const open = new Map<string, Push>();
    for (const event of events) {
      const key = this.key.render(event);
      let push = open.get(key);
      if (push === undefined || push.payloads.length >= payloadsMax) {
        push = { key, payloads: [] };
        open.set(key, push);
        pushes.push(push);
      }
      push.payloads.push(this.codec.encode(event).slice());
    }
    return pushes;
  }

  /** Answers those that the server has not confirmed; throws when there are none that it has. */
  private async send(connection: RedisConnection, pushes: readonly Push[]): Promise<Push[]> {
    for (const { key } of pushes) await this.uncongested(connection, key);
    const command = this.isList ? 'RPUSH' : 'PUBLISH';
    const results = await Promise.allSettled(
      pushes.map(({ key, payloads }) => connection.send([command, key, ...payloads])),
    );
    const failed = pushes.filter((_push, i) => results[i]?.status === 'rejected');
    if (failed.length === 0) return [];
    const reason = results.find((result) => result.status === 'rejected')?.reason;
    if (failed.length === pushes.length) throw reason;
    this.context.runtime.log.warn('redis refused some events', {
      plugin: this.context.pluginId,
      error: String(reason),
    });
    return failed;
  }

  /** Waits while a list that nobody empties is too long. */
  private async uncongested(connection: RedisConnection, key: string): Promise<void> {
    const threshold = this.options.number('congestion_threshold');
    if (!this.isList || threshold === 0) return;
    const intervalMs = this.options.number('congestion_interval') * 1000;
    const now = this.context.runtime.clock.monotonicMs();
    if (now - (this.checkedMs.get(key) ?? Number.NEGATIVE_INFINITY) < intervalMs) return;
    while (Number(await connection.send(['LLEN', key])) > threshold) {
      if (this.control.isStopped) throw new Error(`the list [${key}] is too long`);
      this.context.runtime.log.warn('a list of redis is too long: waiting', { list: key, threshold });
      await this.control.pause(Math.max(intervalMs, CONGESTED_MS));
    }
    if (this.checkedMs.size >= CHECKED_MAX) this.checkedMs.clear();
    this.checkedMs.set(key, this.context.runtime.clock.monotonicMs());
  }

  private async connected(): Promise<RedisConnection> {
    const { options } = this;
    const at = this.hosts[this.nextHost % this.hosts.length];
    this.nextHost++;
    if (at === undefined) throw optionError('[host] names no host');
    const connection = await connectRedis(
      {
        at,
        database: options.number('db'),
        password: options.has('password') ? options.string('password') : null,
        isTls: false,
        timeoutMs: options.number('timeout') * 1000,
      },
      PLUGIN,
    );
    // The next batch connects anew; one under way sees its commands fail.
    void connection.ended.then(() => {
      if (this.connection === connection) this.connection = null;
    });
    return connection;
  }
}

/** Shortest wait for a list to become shorter, where the interval says to look at every event. */
const CONGESTED_MS = 100;

/** `host`, `host:port`, `[::1]:port`. */
function hostOf(text: string, port: number): Host {
  const [, bracketed, plain, own] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return { host: bracketed ?? plain ?? text, port: own === undefined ? port : Number(own) };
}

function shuffled(hosts: readonly Host[], context: PluginContext): Host[] {
  const random = context.runtime.random.fork(`redis ${context.pluginId}`);
  const order = [...hosts];
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    const [a, b] = [order[last], order[other]];
    if (a !== undefined && b !== undefined) [order[last], order[other]] = [b, a];
  }
  return order;
}

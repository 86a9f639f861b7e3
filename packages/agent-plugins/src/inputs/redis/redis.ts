/**
 * The redis input: events from a list, a channel, or all channels that fit a pattern.
 *
 * Redis forgets what it has given: what was taken from a list and is not in the queue when the process dies is lost.
 */

import {
  type Codec,
  decodeUnit,
  type EventSink,
  type Input,
  type LoopControl,
  OrderedPushes,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  producingInput,
  putMetadata,
} from '@shoal/agent-plugin-kit';
import { connectRedis, type RedisAddress, type RedisConnection, requireRedis } from '../../redis/redis-client.ts';

const PLUGIN = 'redis input';
const RETRY_MS = 1_000;
/** Wait before an empty list is asked again. */
const EMPTY_MS = 250;
/** Seconds that the server holds a request for one item. */
const BLOCK_SECONDS = '1';
/** Messages of channels that wait for the queue. A channel knows no back pressure: what comes then is dropped. */
const WAITING_MAX = 10_000;

export const redisInput: PluginDefinition = {
  kind: 'input',
  name: 'redis',
  version: '3.7.1',
  options: {
    codec: { type: 'codec', default: 'json' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'number', default: 6379 },
    path: { type: 'string' },
    ssl: { type: 'boolean', default: false },
    db: { type: 'number', default: 0 },
    timeout: { type: 'number', default: 5 },
    password: { type: 'password' },
    key: { type: 'string', isRequired: true },
    data_type: { type: ['list', 'channel', 'pattern_channel'], isRequired: true },
    batch_count: { type: 'number', default: 125 },
    threads: { type: 'number', default: 1 },
    command_map: { type: 'hash', default: {} },
  },
  create(options, context): Input {
    const reader = new RedisReader(options, context);
    const prepare = (): Promise<void> => requireRedis(PLUGIN);
    return producingInput(context.runtime, { isEndless: true, prepare }, (sink, control) => reader.run(sink, control));
  },
};

class RedisReader {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly key: string;
  private readonly dataType: string;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    this.key = options.string('key');
    this.dataType = options.string('data_type');
    const threads = options.number('threads');
    if (!Number.isInteger(threads) || threads < 1) throw optionError(`[threads] must be at least 1, but is ${threads}`);
    if (threads > 1 && this.dataType !== 'list')
      throw optionError(
        `[threads] of ${threads} would give each event of a channel as often: only a list can be shared`,
      );
  }

  async run(sink: EventSink, control: LoopControl): Promise<void> {
    await Promise.all(Array.from({ length: this.options.number('threads') }, () => this.loop(sink, control)));
  }

  private async loop(sink: EventSink, control: LoopControl): Promise<void> {
    while (!control.isStopped) {
      try {
        const connection = await connectRedis(addressOf(this.options), PLUGIN);
        const forget = control.onStop(() => this.dataType !== 'list' && connection.close());
        try {
          if (this.dataType === 'list') await this.readList(connection, sink, control);
          else await this.readChannel(connection, sink);
        } finally {
          forget();
          connection.close();
        }
      } catch (error) {
        if (control.isStopped) return;
        this.context.runtime.log.warn('redis does not answer', { plugin: this.context.pluginId, error: String(error) });
        await control.pause(RETRY_MS);
      }
    }
  }

  /** What was taken goes into the queue before the next is asked for, also when the input is stopped meanwhile. */
  private async readList(connection: RedisConnection, sink: EventSink, control: LoopControl): Promise<void> {
    const take = this.options.number('batch_count') > 1 ? await this.batches(connection) : this.singles(connection);
    while (!control.isStopped) {
      const items = await take();
      if (items.length > 0) await sink.push(items.flatMap((item) => decodeUnit(this.codec, item)));
      else if (this.options.number('batch_count') > 1) await control.pause(EMPTY_MS);
    }
  }

  private singles(connection: RedisConnection): () => Promise<Buffer[]> {
    return async () => {
      const reply = await connection.send([this.command('blpop'), this.key, BLOCK_SECONDS]);
      const item = Array.isArray(reply) ? reply[1] : null;
      return item instanceof Buffer ? [item] : [];
    };
  }

  /** A script takes and removes in one step, on every server since 2.6. */
  private async batches(connection: RedisConnection): Promise<() => Promise<Buffer[]>> {
    const script =
      `local items = redis.call('${this.command('lrange')}', KEYS[1], 0, ARGV[1])\n` +
      `redis.call('${this.command('ltrim')}', KEYS[1], ARGV[1] + 1, -1)\n` +
      'return items';
    const load = async (): Promise<string> => String(await connection.send([this.command('script'), 'LOAD', script]));
    let digest = await load();
    const last = String(this.options.number('batch_count') - 1);
    const take = async (): Promise<Buffer[]> => {
      const reply = await connection.send([this.command('evalsha'), digest, '1', this.key, last]);
      return Array.isArray(reply) ? reply.filter((item): item is Buffer => item instanceof Buffer) : [];
    };
    return async () => {
      try {
        return await take();
      } catch (error) {
        // The server was started anew, or its scripts were thrown away.
        if (!String(error).includes('NOSCRIPT')) throw error;
        digest = await load();
        return take();
      }
    };
  }

  private async readChannel(connection: RedisConnection, sink: EventSink): Promise<void> {
    const pushes = new OrderedPushes(sink, this.context);
    let waiting = 0;
    await connection.subscribe(this.dataType === 'channel' ? 'channel' : 'pattern', this.key, (message, channel) => {
      if (waiting >= WAITING_MAX) {
        this.context.metrics.increment('dropped');
        return;
      }
      waiting++;
      const events = decodeUnit(this.codec, message);
      for (const event of events) putMetadata(event, ['redis_channel'], channel);
      void pushes.offer(events).then(() => waiting--);
    });
    const error = await connection.ended;
    await pushes.settled();
    if (error !== null) throw error;
  }

  /** Servers may have commands under other names. */
  private command(name: string): string {
    return String(this.options.hash('command_map').get(name) ?? name);
  }
}

function addressOf(options: PluginOptions): RedisAddress {
  return {
    at: options.has('path')
      ? { path: options.string('path') }
      : { host: options.string('host'), port: options.number('port') },
    database: options.number('db'),
    password: options.has('password') ? options.string('password') : null,
    isTls: options.boolean('ssl'),
    timeoutMs: options.number('timeout') * 1000,
  };
}

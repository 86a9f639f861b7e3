/**
 * The s3 input: objects of a bucket, the oldest first, each line an event.
 *
 * An object is brought to a file that has no name any more, so that nothing stays behind and a slow pipeline holds no
 * connection. The position moves when the events of an object are taken, and never past an object that could not be read
 * for a reason that may pass: then the look ends, and the next one begins with it.
 */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { EventMap, LogEvent } from '@shoal/agent-event';
import {
  type Codec,
  type EventSink,
  type Input,
  type LoopControl,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  producingInput,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { compileRubyRegex } from '@shoal/ruby-regex';
import { S3Client } from '../../aws/s3-client.ts';
import { isLasting, S3Failure } from '../../aws/s3-failure.ts';
import { s3Options } from '../../aws/s3-options.ts';
import { CloudFrontLines } from './cloudfront-lines.ts';
import { FetchedObject } from './fetched-object.ts';
import { ObjectBackup } from './object-backup.ts';
import { objectLines } from './object-lines.ts';
import { copied, objectProperties } from './object-properties.ts';
import { isArchived, isRestored, type ListedObject, listObjects, secondOf } from './s3-listing.ts';
import { S3Position } from './s3-position.ts';

const RETRY_MS = 1_000;
const RETRY_MAX_MS = 60_000;
const NOTHING: EventMap = new Map();

export const s3Input: PluginDefinition = {
  kind: 'input',
  name: 's3',
  version: '7.1.8',
  options: {
    codec: { type: 'codec', default: 'plain' },
    ...s3Options,
    prefix: { type: 'string', default: '' },
    sincedb_path: { type: 'string' },
    backup_to_bucket: { type: 'string' },
    backup_add_prefix: { type: 'string' },
    backup_to_dir: { type: 'string' },
    delete: { type: 'boolean', default: false },
    interval: { type: 'number', default: 60 },
    watch_for_new_files: { type: 'boolean', default: true },
    exclude_pattern: { type: 'string' },
    temporary_directory: { type: 'string', default: '/tmp/logstash' },
    include_object_properties: { type: 'boolean', default: false },
    gzip_pattern: { type: 'string', default: '\\.gz(ip)?$' },
    cutoff_second: { type: 'number', default: 3 },
  },
  create(options, context): Input {
    const reader = new S3Reader(options, context);
    const { runtime } = context;
    const settings = { isEndless: options.boolean('watch_for_new_files'), prepare: () => reader.prepare() };
    const input = producingInput(runtime, settings, (sink, control) => reader.run(sink, control));
    return {
      finished: input.finished,
      start: (sink) => input.start(sink),
      async stop() {
        reader.waits.stop();
        await input.stop();
        reader.client.close();
      },
    };
  },
};

class S3Reader {
  readonly client: S3Client;
  /** Waits of calls; those of the loop end with it. */
  readonly waits: StoppableWait;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly backup: ObjectBackup;
  private readonly excluded: RegExp | null;
  private readonly gzip: RegExp;
  private position: S3Position | null = null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    this.waits = new StoppableWait(context.runtime);
    this.client = new S3Client(options, context, this.waits);
    this.backup = new ObjectBackup(this.client, options);
    this.excluded = options.has('exclude_pattern') ? compileRubyRegex(options.string('exclude_pattern')) : null;
    this.gzip = compileRubyRegex(options.string('gzip_pattern'));
    if (!(options.number('interval') >= 0)) throw optionError('[interval] is a number of seconds');
  }

  async prepare(): Promise<void> {
    const { options } = this;
    await mkdir(options.string('temporary_directory'), { recursive: true });
    await this.backup.prepare();
    const digest = createHash('md5')
      .update(`${options.string('bucket')}+${options.string('prefix')}`)
      .digest('hex');
    const path = options.has('sincedb_path')
      ? options.string('sincedb_path')
      : join(await this.context.dataPath(), `sincedb_${digest}`);
    this.position = S3Position.read(path);
  }

  async run(sink: EventSink, control: LoopControl): Promise<void> {
    const { position } = this;
    if (position === null) return;
    const { clock, log } = this.context.runtime;
    const intervalMs = this.options.number('interval') * 1000;
    do {
      const startMs = clock.monotonicMs();
      try {
        await this.look(position, sink, control);
        sink.troubled?.(null);
      } catch (error) {
        log.error('objects of S3 cannot be read; what is not read yet is tried again', {
          plugin: this.context.pluginId,
          bucket: this.options.string('bucket'),
          error: String(error),
        });
        sink.troubled?.(`objects of S3 cannot be read: ${String(error)}`);
      }
      if (!this.options.boolean('watch_for_new_files')) return;
      await control.pause(Math.max(0, intervalMs - (clock.monotonicMs() - startMs)));
    } while (!control.isStopped);
  }

  private async look(position: S3Position, sink: EventSink, control: LoopControl): Promise<void> {
    const { options } = this;
    const { clock, log } = this.context.runtime;
    const { objects, hasAny } = await listObjects(this.client, {
      bucket: options.string('bucket'),
      prefix: options.string('prefix'),
      afterSecond: position.second,
      untilMs: clock.wallMs() - options.number('cutoff_second') * 1000,
      isExcluded: (key) => this.backup.isBackup(key) || this.excluded?.test(key) === true,
    });
    if (!hasAny) log.info('the bucket has no objects', { prefix: options.string('prefix') });
    let doneSecond = Number.NEGATIVE_INFINITY;
    for (const [at, object] of objects.entries()) {
      if (control.isStopped) return;
      if (await this.readObject(object, sink, control)) doneSecond = secondOf(object);
      const next = objects[at + 1];
      // Another object of the same second is still to be read: a position of that second would pass it over.
      if (next === undefined || secondOf(next) > doneSecond) await position.write(doneSecond);
    }
  }

  /** Whether it is done with: false for one that changed meanwhile, is archived, or at a stop. */
  private async readObject(object: ListedObject, sink: EventSink, control: LoopControl): Promise<boolean> {
    const { log } = this.context.runtime;
    const target = { bucket: this.options.string('bucket'), key: object.key };
    let fetched: FetchedObject;
    try {
      if (isArchived(object)) {
        const { headers } = await this.client.call({ method: 'HEAD', ...target });
        if (!isRestored(headers['x-amz-restore'], this.context.runtime.clock.wallMs())) return false;
      }
      fetched = await FetchedObject.fetch(this.client, target, this.options.string('temporary_directory'));
    } catch (error) {
      // A look that ends for it would never come to the objects behind it.
      if (!isLasting(error)) throw error;
      log.warn('an object of S3 is passed over', { ...target, error: String(error) });
      return false;
    }
    try {
      if (!(await this.pushAll(fetched, object.key, sink, control))) return false;
      await sink.confirmed?.();
      const fate = await this.fateOf(object);
      if (fate === 'changed') {
        log.info('an object of S3 changed while it was read, and is read again', target);
        return false;
      }
      if (fate === 'there') await this.keepTrying(control, () => this.backup.keep(object.key, fetched));
      this.context.metrics.increment('objects');
      return !control.isStopped;
    } finally {
      await fetched.close();
    }
  }

  private async pushAll(fetched: FetchedObject, key: string, sink: EventSink, control: LoopControl): Promise<boolean> {
    const decoder = this.codec.decoder();
    const lines = new CloudFrontLines(this.context.ecs === 'disabled');
    const properties = this.options.boolean('include_object_properties') ? objectProperties(fetched.headers) : NOTHING;
    const push = async (events: readonly LogEvent[]): Promise<void> => {
      const kept = events.filter((event) => !lines.take(event));
      for (const event of kept) {
        event.metadata.set('s3', copied(properties).set('key', key));
        lines.decorate(event);
      }
      if (kept.length > 0) await sink.push(kept);
    };
    const name = join(this.options.string('temporary_directory'), basename(key));
    try {
      for await (const units of objectLines(fetched.stream(), this.gzip.test(name), this.codec)) {
        if (control.isStopped) return false;
        await push(units.flatMap((unit) => [...decoder.decode(unit)]));
      }
    } catch (error) {
      if (!isBroken(error)) throw error;
      this.context.runtime.log.error('the rest of an object of S3 cannot be read', { key, error: String(error) });
    }
    await push(decoder.flush());
    return true;
  }

  private async fateOf({ key, modifiedMs }: ListedObject): Promise<'there' | 'changed' | 'gone'> {
    try {
      const { headers } = await this.client.call({ method: 'HEAD', bucket: this.options.string('bucket'), key });
      const now = Date.parse(headers['last-modified'] ?? '');
      // Headers tell whole seconds, lists may tell more.
      return Math.floor(now / 1000) === Math.floor(modifiedMs / 1000) ? 'there' : 'changed';
    } catch (error) {
      if (error instanceof S3Failure && error.answered.status === 404) return 'gone';
      throw error;
    }
  }

  /** What was read would be read again if its backup failed: it is tried until it succeeds. */
  private async keepTrying(control: LoopControl, work: () => Promise<void>): Promise<void> {
    for (let pauseMs = RETRY_MS; ; pauseMs = Math.min(RETRY_MAX_MS, 2 * pauseMs)) {
      try {
        await work();
        return;
      } catch (error) {
        if (control.isStopped) return;
        this.context.runtime.log.error('an object of S3 that was read cannot be put away', { error: String(error) });
        await control.pause(pauseMs);
      }
    }
  }
}

/** Contents that are not what their name says, as opposed to a disk that cannot be read or a pipeline that ends. */
function isBroken(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('Z_');
}

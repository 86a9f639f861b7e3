/**
 * The s3 output: events into files of a folder, which become objects of a bucket when they are large or old enough.
 *
 * A batch counts as delivered when it is in a file, since a file may take a quarter of an hour to fill. So files must not
 * get lost: they survive the process, each is removed only after S3 has it, and what a crash left is uploaded at the next
 * start. An upload is repeated for as long as it takes; meanwhile no more files are begun than the queue has room for.
 */
import { constants as fileConstants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import type { LogEvent } from '@shoal/agent-event';
import {
  type Codec,
  encodeAll,
  type Output,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { messageOf, ShoalError } from '@shoal/core';
import type { Cancel } from '@shoal/runtime';
import { S3Client } from '../../aws/s3-client.ts';
import { s3Options } from '../../aws/s3-options.ts';
import { normalPrefix, prefixProblem } from './object-name.ts';
import { S3Upload } from './s3-upload.ts';
import { Uploader } from './uploader.ts';
import { type FinishedFile, Workspace } from './workspace.ts';

/** Files that nobody writes to are looked at so often. */
const LOOK_MS = 15_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;
/** Errors of the disk that may pass. */
const PASSING: readonly string[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EROFS', 'EIO', 'EACCES'];
const TEST_KEY = 'logstash-programmatic-access-test-object-';

export const s3Output: PluginDefinition = {
  kind: 'output',
  name: 's3',
  version: '7.1.8',
  options: {
    codec: { type: 'codec', default: 'line' },
    ...s3Options,
    prefix: { type: 'template', default: '' },
    size_file: { type: 'number', default: 5 * 1024 * 1024 },
    time_file: { type: 'number', default: 15 },
    rotation_strategy: { type: ['size_and_time', 'size', 'time'], default: 'size_and_time' },
    restore: { type: 'boolean', default: true },
    temporary_directory: { type: 'string', default: '/tmp/logstash' },
    encoding: { type: ['none', 'gzip'], default: 'none' },
    tags: { type: 'array', default: [] },
    canned_acl: {
      type: [
        'private',
        'public-read',
        'public-read-write',
        'authenticated-read',
        'aws-exec-read',
        'bucket-owner-read',
        'bucket-owner-full-control',
        'log-delivery-write',
      ],
      default: 'private',
    },
    server_side_encryption: { type: 'boolean', default: false },
    server_side_encryption_algorithm: { type: ['AES256', 'aws:kms'], default: 'AES256' },
    ssekms_key_id: { type: 'string' },
    storage_class: {
      type: [
        'STANDARD',
        'REDUCED_REDUNDANCY',
        'STANDARD_IA',
        'ONEZONE_IA',
        'INTELLIGENT_TIERING',
        'GLACIER',
        'DEEP_ARCHIVE',
        'OUTPOSTS',
        'GLACIER_IR',
        'SNOW',
        'EXPRESS_ONEZONE',
      ],
      default: 'STANDARD',
    },
    signature_version: { type: ['v4'] },
    upload_workers_count: { type: 'number', default: 4 },
    upload_queue_size: { type: 'number', default: 4 },
    upload_multipart_threshold: { type: 'number', default: 15 * 1024 * 1024 },
    validate_credentials_on_root_bucket: { type: 'boolean', default: true },
    retry_count: { type: 'number' },
    retry_delay: { type: 'number', default: 1 },
  },
  create: (options, context) => new S3Output(options, context),
};

class S3Output implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly control: StoppableWait;
  private readonly client: S3Client;
  private readonly upload: S3Upload;
  private readonly uploader: Uploader;
  private readonly workspace: Workspace;
  /** The work on files that goes on: batches and looks come one after the other. */
  private turn: Promise<void> = Promise.resolve();
  private restoring: Promise<void> = Promise.resolve();
  private cancel: Cancel | null = null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    const problem = prefixProblem(options.template('prefix').text);
    if (problem !== null) throw optionError(problem);
    this.control = new StoppableWait(context.runtime);
    this.client = new S3Client(options, context, this.control);
    this.upload = new S3Upload(this.client, options, context);
    this.uploader = new Uploader(this.upload, options, context, this.control);
    this.workspace = new Workspace(options, context);
  }

  async start(): Promise<void> {
    const folder = this.options.string('temporary_directory');
    try {
      await mkdir(folder, { recursive: true });
      await access(folder, fileConstants.W_OK);
    } catch (error) {
      throw optionError(`[temporary_directory => ${folder}] cannot be written: ${String(error)}`);
    }
    if (this.options.boolean('validate_credentials_on_root_bucket')) await this.tryBucket();
    if (this.options.boolean('restore')) this.restoring = this.uploader.restore(folder);
    if (this.options.string('rotation_strategy') !== 'size') this.lookLater();
  }

  receive(events: readonly LogEvent[]): Promise<void> {
    return this.inTurn(async () => {
      for (const [prefix, group] of this.byPrefix(events)) {
        await this.write(prefix, encodeAll(this.codec, group));
        await this.giveAway(await this.workspace.takeFull(prefix, this.nowMs()));
      }
    });
  }

  /** Files that are not full are uploaded too. What S3 does not take now stays for the next start. */
  async stop(): Promise<void> {
    this.control.stop();
    this.cancel?.();
    await this.inTurn(async () => {
      for (const file of await this.workspace.takeAll()) await this.uploader.add(file);
    });
    await this.uploader.drained();
    await this.restoring;
    this.client.close();
  }

  private byPrefix(events: readonly LogEvent[]): ReadonlyMap<string, readonly LogEvent[]> {
    const template = this.options.template('prefix');
    const [first] = events;
    if (template.isConstant && first !== undefined) return new Map([[normalPrefix(template.render(first)), events]]);
    const groups = new Map<string, LogEvent[]>();
    for (const event of events) {
      const prefix = normalPrefix(template.render(event));
      const group = groups.get(prefix);
      if (group === undefined) groups.set(prefix, [event]);
      else group.push(event);
    }
    return groups;
  }

  /** What may pass, such as a full disk, is waited for: the events are nowhere else. */
  private async write(prefix: string, bytes: Uint8Array): Promise<void> {
    const writing = this.workspace.writing(prefix, bytes);
    for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(RETRY_MAX_MS, pauseMs * 2)) {
      try {
        await this.giveAway(await writing(this.nowMs()));
        return;
      } catch (error) {
        const code = (error as { readonly code?: unknown } | null)?.code;
        if (this.control.isStopped || typeof code !== 'string' || !PASSING.includes(code)) throw error;
        this.context.metrics.increment('retries');
        const folder = this.options.string('temporary_directory');
        const about = { plugin: this.context.pluginId, folder, error: String(error) };
        this.context.runtime.log.warn('a file for S3 cannot be written, and the pipeline waits', about);
        await this.control.pause(pauseMs);
      }
    }
  }

  private async giveAway(file: FinishedFile | null): Promise<void> {
    if (file !== null) await this.uploader.add(file);
  }

  private lookLater(): void {
    this.cancel = this.context.runtime.sched.after(LOOK_MS, () => {
      this.inTurn(async () => {
        for (const file of await this.workspace.takeOld(this.nowMs())) await this.uploader.add(file);
      }).catch((error) => this.context.runtime.log.error('a file for S3 cannot be closed', { error: String(error) }));
      if (!this.control.isStopped) this.lookLater();
    });
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  /** Writes an object and removes it again, which need not be allowed. */
  private async tryBucket(): Promise<void> {
    const target = { bucket: this.options.string('bucket'), key: `${TEST_KEY}${new Date(this.nowMs()).toISOString()}` };
    try {
      await this.upload.putBytes(target, Buffer.from(`Permission check by ${this.context.hostName}`, 'utf8'));
    } catch (error) {
      const why = messageOf(error);
      const text = `[bucket => ${target.bucket}] cannot be written to at its root; see [validate_credentials_on_root_bucket]: ${why}`;
      throw new ShoalError('illegal_argument_exception', 400, text);
    }
    await this.client.call({ method: 'DELETE', ...target }).catch(() => undefined);
  }

  private nowMs(): number {
    return this.context.runtime.clock.wallMs();
  }
}

/**
 * The file output: events into files whose names may depend on the event.
 *
 * A path that an event leads out of the fixed part of the pattern goes to one file of failures instead: events are data
 * from outside, and `../../etc/passwd` is a legal field value.
 */
import { createWriteStream, existsSync, fstatSync, type WriteStream, writeSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { constants, createGzip, type Gzip } from 'node:zlib';
import { type LogEvent, OutputMemory, type Template } from '@shoal/agent-event';
import {
  type Codec,
  encodeAll,
  type Output,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { Cancel } from '@shoal/runtime';

const FAILURE_NAME = '_filepath_failures';
/** With more the least recently written is closed. */
const OPEN_FILES_MAX = 1_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;
/** Errors that are not the fault of the events: another try may succeed. */
const PASSING: readonly string[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EROFS', 'EIO', 'EACCES'];

export const fileOutput: PluginDefinition = {
  kind: 'output',
  name: 'file',
  version: '4.3.0',
  concurrency: (options) => (isAppendOnly(options) ? 'each' : 'single'),
  options: {
    codec: { type: 'codec', default: 'json_lines' },
    path: { type: 'template', isRequired: true },
    flush_interval: {
      type: 'number',
      deprecated: 'it has no effect: every batch is in its file before it counts as delivered',
    },
    gzip: { type: 'boolean', default: false },
    filename_failure: { type: 'string', default: FAILURE_NAME },
    create_if_deleted: { type: 'boolean', default: true },
    dir_mode: { type: 'number', default: -1 },
    file_mode: { type: 'number', default: -1 },
    write_behavior: { type: ['append', 'overwrite'], default: 'append' },
    stale_cleanup_interval: { type: 'number', default: 10 },
  },
  create: (options, context) => new FileOutput(options, context),
};

/**
 * Several workers may write one file: what is appended in one piece stays in one piece. Compressed streams would mix,
 * the last event of all is not the last of each, and a table has one head.
 */
export function isAppendOnly(options: PluginOptions): boolean {
  if (options.boolean('gzip') || options.string('write_behavior') === 'overwrite') return false;
  return options.codec('codec').name !== 'csv';
}

interface OpenFile {
  readonly path: string;
  readonly stream: WriteStream;
  readonly gzip: Gzip | null;
  /** Set when a write never waits for another process, and this thread is a worker's: then it is done on the spot. */
  readonly descriptor: number | null;
  writtenMs: number;
}

export class FileOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly pattern: Template;
  /** Fixed part of the pattern: no event leads out of it. */
  private readonly root: string;
  private readonly files = new Map<string, OpenFile>();
  private readonly memory = new OutputMemory();
  private cancel: Cancel | null = null;
  private readonly control: StoppableWait;

  constructor(options: PluginOptions, context: PluginContext, codec: Codec = options.codec('codec')) {
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
    this.codec = codec;
    this.pattern = options.template('path');
    const { text } = this.pattern;
    const fixed = text.split('%{', 1)[0] ?? '';
    const folder = dirname(`${fixed}x`);
    if (fixed !== text && (folder === '/' || folder === '.'))
      throw new ShoalError(
        'illegal_argument_exception',
        400,
        `[path] must begin with a fixed folder, [${text}] does not`,
      );
    this.root = resolve(folder);
  }

  async start(): Promise<void> {
    this.scheduleCleanup();
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    if (this.pattern.isConstant) {
      await this.write(this.pathOf(first), events);
      return;
    }
    const byPath = new Map<string, LogEvent[]>();
    for (const event of events) {
      const path = this.pathOf(event);
      const group = byPath.get(path);
      if (group === undefined) byPath.set(path, [event]);
      else group.push(event);
    }
    for (const [path, group] of byPath) await this.write(path, group);
  }

  async stop(): Promise<void> {
    this.control.stop();
    this.cancel?.();
    for (const file of [...this.files.values()]) await this.close(file);
  }

  private pathOf(event: LogEvent): string {
    // One that is not absolute lies in the folder that the agent was started in.
    const path = resolve(this.pattern.render(event));
    if (path.startsWith(this.root === '/' ? '/' : `${this.root}/`) && !path.includes('\0')) return path;
    this.context.runtime.log.warn('an event leads out of the folder of its file', { path, folder: this.root });
    return join(this.root, this.options.string('filename_failure'));
  }

  /** What may pass, such as a full disk, is waited for: the events are nowhere else. */
  private async write(path: string, events: readonly LogEvent[]): Promise<void> {
    const progress = { writtenBytes: 0 };
    for (let pauseMs = RETRY_FIRST_MS; ; pauseMs = Math.min(RETRY_MAX_MS, pauseMs * 2)) {
      try {
        return await this.tryWrite(path, events, progress);
      } catch (error) {
        const code = (error as { readonly code?: unknown } | null)?.code;
        if (this.control.isStopped || typeof code !== 'string' || !PASSING.includes(code)) throw error;
        this.context.metrics.increment('retries');
        const { pluginId: plugin, position } = this.context;
        const about = { path, plugin, position, error: String(error) };
        this.context.runtime.log.warn('a file cannot be written, and the pipeline waits', about);
        await this.control.pause(pauseMs);
      }
    }
  }

  private async tryWrite(path: string, events: readonly LogEvent[], progress: { writtenBytes: number }): Promise<void> {
    const file = await this.fileAt(path);
    file.writtenMs = this.context.runtime.clock.monotonicMs();
    if (this.options.string('write_behavior') === 'overwrite') {
      // Only the last event stays: the file shows a state, not a history.
      const handle = await open(path, 'w');
      await handle.writeFile(encodeAll(this.codec, events.slice(-1)));
      await handle.close();
      return;
    }
    if (file.descriptor !== null) {
      // Written before anybody else of this thread can encode: nothing is awaited in between.
      const bytes = encodeAll(this.codec, events, this.memory);
      // What came to disk before an error stays there.
      while (progress.writtenBytes < bytes.length)
        progress.writtenBytes += writeSync(file.descriptor, bytes, progress.writtenBytes);
      return;
    }
    await written(file.gzip ?? file.stream, encodeAll(this.codec, events));
    // What is in the compressor is in no file: a batch is only done when it is.
    if (file.gzip !== null) await new Promise<void>((resolve) => file.gzip?.flush(constants.Z_SYNC_FLUSH, resolve));
  }

  private async fileAt(path: string): Promise<OpenFile> {
    const known = this.files.get(path);
    if (known !== undefined && (!this.options.boolean('create_if_deleted') || existsSync(path))) return known;
    if (known !== undefined) await this.close(known);
    if (this.files.size >= OPEN_FILES_MAX) await this.closeOldest();
    const { stream, descriptor } = await this.openStream(path);
    const kind = fstatSync(descriptor);
    const isDirect = isAppendOnly(this.options) && (kind.isFile() || kind.isCharacterDevice());
    const gzip = this.options.boolean('gzip') ? createGzip() : null;
    gzip?.pipe(stream);
    const writtenMs = this.context.runtime.clock.monotonicMs();
    const file: OpenFile = { path, stream, gzip, descriptor: isDirect ? descriptor : null, writtenMs };
    this.files.set(path, file);
    return file;
  }

  /** Makes the folder only where it is missing: most files of a process lie in folders that are there. */
  private async openStream(path: string): Promise<{ readonly stream: WriteStream; readonly descriptor: number }> {
    const fileMode = this.options.number('file_mode');
    const directoryMode = this.options.number('dir_mode');
    const open = async (): Promise<{ readonly stream: WriteStream; readonly descriptor: number }> => {
      const stream = createWriteStream(path, { flags: 'a', ...(fileMode >= 0 ? { mode: fileMode } : {}) });
      return { stream, descriptor: await opened(stream) };
    };
    return open().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await mkdir(dirname(path), { recursive: true, ...(directoryMode >= 0 ? { mode: directoryMode } : {}) });
      return open();
    });
  }

  private async closeOldest(): Promise<void> {
    const [oldest] = [...this.files.values()].sort((a, b) => a.writtenMs - b.writtenMs);
    if (oldest !== undefined) await this.close(oldest);
  }

  private async close(file: OpenFile): Promise<void> {
    this.files.delete(file.path);
    (file.gzip ?? file.stream).end();
    await finished(file.stream);
  }

  private scheduleCleanup(): void {
    const everyMs = this.options.number('stale_cleanup_interval') * 1000;
    this.cancel = this.context.runtime.sched.after(everyMs, () => {
      const oldMs = this.context.runtime.clock.monotonicMs() - everyMs;
      for (const file of [...this.files.values()]) {
        if (file.writtenMs >= oldMs) continue;
        this.close(file).catch((error) =>
          this.context.runtime.log.error('cannot close a file', { path: file.path, error: String(error) }),
        );
      }
      this.scheduleCleanup();
    });
  }
}

/** The descriptor. */
function opened(stream: WriteStream): Promise<number> {
  return new Promise((resolve, reject) => {
    stream.once('open', (descriptor) => {
      // Later failures are those of single writes, which say so themselves.
      stream.off('error', reject).on('error', () => undefined);
      resolve(descriptor);
    });
    stream.once('error', reject);
  });
}

function written(stream: WriteStream | Gzip, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve())));
}

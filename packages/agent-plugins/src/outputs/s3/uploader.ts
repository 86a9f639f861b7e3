/**
 * Uploads of finished files, repeated until S3 has them. A file is removed after that and not before; one that is given up,
 * because the output stops or was told to try only so often, stays for the next start.
 */
import { stat } from 'node:fs/promises';
import { type LoopControl, optionError, type PluginContext, type PluginOptions } from '@shoal/agent-plugin-kit';
import { isMended, mendedName, wholeGzip } from './left-gzip.ts';
import type { S3Upload } from './s3-upload.ts';
import { UploadQueue } from './upload-queue.ts';
import type { FinishedFile } from './workspace.ts';
import { type LeftFile, leftFiles, releaseFolder, removeFolder } from './workspace-folder.ts';

/** Files that a crash left and that are uploaded at once: new ones come first. */
const RESTORING_MAX = 2;

export class Uploader {
  private readonly upload: S3Upload;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: LoopControl;
  private readonly queue: UploadQueue<FinishedFile>;
  private readonly repeatsMax: number;

  constructor(upload: S3Upload, options: PluginOptions, context: PluginContext, control: LoopControl) {
    this.upload = upload;
    this.options = options;
    this.context = context;
    this.control = control;
    const workers = countOf(options, 'upload_workers_count', 1);
    const waiting = countOf(options, 'upload_queue_size', 0);
    this.queue = new UploadQueue(workers, waiting, (file) => this.deliver(file));
    this.repeatsMax = options.has('retry_count') ? options.number('retry_count') : Number.POSITIVE_INFINITY;
  }

  /** Resolves when there is room for the file. */
  add(file: FinishedFile): Promise<void> {
    return this.queue.add(file);
  }

  drained(): Promise<void> {
    return this.queue.drained();
  }

  /** Uploads what is left in the folder of what was for this bucket. Never rejects. */
  async restore(root: string): Promise<void> {
    const bucket = this.options.string('bucket');
    const queue = new UploadQueue<FinishedFile>(RESTORING_MAX, 0, (file) => this.deliver(file));
    try {
      const left = await leftFiles(root, bucket);
      const paths = new Set(left.map(({ path }) => path));
      for (const file of left) {
        // The broken form of a file waits for its mended one to be found through it.
        if (isMended(file.path) && paths.has(brokenName(file.path))) continue;
        const found = this.control.isStopped ? null : await this.usable(file);
        if (found !== null) await queue.add({ ...found, folder: file.folder, bucket });
      }
    } catch (error) {
      const about = { plugin: this.context.pluginId, folder: root, error: String(error) };
      this.context.runtime.log.error('files that were left for S3 cannot all be found', about);
    }
    await queue.drained();
  }

  private async usable(file: LeftFile): Promise<{ readonly path: string; readonly key: string } | null> {
    const { path, key } = file;
    if ((await stat(path)).size === 0) {
      await removeFolder(file.folder);
      return null;
    }
    if (!path.endsWith('.gz')) return { path, key };
    // The note of the folder names the object of the broken file.
    if (isMended(path)) return { path, key: isMended(key) ? key : mendedName(key) };
    const whole = await wholeGzip({ path, key });
    if (whole === null) this.context.runtime.log.warn('nothing can be read of a file that was left for S3', { path });
    return whole;
  }

  private async deliver(file: FinishedFile): Promise<void> {
    const { runtime, metrics, pluginId: plugin } = this.context;
    const { bucket, key, path, folder } = file;
    for (let repeats = 0; ; repeats++) {
      try {
        await this.upload.putFile({ bucket, key }, path);
        metrics.increment('uploads');
        break;
      } catch (error) {
        const about = { plugin, bucket, key, path, error: String(error) };
        if ((error as { readonly code?: unknown }).code === 'ENOENT') {
          metrics.increment('dropped');
          runtime.log.error('a file for S3 is gone', about);
          return;
        }
        if (repeats >= this.repeatsMax || this.control.isStopped) {
          runtime.log.error('a file is not uploaded to S3: it stays until the next start', about);
          await releaseFolder(folder, { bucket, key }).catch(() => undefined);
          return;
        }
        metrics.increment('retries');
        runtime.log.warn('a file cannot be uploaded to S3 and is tried again', about);
        await this.control.pause(this.options.number('retry_delay') * 1000);
      }
    }
    await removeFolder(folder).catch((error) =>
      runtime.log.error('a file that S3 has cannot be removed: it is uploaded again at the next start', {
        plugin,
        path,
        error: String(error),
      }),
    );
  }
}

function brokenName(mended: string): string {
  return mended.replace(/-recovered(\.txt\.gz)$/, '$1');
}

function countOf(options: PluginOptions, name: string, least: number): number {
  const count = options.number(name);
  if (!Number.isInteger(count) || count < least) throw optionError(`[${name}] must be a number from ${least}`);
  return count;
}

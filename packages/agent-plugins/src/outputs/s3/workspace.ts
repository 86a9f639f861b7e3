/**
 * The files that gather events, one a prefix, until each is full or old enough to be uploaded.
 */
import type { PluginContext, PluginOptions } from '@shoal/agent-plugin-kit';
import { objectKey, objectName } from './object-name.ts';
import { type RotationLimits, rotationLimits } from './rotation-limits.ts';
import { WorkspaceFile } from './workspace-file.ts';
import { makeFolder, releaseFolder, removeFolder } from './workspace-folder.ts';

/** With more prefixes at once the file that was not written to for longest is uploaded early. */
const OPEN_FILES_MAX = 500;
/** Prefixes whose parts are counted; the least recent begins anew. */
const COUNTED_PREFIXES_MAX = 10_000;

/** A file that nothing is written to any more. */
export interface FinishedFile {
  readonly bucket: string;
  readonly key: string;
  readonly folder: string;
  readonly path: string;
}

export class Workspace {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly limits: RotationLimits;
  private readonly files = new Map<string, WorkspaceFile>();
  private readonly partCounts = new Map<string, number>();

  /** @throws ShoalError for options that never end a file */
  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.limits = rotationLimits(options);
  }

  /**
   * A write that may be tried again until it succeeds: what it did already is not done twice. It answers the file that had
   * to make room, if any.
   */
  writing(prefix: string, bytes: Uint8Array): (nowMs: number) => Promise<FinishedFile | null> {
    let evicted: FinishedFile | null = null;
    let file: WorkspaceFile | null = null;
    let encoded: Uint8Array | null = null;
    return async (nowMs) => {
      evicted ??= await this.makeRoom(prefix);
      file ??= this.files.get(prefix) ?? (await this.create(prefix, nowMs));
      encoded ??= await file.encoded(bytes);
      await file.write(encoded, nowMs);
      return evicted;
    };
  }

  /** The file of the prefix when it is due, which then begins another one. */
  async takeFull(prefix: string, nowMs: number): Promise<FinishedFile | null> {
    const file = this.files.get(prefix);
    return file !== undefined && this.isDue(file, nowMs) ? this.take(prefix, file) : null;
  }

  /** All files that are due. */
  async takeOld(nowMs: number): Promise<readonly FinishedFile[]> {
    return this.takeEach([...this.files].filter(([, file]) => this.isDue(file, nowMs)));
  }

  takeAll(): Promise<readonly FinishedFile[]> {
    return this.takeEach([...this.files]);
  }

  private async takeEach(files: readonly (readonly [string, WorkspaceFile])[]): Promise<readonly FinishedFile[]> {
    const taken: FinishedFile[] = [];
    for (const [prefix, file] of files) {
      const finished = await this.take(prefix, file);
      if (finished !== null) taken.push(finished);
    }
    return taken;
  }

  private isDue({ size, createdMs }: WorkspaceFile, nowMs: number): boolean {
    return size > 0 && (size >= this.limits.bytes || nowMs - createdMs >= this.limits.ageMs);
  }

  private async makeRoom(prefix: string): Promise<FinishedFile | null> {
    if (this.files.size < OPEN_FILES_MAX || this.files.has(prefix)) return null;
    const [oldest] = [...this.files].sort(([, a], [, b]) => a.writtenMs - b.writtenMs);
    return oldest === undefined ? null : this.take(...oldest);
  }

  /** null when it could not be brought to its end: then it is left as a crash would leave it. */
  private async take(prefix: string, file: WorkspaceFile): Promise<FinishedFile | null> {
    this.files.delete(prefix);
    const { bucket, key, folder, path } = file;
    try {
      await file.write(await file.ending(), file.writtenMs);
      await file.close();
      return { bucket, key, folder, path };
    } catch (error) {
      this.context.runtime.log.error('a file for S3 cannot be closed: it stays until the next start', {
        path,
        error: String(error),
      });
      await file.close().catch(() => undefined);
      await releaseFolder(folder, file).catch(() => undefined);
      return null;
    }
  }

  private async create(prefix: string, nowMs: number): Promise<WorkspaceFile> {
    const { options, context } = this;
    const { random } = context.runtime;
    const part = this.partCounts.get(prefix) ?? 0;
    const isGzip = options.string('encoding') === 'gzip';
    const name = objectName(random, { tags: options.strings('tags'), part, isGzip, nowMs });
    const bucket = options.string('bucket');
    const key = objectKey(prefix, name);
    const made = await makeFolder(random, options.string('temporary_directory'), { bucket, key });
    try {
      const file = await WorkspaceFile.create({ bucket, key, ...made, nowMs, isGzip });
      this.files.set(prefix, file);
      this.countPart(prefix, part + 1);
      return file;
    } catch (error) {
      await removeFolder(made.folder).catch(() => undefined);
      throw error;
    }
  }

  private countPart(prefix: string, count: number): void {
    this.partCounts.delete(prefix);
    this.partCounts.set(prefix, count);
    const [oldest] = this.partCounts.keys();
    if (this.partCounts.size > COUNTED_PREFIXES_MAX && oldest !== undefined) this.partCounts.delete(oldest);
  }
}

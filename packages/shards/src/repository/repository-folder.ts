/**
 * Files of a repository of type `fs`:
 *
 * - `index-N`: the snapshots that there are; the highest N counts (`repository-index.ts`)
 * - `snap-UUID`, `meta-UUID`: a snapshot, and the metadata that it carries
 * - `indices/ID/SHARD/`: a manifest a snapshot, and blobs named by what is in them
 *
 * A snapshot is there when the index names it, which happens last; whatever is not named is garbage of something that never ended.
 */
import { repositoryException } from '@shoal/cluster';
import { ANY_TOKENS, isMalformedMessage, parseJson, ShoalError, writeJson } from '@shoal/core';
import { openContent, replaceFile, sealContent } from '@shoal/engine';
import { readSnapshotInfo, type SnapshotInfo, writeSnapshotInfo } from '@shoal/protocol';
import { type Disk, DiskError, finalSyncDir } from '@shoal/runtime';
import { EMPTY_INDEX, type RepositoryIndex, readRepositoryIndex, writeRepositoryIndex } from './repository-index.ts';
import { readSnapshotMetadata, type SnapshotMetadata, writeSnapshotMetadata } from './snapshot-metadata.ts';

const VERSION = 1;
const INDEX_MAGIC = 'SHOALREPOSITORY';
const INFO_MAGIC = 'SHOALSNAPSHOT';
const METADATA_MAGIC = 'SHOALSNAPSHOTMETA';
/** Largest file that is read whole. */
const FILE_BYTES_MAX = 512 * 1024 * 1024;
/** Looks for the newest index while another cluster replaces it. */
const ATTEMPTS_MAX = 5;

export class RepositoryFolder {
  readonly disk: Disk;
  readonly name: string;
  readonly path: string;

  /** @param name of the repository, for errors */
  constructor(disk: Disk, name: string, path: string) {
    this.disk = disk;
    this.name = name;
    this.path = path;
  }

  indexFolder(id: string): string {
    return `${this.path}/indices/${id}`;
  }

  shardFolder(id: string, shard: number): string {
    return `${this.indexFolder(id)}/${shard}`;
  }

  /** Names in a folder of the repository; none when it is missing. */
  async list(folder: string = this.path): Promise<readonly string[]> {
    try {
      return await this.disk.list(folder);
    } catch (error) {
      if (error instanceof DiskError && error.kind === 'notFound') return [];
      throw error;
    }
  }

  async readIndex(): Promise<RepositoryIndex> {
    for (let attempt = 1; ; attempt++) {
      const generation = newestGeneration(await this.list());
      if (generation === 0) return EMPTY_INDEX;
      try {
        return readRepositoryIndex(await this.#read(`index-${generation}`, INDEX_MAGIC), generation);
      } catch (error) {
        const isReplaced = error instanceof DiskError && error.kind === 'notFound' && attempt < ATTEMPTS_MAX;
        if (!isReplaced) throw this.#unreadable(error);
      }
    }
  }

  /**
   * Makes `next` what counts.
   *
   * @throws repository_exception when the newest index is not the one that `next` was made from: another cluster writes here too
   */
  async writeIndex(next: RepositoryIndex): Promise<void> {
    const { generation } = next;
    const newest = newestGeneration(await this.list());
    if (newest !== generation) {
      throw repositoryException(
        this.name,
        `concurrent modification of the index-N file, expected current generation [${generation}], actual current generation [${newest}] - possibly due to simultaneous snapshot writes or deletions`,
      );
    }
    await this.#write(`index-${generation + 1}`, INDEX_MAGIC, writeRepositoryIndex(next));
    if (generation > 0) await this.disk.unlink(`${this.path}/index-${generation}`);
  }

  async readInfo(uuid: string): Promise<SnapshotInfo> {
    try {
      return readSnapshotInfo(await this.#read(`snap-${uuid}`, INFO_MAGIC), 'snapshot');
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  writeInfo(info: SnapshotInfo): Promise<void> {
    return this.#write(`snap-${info.uuid}`, INFO_MAGIC, writeSnapshotInfo(info));
  }

  async readMetadata(uuid: string): Promise<SnapshotMetadata> {
    try {
      return readSnapshotMetadata(await this.#read(`meta-${uuid}`, METADATA_MAGIC));
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  writeMetadata(uuid: string, metadata: SnapshotMetadata): Promise<void> {
    return this.#write(`meta-${uuid}`, METADATA_MAGIC, writeSnapshotMetadata(metadata));
  }

  async #read(name: string, magic: string): Promise<unknown> {
    const path = `${this.path}/${name}`;
    const { sizeBytes } = await this.disk.stat(path);
    if (sizeBytes > FILE_BYTES_MAX) throw corrupt(path, `it has [${sizeBytes}] bytes`);
    const source = openContent(magic, VERSION, path, await this.disk.readFile(path));
    return parseJson(source.bytes, ANY_TOKENS);
  }

  async #write(name: string, magic: string, value: Record<string, unknown>): Promise<void> {
    if (!(await this.disk.exists(this.path))) {
      await this.disk.mkdir(this.path);
      await finalSyncDir(this.disk, this.path);
    }
    await replaceFile(this.disk, this.path, name, sealContent(magic, VERSION, writeJson(value)));
  }

  /** What was written by this program and cannot be read is damaged, not a bad request. */
  #unreadable(error: unknown): unknown {
    if (!(error instanceof DiskError) && !isMalformedMessage(error)) return error;
    return repositoryException(this.name, `could not read repository data: ${(error as Error).message}`);
  }
}

/** 0: none. */
function newestGeneration(names: readonly string[]): number {
  return names.reduce((newest, name) => {
    const match = /^index-(\d{1,15})$/.exec(name);
    return match === null ? newest : Math.max(newest, Number(match[1]));
  }, 0);
}

function corrupt(path: string, why: string): ShoalError {
  return new ShoalError('corrupt_index_exception', 500, `file [${path}] is damaged: ${why}`);
}

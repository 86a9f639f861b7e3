/**
 * Removes what no snapshot of a repository needs: of deleted snapshots, and of those that never ended.
 *
 * Only while nothing is being copied into the repository, since blobs are there before the manifest that names them; and only
 * files that this program names so.
 */
import { isBlobName, manifestName, readManifest, snapshotOfManifest } from '@shoal/engine';
import { DiskError } from '@shoal/runtime';
import type { RepositoryFolder } from './repository-folder.ts';
import type { RepositoryIndex } from './repository-index.ts';

export interface SweptFiles {
  readonly count: number;
  readonly bytes: number;
}

const SNAPSHOT_FILE = /^(?:snap|meta)-([A-Za-z0-9_-]{1,64})$/;
/** Replaced indices, checks that were cut off, and files that were never renamed into place. */
const REST = /^(?:index-\d{1,15}|(?:index|snap|meta)-[A-Za-z0-9_-]{1,64}\.tmp)$/;
const CHECK_FOLDER = /^tests-[A-Za-z0-9_-]{1,64}$/;
const SHARD = /^\d{1,4}$/;
const UNFINISHED = /^(?:tmp-[A-Za-z0-9_-]{1,80}|snap-[A-Za-z0-9_-]{1,64}\.tmp)$/;

export class RepositorySweep {
  readonly #folder: RepositoryFolder;
  readonly #index: RepositoryIndex;
  #count = 0;
  #bytes = 0;

  /** @param index as it stands in the repository */
  constructor(folder: RepositoryFolder, index: RepositoryIndex) {
    this.#folder = folder;
    this.#index = index;
  }

  /** Looks through the whole repository. */
  async all(): Promise<SweptFiles> {
    await this.#root();
    for (const id of await this.#folder.list(`${this.#folder.path}/indices`)) await this.indexFolder(id);
    return this.swept;
  }

  get swept(): SweptFiles {
    return { count: this.#count, bytes: this.#bytes };
  }

  /** The files of snapshots that are gone. */
  async snapshots(uuids: Iterable<string>): Promise<void> {
    for (const uuid of uuids) {
      for (const name of [`snap-${uuid}`, `meta-${uuid}`]) await this.#remove(`${this.#folder.path}/${name}`);
    }
  }

  /** The folder of one index, with all of its shards. */
  async indexFolder(id: string): Promise<void> {
    const path = this.#folder.indexFolder(id);
    const snapshots = this.#index.indices.find((index) => index.id === id)?.snapshots ?? [];
    for (const shard of await this.#folder.list(path)) {
      if (SHARD.test(shard)) await this.#shard(`${path}/${shard}`, snapshots);
    }
    if (snapshots.length === 0) await this.#folder.disk.removeTree(path);
  }

  async #root(): Promise<void> {
    const { disk, path } = this.#folder;
    const known = new Set(this.#index.snapshots.map(({ uuid }) => uuid));
    for (const name of await this.#folder.list()) {
      const uuid = SNAPSHOT_FILE.exec(name)?.[1];
      const isGarbage = uuid === undefined ? REST.test(name) : !known.has(uuid);
      if (isGarbage && name !== `index-${this.#index.generation}`) await this.#remove(`${path}/${name}`);
      if (CHECK_FOLDER.test(name)) await disk.removeTree(`${path}/${name}`);
    }
  }

  async #shard(folder: string, snapshots: readonly string[]): Promise<void> {
    const { disk } = this.#folder;
    const needed = new Set<string>();
    for (const uuid of snapshots) {
      const manifest = await readManifest(disk, folder, uuid);
      for (const { blob } of manifest?.files ?? []) needed.add(blob);
      needed.add(manifestName(uuid));
    }
    for (const name of await this.#folder.list(folder)) {
      const isOurs = isBlobName(name) || snapshotOfManifest(name) !== null || UNFINISHED.test(name);
      if (isOurs && !needed.has(name)) await this.#remove(`${folder}/${name}`);
    }
  }

  async #remove(path: string): Promise<void> {
    const { disk } = this.#folder;
    try {
      const { sizeBytes } = await disk.stat(path);
      await disk.unlink(path);
      this.#count++;
      this.#bytes += sizeBytes;
    } catch (error) {
      if (!(error instanceof DiskError) || error.kind !== 'notFound') throw error;
    }
  }
}

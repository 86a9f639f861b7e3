/**
 * Where the shards of a node lie: `<data>/indices/<index uuid>/<shard number>/`.
 *
 * Folders are named by uuid, never by the name of the index: an index deleted and made again under the same name is
 * another index.
 */
import { type Disk, DiskError } from '@shoal/runtime';

export interface ShardFolder {
  readonly indexUuid: string;
  readonly shard: number;
  readonly path: string;
}

export class ShardFolders {
  readonly #disk: Disk;
  readonly #root: string;

  /** @param dataPath folder of the node, relative to the disk's root */
  constructor(disk: Disk, dataPath: string) {
    this.#disk = disk;
    this.#root = `${dataPath}/indices`;
  }

  ofIndex(indexUuid: string): string {
    return `${this.#root}/${indexUuid}`;
  }

  ofShard(indexUuid: string, shard: number): string {
    return `${this.#root}/${indexUuid}/${shard}`;
  }

  /** Index uuids that have a folder. */
  async listIndices(): Promise<readonly string[]> {
    return listOrNone(this.#disk, this.#root);
  }

  async listShards(indexUuid: string): Promise<readonly ShardFolder[]> {
    const names = await listOrNone(this.#disk, this.ofIndex(indexUuid));
    return names
      .filter((name) => /^\d{1,4}$/.test(name))
      .map((name) => ({ indexUuid, shard: Number(name), path: this.ofShard(indexUuid, Number(name)) }));
  }

  async removeShard({ indexUuid, shard }: Pick<ShardFolder, 'indexUuid' | 'shard'>): Promise<void> {
    await this.#disk.removeTree(this.ofShard(indexUuid, shard));
    await this.#disk.syncDir(this.ofIndex(indexUuid));
  }

  async removeIndex(indexUuid: string): Promise<void> {
    await this.#disk.removeTree(this.ofIndex(indexUuid));
    await this.#disk.syncDir(this.#root);
  }
}

async function listOrNone(disk: Disk, path: string): Promise<readonly string[]> {
  try {
    return await disk.list(path);
  } catch (error) {
    if (error instanceof DiskError && error.kind === 'notFound') return [];
    throw error;
  }
}

/**
 * Sections of segments that are in memory: read when they are first asked for, dropped when room is needed for others.
 *
 * Sections are taken and dropped in groups that are used together. In JavaScript's memory a group may be dropped at any time:
 * who uses it keeps what he was given. In the kernels' memory what is dropped is overwritten, and so never while a kernel
 * holds it, nor while a request that was given a view of it runs.
 */
import type { KernelMemory } from './kernel-memory.ts';

/** Loaded group of sections, as the cache sees it. */
export interface Droppable {
  /** Asked for since the cache last looked. */
  wasUsed: boolean;
  readonly loadedBytes: number;
  readonly isInUse: boolean;
  drop(): void;
}

/** All loaded groups of one memory. */
export class SectionCache {
  readonly kernels: KernelMemory | null;
  /** In JavaScript's memory; what stands in the kernels' is counted there. */
  plainBytes = 0;
  private letGoBytes = 0;
  private readonly makesRoom: (bytes: number) => boolean;
  /** Least recently used first, but for those that were used since they were put here. */
  private readonly loaded = new Set<Droppable>();

  /** `makesRoom`: drops what it can, by `dropOne`, until so many more bytes are within the limit; false when they are not. */
  constructor(kernels: KernelMemory | null, makesRoom: (bytes: number) => boolean) {
    this.kernels = kernels;
    this.makesRoom = makesRoom;
  }

  /** A running search goes on without room too: it is taken nevertheless, and given back first. */
  makeRoom(bytes: number): boolean {
    return this.makesRoom(bytes);
  }

  /** So many bytes of JavaScript's memory were dropped. */
  letGo(bytes: number): void {
    this.plainBytes -= bytes;
    this.letGoBytes += bytes;
  }

  /** What was dropped since the last call. */
  takeLetGo(): number {
    const bytes = this.letGoBytes;
    this.letGoBytes = 0;
    return bytes;
  }

  add(group: Droppable): void {
    this.loaded.add(group);
  }

  forget(group: Droppable): void {
    this.loaded.delete(group);
  }

  /** Drops a group that was not used of late; false when none can be. */
  dropOne(): boolean {
    // Everybody gets one more chance; in the second round nobody was used since.
    for (let looked = this.loaded.size * 2; looked > 0; looked--) {
      const [group] = this.loaded;
      if (group === undefined) return false;
      this.loaded.delete(group);
      if (!group.wasUsed && !group.isInUse) {
        group.drop();
        return true;
      }
      group.wasUsed = false;
      this.loaded.add(group);
    }
    return false;
  }
}

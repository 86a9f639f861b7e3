/**
 * Sections of segments that are in memory: read when they are first asked for, dropped when room is needed for others.
 *
 * Sections are taken and dropped in groups that are used together. In JavaScript's memory a group may be dropped at any time:
 * who uses it keeps what he was given. In the kernels' memory what is dropped is overwritten, and so never while a kernel
 * holds it, nor while a request that was given a view of it runs.
 */
import { assert } from '@shoal/core';
import type { KernelMemory } from './kernel-memory.ts';

/** Loaded group of sections, as the cache sees it. */
export interface Droppable {
  /** CLOCK reference bit: set on use, cleared when eviction passes over the group. */
  wasUsed: boolean;
  readonly loadedBytes: number;
  readonly isInUse: boolean;
  drop(): void;
}

/** All loaded groups of one memory. */
export class SectionCache {
  readonly kernels: KernelMemory | null;
  /** Loaded bytes in JavaScript's memory; those in kernel memory are counted there. */
  plainBytes = 0;
  private releasedBytes = 0;
  private readonly makesRoom: (bytes: number) => boolean;
  /** Loaded groups in the order in which eviction visits them. */
  private readonly loaded = new Set<Droppable>();

  /** `makesRoom`: drops what it can, by `dropOne`, until so many more bytes are within the limit; false when they are not. */
  constructor(kernels: KernelMemory | null, makesRoom: (bytes: number) => boolean) {
    this.kernels = kernels;
    this.makesRoom = makesRoom;
  }

  /** Makes room for `bytes` where it can. A running search loads without room too; what it loads is evicted first. */
  makeRoom(bytes: number): boolean {
    return this.makesRoom(bytes);
  }

  /** Counts bytes of JavaScript's memory that were evicted. */
  noteReleased(bytes: number): void {
    this.plainBytes -= bytes;
    assert(this.plainBytes >= 0, `${this.plainBytes} bytes of sections are loaded`);
    this.releasedBytes += bytes;
  }

  /** Bytes evicted since the last call. */
  takeReleased(): number {
    const bytes = this.releasedBytes;
    this.releasedBytes = 0;
    return bytes;
  }

  add(group: Droppable): void {
    this.loaded.add(group);
  }

  forget(group: Droppable): void {
    this.loaded.delete(group);
  }

  /** Evicts one group that was not used lately; false when none can be. */
  dropOne(): boolean {
    // Each group gets one more round; in the second one none was used since.
    for (let looked = this.loaded.size * 2; looked > 0; looked--) {
      const [group] = this.loaded;
      if (group === undefined) return false;
      this.loaded.delete(group);
      if (!group.wasUsed && !group.isInUse) {
        group.drop();
        assert(group.loadedBytes === 0, `an evicted group holds ${group.loadedBytes} bytes`);
        return true;
      }
      group.wasUsed = false;
      this.loaded.add(group);
    }
    return false;
  }
}

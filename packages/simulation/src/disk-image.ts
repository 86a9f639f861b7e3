/**
 * What lies on the platters of one simulated machine: outlives its processes.
 *
 * Names (creations, renames, removals) live in a journal that `syncDir` writes; a crash keeps some beginning of the rest,
 * so that a rename is whole or not there.
 */
import { assert } from '@shoal/core';
import type { SectorContent } from './sector-content.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface DiskFaults {
  readonly capacityBytes: number;
  /** Probabilities of one operation failing with kind `io`. */
  readonly readErrors: number;
  readonly writeErrors: number;
  readonly syncErrors: number;
  /** Virtual time of an operation: uniform up to this, for syncs ten times as much. */
  readonly latencyMaxMs: number;
}

const HEALTHY_DISK: DiskFaults = {
  capacityBytes: 2 ** 40,
  readErrors: 0,
  writeErrors: 0,
  syncErrors: 0,
  latencyMaxMs: 0.2,
};

/** A folder, or a file's content. */
type Entry = SectorContent | 'folder';
type Entries = Map<string, Entry>;

interface NameChange {
  /** Folders whose listing it changes. */
  readonly folders: readonly string[];
  apply(entries: Entries): void;
}

/** Content of a disk at one moment, as programs saw it. It stays as it is, however often it is returned to. */
export interface SavedDisk {
  readonly entries: ReadonlyMap<string, Entry>;
}

export class DiskImage {
  readonly random: SeededRandom;
  faults: DiskFaults = HEALTHY_DISK;
  entries: Entries = new Map([['', 'folder']]);
  readonly locks: Set<string> = new Set();
  #durable: Entries = new Map([['', 'folder']]);
  #journal: NameChange[] = [];

  constructor(random: SeededRandom) {
    this.random = random;
  }

  change(folders: readonly string[], apply: (entries: Entries) => void): void {
    apply(this.entries);
    this.#journal.push({ folders, apply });
  }

  /** Everything up to the last change of that folder becomes durable, as in a journaled file system. */
  syncNames(folder: string): void {
    const count = this.#journal.findLastIndex((change) => change.folders.includes(folder)) + 1;
    for (const change of this.#journal.splice(0, count)) change.apply(this.#durable);
  }

  save(): SavedDisk {
    return { entries: copyOf(this.entries) };
  }

  /** All of it is durable then. Locks are of processes, and no process may have the disk open. */
  returnTo({ entries }: SavedDisk): void {
    assert(entries.get('') === 'folder', 'a saved disk has lost its root folder');
    this.entries = copyOf(entries);
    this.#durable = new Map(this.entries);
    this.#journal = [];
    this.locks.clear();
  }

  usedBytes(): number {
    let used = 0;
    for (const entry of this.entries.values()) if (entry !== 'folder') used += entry.sizeBytes;
    return used;
  }

  /** The machine fails: what is left is what the next process finds. */
  crash(): void {
    const survivors = this.random.below(this.#journal.length + 1);
    assert(this.#durable.get('') === 'folder', 'the durable image has lost its root folder');
    for (const change of this.#journal.slice(0, survivors)) change.apply(this.#durable);
    this.#journal = [];
    this.entries = new Map(this.#durable);
    for (const content of new Set(this.entries.values())) if (content !== 'folder') content.crash(this.random);
    this.locks.clear();
  }
}

/** A file that has two names keeps both. */
function copyOf(entries: ReadonlyMap<string, Entry>): Entries {
  const copies = new Map<SectorContent, SectorContent>();
  const copied = (content: SectorContent): SectorContent => {
    const known = copies.get(content) ?? content.copy();
    copies.set(content, known);
    return known;
  };
  return new Map([...entries].map(([path, entry]) => [path, entry === 'folder' ? entry : copied(entry)]));
}

/**
 * A disk for tests that forgets what was not synced, runs full, and fails syncs in every way.
 *
 * After `crash` the content of a file is what was synced plus any of the later writes, torn or not; a folder has what
 * `syncDir` made durable plus a prefix of the later changes. Writes that a failed sync covered are readable until the crash,
 * and gone after it, whatever later syncs say.
 */
import { type Disk, DiskError, type DiskErrorKind, type File, type FileStat, type OpenMode } from '@shoal/runtime';

type Random = () => number;

interface PendingWrite {
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Set for a truncation instead of a write. */
  readonly size: number | null;
}

class Inode {
  content: Uint8Array = new Uint8Array(0);
  durable: Uint8Array = new Uint8Array(0);
  pending: PendingWrite[] = [];

  apply(write: PendingWrite, to: Uint8Array): Uint8Array {
    if (write.size !== null) {
      const cut = new Uint8Array(write.size);
      cut.set(to.subarray(0, write.size));
      return cut;
    }
    const grown = new Uint8Array(Math.max(to.length, write.offset + write.bytes.length));
    grown.set(to);
    grown.set(write.bytes, write.offset);
    return grown;
  }
}

type EntryChange = (entries: Map<string, Inode>) => void;

function parent(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

export class CrashDisk implements Disk {
  capacityBytes = Number.POSITIVE_INFINITY;
  /** Failure that a sync of this file or folder meets; null when it works. */
  syncFailure: (path: string) => DiskErrorKind | null = () => null;
  /** Failure that writing to this file meets, after a part of the bytes was written; null when it works. */
  writeFailure: (path: string) => DiskErrorKind | null = () => null;
  /** Operations until the process dies; it never hears of what it asked then. */
  operationsLeft = Number.POSITIVE_INFINITY;
  isDead = false;
  /** Files that were opened and not closed. */
  openFiles = 0;
  private readonly deathListeners: (() => void)[] = [];
  readonly died: Promise<void>;
  private entries = new Map<string, Inode>();
  private durableEntries = new Map<string, Inode>();
  private readonly folders = new Set<string>(['']);
  private readonly changes = new Map<string, EntryChange[]>();

  constructor() {
    this.died = new Promise((resolve) => this.deathListeners.push(resolve));
  }

  /** The disk as the next process finds it. */
  crash(random: Random): CrashDisk {
    const next = new CrashDisk();
    for (const folder of this.folders) next.folders.add(folder);
    const entries = new Map(this.durableEntries);
    for (const changes of this.changes.values()) {
      const kept = Math.floor(random() * (changes.length + 1));
      for (const change of changes.slice(0, kept)) change(entries);
    }
    for (const [path, inode] of entries) {
      let content = inode.durable;
      for (const write of inode.pending) {
        const dice = random();
        if (dice < 0.4) continue;
        const bytes = dice < 0.6 ? write.bytes.subarray(0, Math.floor(random() * write.bytes.length)) : write.bytes;
        content = inode.apply({ ...write, bytes }, content);
      }
      const copy = new Inode();
      copy.content = content.slice();
      copy.durable = content.slice();
      next.entries.set(path, copy);
      next.durableEntries.set(path, copy);
      // A file whose removal did not last is in its folder, whatever became of that.
      for (let at = parent(path); at !== ''; at = parent(at)) next.folders.add(at);
    }
    return next;
  }

  private async step(): Promise<void> {
    if (this.operationsLeft-- <= 0) {
      this.isDead = true;
      for (const listener of this.deathListeners) listener();
    }
    if (this.isDead) await new Promise<never>(() => {});
    await Promise.resolve();
  }

  private change(folder: string, change: EntryChange): void {
    change(this.entries);
    this.changes.set(folder, [...(this.changes.get(folder) ?? []), change]);
  }

  get usedBytes(): number {
    let sum = 0;
    for (const inode of this.entries.values()) sum += inode.content.length;
    return sum;
  }

  write(path: string, inode: Inode, write: PendingWrite): void {
    const grown = write.size === null ? write.offset + write.bytes.length - inode.content.length : 0;
    if (grown > 0 && this.usedBytes + grown > this.capacityBytes) {
      throw new DiskError('full', path, `${path}: no space left on device`);
    }
    inode.content = inode.apply(write, inode.content);
    inode.pending.push(write);
  }

  async open(path: string, mode: OpenMode): Promise<File> {
    await this.step();
    let inode = this.entries.get(path);
    if (inode === undefined) {
      if (mode === 'read' || mode === 'update') throw new DiskError('notFound', path, `${path}: not found`);
      if (!this.folders.has(parent(path))) throw new DiskError('notFound', path, `${path}: no such folder`);
      const made = new Inode();
      inode = made;
      this.change(parent(path), (entries) => entries.set(path, made));
    } else if (mode === 'create') {
      this.write(path, inode, { offset: 0, bytes: new Uint8Array(0), size: 0 });
    }
    return this.file(path, inode);
  }

  private failSync(path: string): void {
    const kind = this.syncFailure(path);
    if (kind !== null) throw new DiskError(kind, path, `${path}: a sync fails as ${kind}`);
  }

  private file(path: string, inode: Inode): File {
    let isOpen = true;
    this.openFiles++;
    return {
      write: async (bytes, offset) => {
        await this.step();
        const failure = this.writeFailure(path);
        if (failure !== null) {
          this.write(path, inode, { offset, bytes: bytes.slice(0, bytes.length >>> 1), size: null });
          throw new DiskError(failure, path, `${path}: a write fails as ${failure}`);
        }
        this.write(path, inode, { offset, bytes: bytes.slice(), size: null });
      },
      read: async (offset, count) => inode.content.slice(offset, offset + count),
      readIntoSync: (target, offset) => {
        const part = inode.content.subarray(offset, offset + target.length);
        target.set(part);
        return part.length;
      },
      writeSync: (bytes, offset) => this.write(path, inode, { offset, bytes: bytes.slice(), size: null }),
      sync: async () => {
        const writes = [...inode.pending];
        await this.step();
        // Also after a failure: the kernel calls the pages clean then, and no later sync writes them.
        inode.pending = inode.pending.filter((write) => !writes.includes(write));
        this.failSync(path);
        inode.durable = writes.reduce((durable, write) => inode.apply(write, durable), inode.durable);
      },
      truncate: async (size) => {
        await this.step();
        this.write(path, inode, { offset: 0, bytes: new Uint8Array(0), size });
      },
      sizeBytes: async () => inode.content.length,
      close: async () => {
        if (isOpen) this.openFiles--;
        isOpen = false;
      },
    };
  }

  async readFile(path: string): Promise<Uint8Array> {
    await this.step();
    const inode = this.entries.get(path);
    if (inode === undefined) throw new DiskError('notFound', path, `${path}: not found`);
    return inode.content.slice();
  }

  async mkdir(path: string): Promise<void> {
    await this.step();
    for (let at = path; at !== ''; at = parent(at)) this.folders.add(at);
  }

  async stat(path: string): Promise<FileStat> {
    return {
      sizeBytes: this.entries.get(path)?.content.length ?? 0,
      isDirectory: this.folders.has(path),
      modifiedMs: 0,
    };
  }

  async exists(path: string): Promise<boolean> {
    return this.entries.has(path) || this.folders.has(path);
  }

  async lock(): Promise<{ release(): Promise<void> }> {
    return { release: async () => {} };
  }

  async rename(from: string, to: string): Promise<void> {
    await this.step();
    const inode = this.entries.get(from);
    if (inode === undefined) throw new DiskError('notFound', from, `${from}: not found`);
    this.change(parent(to), (entries) => {
      entries.delete(from);
      entries.set(to, inode);
    });
  }

  async list(directory: string): Promise<readonly string[]> {
    return [...this.entries.keys()]
      .filter((path) => parent(path) === directory)
      .map((path) => path.slice(directory.length + 1))
      .sort();
  }

  async unlink(path: string): Promise<void> {
    await this.step();
    this.change(parent(path), (entries) => entries.delete(path));
  }

  async removeTree(path: string): Promise<void> {
    await this.step();
    for (const name of [...this.entries.keys()]) {
      if (name.startsWith(`${path}/`)) this.change(parent(name), (entries) => entries.delete(name));
    }
    for (const folder of [...this.folders])
      if (folder === path || folder.startsWith(`${path}/`)) this.folders.delete(folder);
  }

  async syncDir(directory: string): Promise<void> {
    await this.step();
    this.failSync(directory);
    for (const change of this.changes.get(directory) ?? []) change(this.durableEntries);
    this.changes.delete(directory);
  }

  async space(): Promise<{ readonly totalBytes: number; readonly freeBytes: number }> {
    const totalBytes = Math.min(this.capacityBytes, 2 ** 40);
    return { totalBytes, freeBytes: Math.max(0, totalBytes - this.usedBytes) };
  }

  /** Flips one bit of a file. */
  damage(path: string, bit: number): void {
    const inode = this.entries.get(path);
    if (inode === undefined) throw new Error(`no file ${path}`);
    const at = bit >>> 3;
    inode.content[at] = (inode.content[at] ?? 0) ^ (1 << (bit & 7));
    inode.durable = inode.content.slice();
  }

  paths(): readonly string[] {
    return [...this.entries.keys()].sort();
  }
}

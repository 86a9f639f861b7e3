/**
 * A disk in memory, for embedded nodes that keep nothing: same rules as the real one, no system calls.
 *
 * It lives in one thread, so nodes that use it run their workers inline. `sync` does nothing: what would be lost when a
 * machine fails is lost here with the process anyway. (Crashes with loss are the simulator's disk.)
 */

import { type Disk, DiskError, type DiskLock, type File, type FileStat } from '../interfaces/disk.ts';
import { normalizePath, parentPath } from './disk-path.ts';

const FIRST_CAPACITY_BYTES = 256;
/** Size of the disk as `space` reports it; nothing enforces it. */
const REPORTED_BYTES = 2 ** 40;

/** Files and folders below a path at one moment. They share their bytes with the disk until it writes to them. */
export interface DiskImage {
  /** By path below the path of the image; empty for the path itself. */
  readonly files: ReadonlyMap<string, Content>;
  readonly folders: readonly string[];
}

/** A disk whose content can be kept and put back at the cost of names. */
export interface MemoryDisk extends Disk {
  imageOf(path: string): DiskImage;
  /** Replaces what is at the path; null: by nothing. Files that are open stay what they were for those who have them open. */
  place(path: string, image: DiskImage | null): void;
  /** Names of the entries of a folder; none where there is no such folder. */
  entriesOf(path: string): readonly string[];
}

export function createMemoryDisk(): MemoryDisk {
  return new DiskOfMemory();
}

class Content {
  #bytes: Uint8Array = new Uint8Array(0);
  /** The bytes are those of another file too: copied before the next write. */
  #isShared = false;
  size = 0;

  /** A file of the same bytes, which costs nothing until one of the two is written to. */
  share(): Content {
    const other = new Content();
    other.#bytes = this.#bytes;
    other.size = this.size;
    other.#isShared = true;
    this.#isShared = true;
    return other;
  }

  write(bytes: Uint8Array, offset: number): void {
    const end = offset + bytes.byteLength;
    if (end > this.#bytes.byteLength) this.#grow(end);
    else this.#own();
    this.#bytes.set(bytes, offset);
    this.size = Math.max(this.size, end);
  }

  /** A copy: the caller may keep it while the file changes. */
  read(offset: number, count: number): Uint8Array {
    return this.#bytes.slice(Math.min(offset, this.size), Math.min(offset + count, this.size));
  }

  readInto(target: Uint8Array, offset: number): number {
    const from = Math.min(offset, this.size);
    const part = this.#bytes.subarray(from, Math.min(from + target.byteLength, this.size));
    target.set(part);
    return part.byteLength;
  }

  truncate(size: number): void {
    if (size > this.#bytes.byteLength) this.#grow(size);
    else this.#own();
    // Bytes cut off must read as zero when the file grows over them again.
    if (size < this.size) this.#bytes.fill(0, size, this.size);
    this.size = size;
  }

  #own(): void {
    if (this.#isShared) this.#bytes = this.#bytes.slice();
    this.#isShared = false;
  }

  #grow(capacity: number): void {
    const bigger = new Uint8Array(Math.max(capacity, this.#bytes.byteLength * 2, FIRST_CAPACITY_BYTES));
    bigger.set(this.#bytes.subarray(0, this.size));
    this.#bytes = bigger;
    this.#isShared = false;
  }
}

class DiskOfMemory implements MemoryDisk {
  readonly #files = new Map<string, Content>();
  readonly #folders = new Set<string>(['']);
  readonly #locks = new Set<string>();

  async open(path: string, mode: 'read' | 'update' | 'append' | 'create'): Promise<File> {
    const at = normalizePath(path);
    if (this.#folders.has(at)) throw new DiskError('io', path, `${path}: is a folder`);
    let content = this.#files.get(at);
    if (content === undefined) {
      if (mode === 'read' || mode === 'update' || !this.#folders.has(parentPath(at))) throw notFound(path);
      content = new Content();
      this.#files.set(at, content);
    } else if (mode === 'create') {
      content.truncate(0);
    }
    return new MemoryFile(path, content, mode !== 'read');
  }

  async readFile(path: string): Promise<Uint8Array> {
    const content = this.#files.get(normalizePath(path));
    if (content === undefined) throw notFound(path);
    return content.read(0, content.size);
  }

  async mkdir(path: string): Promise<void> {
    let at = normalizePath(path);
    while (!this.#folders.has(at)) {
      if (this.#files.has(at)) throw new DiskError('exists', path, `${path}: is a file`);
      this.#folders.add(at);
      at = parentPath(at);
    }
  }

  async stat(path: string): Promise<FileStat> {
    const at = normalizePath(path);
    const content = this.#files.get(at);
    if (content !== undefined) return { sizeBytes: content.size, isDirectory: false, modifiedMs: 0 };
    if (!this.#folders.has(at)) throw notFound(path);
    return { sizeBytes: 0, isDirectory: true, modifiedMs: 0 };
  }

  async exists(path: string): Promise<boolean> {
    const at = normalizePath(path);
    return this.#files.has(at) || this.#folders.has(at);
  }

  async lock(path: string): Promise<DiskLock> {
    const at = normalizePath(path);
    if (!this.#folders.has(parentPath(at))) throw notFound(path);
    if (this.#locks.has(at)) throw new DiskError('locked', path, `${path}: held by this process`);
    this.#locks.add(at);
    let isHeld = true;
    return {
      release: async () => {
        if (isHeld) this.#locks.delete(at);
        isHeld = false;
      },
    };
  }

  async rename(from: string, to: string): Promise<void> {
    const source = normalizePath(from);
    const target = normalizePath(to);
    if (!this.#folders.has(parentPath(target))) throw notFound(to);
    const content = this.#files.get(source);
    if (content !== undefined) {
      if (this.#folders.has(target)) throw new DiskError('io', to, `${to}: is a folder`);
      this.#files.delete(source);
      this.#files.set(target, content);
      return;
    }
    if (!this.#folders.has(source)) throw notFound(from);
    this.#renameFolder(source, target, to);
  }

  #renameFolder(source: string, target: string, shown: string): void {
    if (source === target) return;
    if (this.#files.has(target) || this.#childrenOf(target).length > 0) {
      throw new DiskError('exists', shown, `${shown}: exists`);
    }
    if (target.startsWith(`${source}/`)) throw new DiskError('io', shown, `${shown}: is inside the renamed folder`);
    const moved = (path: string): string => target + path.slice(source.length);
    const isInside = (path: string): boolean => path === source || path.startsWith(`${source}/`);
    for (const folder of [...this.#folders].filter(isInside)) {
      this.#folders.delete(folder);
      this.#folders.add(moved(folder));
    }
    for (const [path, content] of [...this.#files].filter(([file]) => isInside(file))) {
      this.#files.delete(path);
      this.#files.set(moved(path), content);
    }
  }

  async list(directory: string): Promise<readonly string[]> {
    const at = normalizePath(directory);
    if (!this.#folders.has(at)) throw notFound(directory);
    return this.#childrenOf(at);
  }

  #childrenOf(folder: string): string[] {
    const names: string[] = [];
    for (const path of [...this.#files.keys(), ...this.#folders]) {
      if (path !== '' && parentPath(path) === folder) names.push(path.slice(path.lastIndexOf('/') + 1));
    }
    return names.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }

  async unlink(path: string): Promise<void> {
    if (!this.#files.delete(normalizePath(path))) throw notFound(path);
  }

  imageOf(path: string): DiskImage {
    const at = normalizePath(path);
    const below = ([other]: readonly [string, unknown]): boolean => isBelow(other, at);
    const named = (other: string): string => other.slice(at.length);
    const files = [...this.#files].filter(below).map(([other, content]) => [named(other), content.share()] as const);
    return { files: new Map(files), folders: [...this.#folders].filter((other) => isBelow(other, at)).map(named) };
  }

  place(path: string, image: DiskImage | null): void {
    const at = normalizePath(path);
    this.#remove(at);
    if (image === null) return;
    for (let parent = parentPath(at); !this.#folders.has(parent); parent = parentPath(parent))
      this.#folders.add(parent);
    for (const folder of image.folders) this.#folders.add(at + folder);
    for (const [name, content] of image.files) this.#files.set(at + name, content.share());
  }

  entriesOf(path: string): readonly string[] {
    return this.#childrenOf(normalizePath(path));
  }

  async removeTree(path: string): Promise<void> {
    this.#remove(normalizePath(path));
  }

  #remove(at: string): void {
    const isInside = (other: string): boolean => at === '' || isBelow(other, at);
    for (const file of [...this.#files.keys()].filter(isInside)) this.#files.delete(file);
    for (const folder of [...this.#folders].filter(isInside)) if (folder !== '') this.#folders.delete(folder);
  }

  async syncDir(directory: string): Promise<void> {
    if (!this.#folders.has(normalizePath(directory))) throw notFound(directory);
  }

  async space(): Promise<{ readonly totalBytes: number; readonly freeBytes: number }> {
    let used = 0;
    for (const content of this.#files.values()) used += content.size;
    return { totalBytes: REPORTED_BYTES, freeBytes: Math.max(0, REPORTED_BYTES - used) };
  }
}

class MemoryFile implements File {
  readonly #path: string;
  readonly #content: Content;
  readonly #isWritable: boolean;
  #isClosed = false;

  constructor(path: string, content: Content, isWritable: boolean) {
    this.#path = path;
    this.#content = content;
    this.#isWritable = isWritable;
  }

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    this.writeSync(bytes, offset);
  }

  async read(offset: number, count: number): Promise<Uint8Array> {
    return this.#open().read(offset, count);
  }

  readIntoSync(target: Uint8Array, offset: number): number {
    return this.#open().readInto(target, offset);
  }

  writeSync(bytes: Uint8Array, offset: number): void {
    this.#writable().write(bytes, offset);
  }

  async sync(): Promise<void> {
    this.#open();
  }

  async truncate(sizeBytes: number): Promise<void> {
    this.#writable().truncate(sizeBytes);
  }

  async sizeBytes(): Promise<number> {
    return this.#open().size;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #open(): Content {
    if (this.#isClosed) throw new DiskError('io', this.#path, `${this.#path}: file is closed`);
    return this.#content;
  }

  #writable(): Content {
    if (!this.#isWritable) throw new DiskError('io', this.#path, `${this.#path}: opened for reading`);
    return this.#open();
  }
}

/** The path itself is below it too. */
function isBelow(other: string, path: string): boolean {
  return other === path || other.startsWith(`${path}/`);
}

function notFound(path: string): DiskError {
  return new DiskError('notFound', path, `${path}: no such file or folder`);
}

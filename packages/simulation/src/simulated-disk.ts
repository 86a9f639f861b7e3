/**
 * A disk that forgets: what was not synced when the machine fails is there in part, by 4 KiB sector, or not at all.
 *
 * After a failed sync the written sectors count as lost, as in a real page cache. The bytes of every write are part of the
 * run's trace hash.
 */
import {
  type Disk,
  DiskError,
  type DiskLock,
  type File,
  type FileStat,
  normalizePath,
  type OpenMode,
  parentPath,
} from '@shoal/runtime';
import type { DiskImage } from './disk-image.ts';
import { SectorContent } from './sector-content.ts';
import type { SimulatedProcess } from './simulated-process.ts';

const SYNC_LATENCY_FACTOR = 10;

export class SimulatedDisk implements Disk {
  readonly #image: DiskImage;
  readonly #process: SimulatedProcess;

  constructor(image: DiskImage, process: SimulatedProcess) {
    this.#image = image;
    this.#process = process;
  }

  open(path: string, mode: OpenMode): Promise<File> {
    return this.#do(`open ${path}`, () => {
      const at = normalizePath(path);
      const entry = this.#image.entries.get(at);
      if (entry === 'folder') throw new DiskError('io', path, `${path}: is a folder`);
      if (entry !== undefined) {
        if (mode === 'create') entry.truncate(0);
        return this.#file(path, entry, mode);
      }
      if (mode === 'read' || mode === 'update' || !this.#isFolder(parentPath(at))) throw notFound(path);
      const content = new SectorContent();
      this.#image.change([parentPath(at)], (entries) => entries.set(at, content));
      return this.#file(path, content, mode);
    });
  }

  readFile(path: string): Promise<Uint8Array> {
    return this.#do(`readFile ${path}`, () => {
      const content = this.#image.entries.get(normalizePath(path));
      if (content === undefined || content === 'folder') throw notFound(path);
      this.#mayFail(this.#image.faults.readErrors, path, 'read');
      return content.read(0, content.sizeBytes);
    });
  }

  mkdir(path: string): Promise<void> {
    return this.#do(`mkdir ${path}`, () => {
      const missing: string[] = [];
      for (let at = normalizePath(path); !this.#isFolder(at); at = parentPath(at)) {
        if (this.#image.entries.has(at)) throw new DiskError('exists', path, `${path}: is a file`);
        missing.unshift(at);
      }
      for (const at of missing) this.#image.change([parentPath(at)], (entries) => entries.set(at, 'folder'));
    });
  }

  stat(path: string): Promise<FileStat> {
    return this.#do(`stat ${path}`, () => {
      const entry = this.#image.entries.get(normalizePath(path));
      if (entry === undefined) throw notFound(path);
      const isDirectory = entry === 'folder';
      return { sizeBytes: isDirectory ? 0 : entry.sizeBytes, isDirectory, modifiedMs: 0 };
    });
  }

  exists(path: string): Promise<boolean> {
    return this.#do(`exists ${path}`, () => this.#image.entries.has(normalizePath(path)));
  }

  lock(path: string): Promise<DiskLock> {
    const { locks } = this.#image;
    return this.#do(`lock ${path}`, () => {
      const at = normalizePath(path);
      if (!this.#isFolder(parentPath(at))) throw notFound(path);
      if (locks.has(at)) throw new DiskError('locked', path, `${path}: is locked`);
      locks.add(at);
      let isHeld = true;
      return {
        release: () =>
          this.#do(`release ${path}`, () => {
            if (isHeld) locks.delete(at);
            isHeld = false;
          }),
      };
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#do(`rename ${from} ${to}`, () => {
      const [source, target] = [normalizePath(from), normalizePath(to)];
      const { entries } = this.#image;
      if (!entries.has(source)) throw notFound(from);
      if (!this.#isFolder(parentPath(target))) throw notFound(to);
      if (entries.get(source) === 'folder' && entries.has(target)) throw new DiskError('exists', to, `${to}: exists`);
      if (entries.get(target) === 'folder') throw new DiskError('io', to, `${to}: is a folder`);
      this.#image.change([parentPath(source), parentPath(target)], (all) => {
        for (const [path, entry] of [...all]) {
          if (!isInside(path, source)) continue;
          all.delete(path);
          all.set(target + path.slice(source.length), entry);
        }
      });
    });
  }

  list(directory: string): Promise<readonly string[]> {
    return this.#do(`list ${directory}`, () => {
      const at = normalizePath(directory);
      if (!this.#isFolder(at)) throw notFound(directory);
      const children = [...this.#image.entries.keys()].filter((path) => path !== '' && parentPath(path) === at);
      return children.map((path) => path.slice(path.lastIndexOf('/') + 1)).sort();
    });
  }

  unlink(path: string): Promise<void> {
    return this.#do(`unlink ${path}`, () => {
      const at = normalizePath(path);
      const entry = this.#image.entries.get(at);
      if (entry === undefined || entry === 'folder') throw notFound(path);
      this.#image.change([parentPath(at)], (entries) => entries.delete(at));
    });
  }

  removeTree(path: string): Promise<void> {
    return this.#do(`removeTree ${path}`, () => {
      const root = normalizePath(path);
      this.#image.change([parentPath(root)], (entries) => {
        for (const at of [...entries.keys()]) if (at !== '' && isInside(at, root)) entries.delete(at);
      });
    });
  }

  syncDir(directory: string): Promise<void> {
    return this.#do(
      `syncDir ${directory}`,
      () => {
        if (!this.#isFolder(normalizePath(directory))) throw notFound(directory);
        this.#mayFail(this.#image.faults.syncErrors, directory, 'sync');
        this.#image.syncNames(normalizePath(directory));
      },
      SYNC_LATENCY_FACTOR,
    );
  }

  space(): Promise<{ readonly totalBytes: number; readonly freeBytes: number }> {
    return this.#do('space', () => {
      const { capacityBytes } = this.#image.faults;
      return { totalBytes: capacityBytes, freeBytes: Math.max(0, capacityBytes - this.#image.usedBytes()) };
    });
  }

  #file(path: string, content: SectorContent, mode: OpenMode): File {
    let isOpen = true;
    const image = this.#image;
    const use = (forWriting: boolean): void => {
      if (!isOpen) throw new DiskError('io', path, `${path}: file is closed`);
      if (forWriting && mode === 'read') throw new DiskError('io', path, `${path}: opened for reading`);
    };
    const write = (bytes: Uint8Array, offset: number): void => {
      use(true);
      this.#mayFail(image.faults.writeErrors, path, 'write');
      const growth = Math.max(0, offset + bytes.byteLength - content.sizeBytes);
      if (growth > 0 && image.usedBytes() + growth > image.faults.capacityBytes) {
        throw new DiskError('full', path, `${path}: no space left on device`);
      }
      content.write(bytes, offset);
      this.#process.trace(bytes);
    };
    return {
      write: (bytes, offset) => {
        const taken = bytes.slice();
        return this.#do(`write ${path}`, () => write(taken, offset));
      },
      read: (offset, count) =>
        this.#do(`read ${path}`, () => {
          use(false);
          this.#mayFail(image.faults.readErrors, path, 'read');
          return content.read(offset, count);
        }),
      readIntoSync: (target, offset) => {
        use(false);
        const bytes = content.read(offset, target.byteLength);
        target.set(bytes);
        return bytes.byteLength;
      },
      writeSync: write,
      sync: () => this.#sync(path, content, use),
      truncate: (sizeBytes) =>
        this.#do(`truncate ${path}`, () => {
          use(true);
          content.truncate(sizeBytes);
        }),
      sizeBytes: () =>
        this.#do(`size ${path}`, () => {
          use(false);
          return content.sizeBytes;
        }),
      close: () =>
        this.#do(`close ${path}`, () => {
          isOpen = false;
        }),
    };
  }

  /** What was written before the call is durable when it is over; what is written meanwhile is not. */
  #sync(path: string, content: SectorContent, use: (forWriting: boolean) => void): Promise<void> {
    const finish = content.beginSync();
    return this.#do(
      `sync ${path}`,
      () => {
        use(false);
        const { syncErrors } = this.#image.faults;
        if (this.#image.random.chance(syncErrors)) {
          finish('lost');
          throw new DiskError('io', path, `${path}: sync failed`);
        }
        finish('durable');
      },
      SYNC_LATENCY_FACTOR,
    );
  }

  #do<T>(what: string, effect: () => T, latencyFactor = 1): Promise<T> {
    const latencyMs = this.#image.random.unit() * this.#image.faults.latencyMaxMs * latencyFactor;
    return this.#process.operation(latencyMs, what, effect);
  }

  #isFolder(at: string): boolean {
    return this.#image.entries.get(at) === 'folder';
  }

  #mayFail(probability: number, path: string, what: string): void {
    if (this.#image.random.chance(probability)) throw new DiskError('io', path, `${path}: ${what} failed`);
  }
}

function notFound(path: string): DiskError {
  return new DiskError('notFound', path, `${path}: no such file or folder`);
}

function isInside(path: string, root: string): boolean {
  return path === root || root === '' || path.startsWith(`${root}/`);
}

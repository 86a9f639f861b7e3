/**
 * Files and folders, what makes them durable, and the failures that callers act on.
 */

export interface FileStat {
  readonly sizeBytes: number;
  readonly isDirectory: boolean;
  readonly modifiedMs: number;
}

/** `create` makes or truncates, `append` makes if missing, `read` and `update` want the file to exist. */
export type OpenMode = 'read' | 'update' | 'append' | 'create';

/** Paths are absolute, or relative to the root that this disk was made with; `/` separates. */
export interface Disk {
  open(path: string, mode: OpenMode): Promise<File>;
  /** Whole file; rejects with `DiskError` kind `notFound`. */
  readFile(path: string): Promise<Uint8Array>;
  /** Makes the parents too; an existing folder is fine. */
  mkdir(path: string): Promise<void>;
  stat(path: string): Promise<FileStat>;
  exists(path: string): Promise<boolean>;
  /** Exclusive between processes until `release` or the death of the process; rejects with kind `locked`. */
  lock(path: string): Promise<DiskLock>;
  /** Atomic within one file system; durable only after `syncDir` of the folder. */
  rename(from: string, to: string): Promise<void>;
  /** Names (not paths) of the entries, sorted by code unit. */
  list(directory: string): Promise<readonly string[]>;
  unlink(path: string): Promise<void>;
  /** Removes a folder and all that is in it; a missing one is fine. */
  removeTree(path: string): Promise<void>;
  /** Makes creations, renames and removals in `directory` durable. */
  syncDir(directory: string): Promise<void>;
  /** Bytes of the file system that holds `path`. */
  space(path: string): Promise<{ readonly totalBytes: number; readonly freeBytes: number }>;
}

export interface DiskLock {
  release(): Promise<void>;
}

export interface File {
  /** Appends at `offset` (in `append` mode the caller still names it). Short writes are completed or rejected. */
  write(bytes: Uint8Array, offset: number): Promise<void>;
  /** Up to `count` bytes; fewer at the end of the file. */
  read(offset: number, count: number): Promise<Uint8Array>;
  /** Worker threads only: blocks. Returns the bytes read. */
  readIntoSync(target: Uint8Array, offset: number): number;
  /** Worker threads only: blocks. */
  writeSync(bytes: Uint8Array, offset: number): void;
  /** Makes the content durable (fdatasync). A failure is final: the caller stops using the file, and never retries. */
  sync(): Promise<void>;
  truncate(sizeBytes: number): Promise<void>;
  sizeBytes(): Promise<number>;
  close(): Promise<void>;
}

export type DiskErrorKind = 'notFound' | 'exists' | 'full' | 'readOnly' | 'denied' | 'locked' | 'io';

/** A failed disk operation, in the kinds that callers act on; the message names the path. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly kind: DiskErrorKind;
  readonly path: string;
  constructor(kind: DiskErrorKind, path: string, message: string) {
    super(message);
    this.kind = kind;
    this.path = path;
  }
}

/**
 * The interfaces through which every package touches the outside world: clock, random numbers, network, disk,
 * scheduling, workers, log.
 *
 * Real implementations stand beside this file; `@shoal/simulation` has the same interfaces under virtual time with
 * faults. A package that calls the world in another way cannot be simulated: the house test bans it.
 */

export interface Runtime {
  readonly clock: Clock;
  readonly random: Random;
  readonly net: Network;
  readonly disk: Disk;
  readonly sched: Scheduler;
  readonly workers: Workers;
  readonly log: Log;
  readonly machine: Machine;
}

export interface Clock {
  /** Milliseconds since an arbitrary start; never goes back. Fractional. */
  monotonicMs(): number;
  /** Milliseconds since 1970-01-01 UTC; may jump. Integer. */
  wallMs(): number;
}

export interface Random {
  /** Uniform 0..2^32-1. */
  u32(): number;
  /** Uniform integer 0..n-1; n in 1..2^32. */
  below(n: number): number;
  /** `count` random bytes. */
  bytes(count: number): Uint8Array;
  /** An independent stream: a new consumer does not shift the others. */
  fork(label: string): Random;
}

/** Stops a scheduled call. Calling it after the call ran, or twice, does nothing. */
export type Cancel = () => void;

export interface Scheduler {
  after(ms: number, fn: () => void): Cancel;
  /** Runs `fn` after the current turn, before any timer. */
  soon(fn: () => void): void;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface DialOptions {
  readonly connectTimeoutMs: number;
}

export interface Network {
  /** Port 0 asks for any free port. Rejects with `NetworkError` kind `addressInUse` when taken. */
  listen(at: Address, onSocket: (socket: Socket) => void): Promise<Listener>;
  /** Rejects with a `NetworkError`. */
  dial(to: Address, options: DialOptions): Promise<Socket>;
  /** All addresses of a host name; the host itself when it is one already. */
  resolve(host: string): Promise<readonly string[]>;
}

export interface Listener {
  readonly address: Address;
  close(): Promise<void>;
}

/** One TCP byte stream. Handlers are set once, before the first byte is awaited. */
export interface Socket {
  readonly remote: Address;
  readonly local: Address;
  /** Queues bytes; the caller does not touch them afterwards. After `close` it does nothing. */
  write(chunks: readonly Uint8Array[]): void;
  /** Bytes queued and not yet taken by the kernel. */
  readonly pendingBytes: number;
  pause(): void;
  resume(): void;
  /** Sends what is queued, then FIN. */
  end(): void;
  /** Drops everything at once. */
  destroy(): void;
  on(handlers: SocketHandlers): void;
}

export interface SocketHandlers {
  data(chunk: Uint8Array): void;
  /** `pendingBytes` fell to zero after it was above it. */
  drain?(): void;
  /** The last event: the peer or we closed, or the connection failed. */
  closed(reason: string): void;
}

export type NetworkErrorKind =
  | 'refused'
  | 'timeout'
  | 'unreachable'
  | 'addressInUse'
  | 'unresolved'
  | 'reset'
  | 'other';

/** A failed dial or listen, in the few kinds that callers act on. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly kind: NetworkErrorKind;
  constructor(kind: NetworkErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

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

export interface Workers {
  /**
   * Starts a worker thread on `entry` (the URL of a module that exports `start(port, runtime)`), or, in simulation and
   * inline mode, runs that function in this thread. Messages are structured-cloned either way.
   */
  spawn(entry: WorkerEntry, name: string): WorkerHandle;
}

/** A worker's code: `module` for a real thread, `start` for the inline one. Both must be the same program. */
export interface WorkerEntry {
  readonly module: URL;
  readonly start: (port: WorkerPort, runtime: Runtime) => void;
}

export interface WorkerPort {
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  onMessage(handler: (message: unknown) => void): void;
}

export interface WorkerHandle extends WorkerPort {
  /** Called once if the worker ends without having been asked to. */
  onExit(handler: (reason: string) => void): void;
  terminate(): Promise<void>;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** One line a fact: lower case, no full stop, values as fields. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  child(fields: LogFields): Log;
  /** Lines below it are not written; absent where nobody knows. */
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** Facts about this machine and process that stats show; zeros where unknown. */
export interface Machine {
  readonly cpuCount: number;
  readonly totalMemoryBytes: number;
  sample(): MachineSample;
  /** What the process holds of the machine's memory, over all of its threads; absent where that is not known. */
  readonly residentBytes?: () => number;
  /**
   * Collects what this thread's objects no longer use, at once: after much was let go that the platform would keep until it
   * wants room. Stops the thread for some ten milliseconds; absent where it cannot be asked for.
   */
  readonly collectGarbage?: () => void;
  /** Spaces of this thread's heap and its collections since the first call; absent where there is no such thing. */
  readonly heap?: () => HeapSample;
  /** Threads of this process as the kernel counts them; absent where it does not say. */
  readonly threads?: () => ThreadSamples;
  /** Watches what this thread does for a while, which goes on meanwhile; absent where that cannot be had. */
  readonly profile?: (options: ProfileOptions) => Promise<ThreadProfile>;
}

export interface ThreadSamples {
  /** The calling thread among them. */
  readonly ownId: number;
  readonly threads: readonly ThreadSample[];
}

export interface ThreadSample {
  readonly id: number;
  readonly name: string;
  /** Time on a processor since the thread started. */
  readonly cpuMs: number;
}

export interface ProfileOptions {
  readonly durationMs: number;
  readonly sampleIntervalMs: number;
}

export interface ThreadProfile {
  readonly frames: readonly ProfileFrame[];
  readonly samples: readonly ProfileSample[];
}

export interface ProfileFrame {
  /** `(idle)`, `(program)` and `(garbage collector)` are the engine's own. */
  readonly name: string;
  readonly url: string;
  /** From 1; 0 where there is none. */
  readonly line: number;
  /** Index of the caller; -1 at the bottom. */
  readonly parent: number;
}

export interface ProfileSample {
  /** By the monotonic clock of the thread's own runtime. */
  readonly atMs: number;
  /** Index of the frame on top. */
  readonly frame: number;
}

export interface HeapSample {
  /** Heaps of one id are one heap: workers that run inline share that of their thread. */
  readonly heapId: number;
  readonly usedBytes: number;
  readonly totalBytes: number;
  readonly maxBytes: number;
  /** Memory of this thread's engine beside its heap, such as buffers. */
  readonly besideBytes: number;
  readonly youngUsedBytes: number;
  readonly youngTotalBytes: number;
  readonly oldUsedBytes: number;
  readonly oldTotalBytes: number;
  /** Collections of the young space alone. */
  readonly youngCollections: number;
  readonly youngCollectionMs: number;
  readonly oldCollections: number;
  readonly oldCollectionMs: number;
}

export interface MachineSample {
  readonly pid: number;
  readonly freeMemoryBytes: number;
  readonly loadAverage: readonly [number, number, number];
  /** Of this process, since it started. */
  readonly cpuMillis: number;
  readonly residentBytes: number;
  readonly virtualBytes: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  readonly heapMaxBytes: number;
  readonly openFileDescriptors: number;
  readonly maxFileDescriptors: number;
  readonly uptimeMs: number;
  /** 99th percentile of the main thread's event-loop delay since the last sample. */
  readonly eventLoopDelayMsP99: number;
}

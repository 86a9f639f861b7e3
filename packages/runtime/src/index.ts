export { normalizePath, parentPath } from './disk/disk-path.ts';
export { DurableMark, type LogMark, readLogMark } from './disk/durable-mark.ts';
export { finalSync, finalSyncDir } from './disk/final-sync.ts';
export { createMemoryDisk, type DiskImage, type MemoryDisk } from './disk/memory-disk.ts';
export { readFileOrNull } from './disk/read-file-or-null.ts';
export type { ControlledTime } from './embedded/controlled-time.ts';
export { createEmbeddedRuntime, type EmbeddedRuntime } from './embedded/embedded-runtime.ts';
export { readUserFile } from './embedded/user-file.ts';
export { createInlineWorkers } from './inline/inline-workers.ts';
export type { Clock } from './interfaces/clock.ts';
export {
  type Disk,
  DiskError,
  type DiskErrorKind,
  type DiskLock,
  type File,
  type FileStat,
  type OpenMode,
} from './interfaces/disk.ts';
export type { Log, LogFields } from './interfaces/log.ts';
export type { HeapSample, Machine, MachineSample, ThreadSample, ThreadSamples } from './interfaces/machine.ts';
export {
  type Address,
  type DialOptions,
  type Listener,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type Socket,
  type SocketHandlers,
} from './interfaces/network.ts';
export type { ProfileFrame, ProfileOptions, ProfileSample, ThreadProfile } from './interfaces/profile.ts';
export type { Random } from './interfaces/random.ts';
export type { Runtime, WorkerEntry, WorkerHandle, WorkerPort, WorkerProgram, Workers } from './interfaces/runtime.ts';
export type { Cancel, Scheduler } from './interfaces/scheduler.ts';
export { createPinoLog, type LogLevel, type PinoLogOptions } from './log/pino-log.ts';
export { createRecordingLog, createSilentLog, type LogLine, type RecordingLog } from './log/recording-log.ts';
export { createNodeRuntime, type NodeRuntimeOptions } from './node/node-runtime.ts';
export { SpareWorker } from './node/node-workers.ts';
export { type BusyStack, type BusyStacks, busyStacks } from './platform/busy-stacks.ts';
export { ItemSlices } from './turns/item-slices.ts';
export { OperationPermits } from './turns/operation-permits.ts';
export { ThreadTurns } from './turns/thread-turns.ts';
export { TimeSlices, workCancelled } from './turns/time-slices.ts';

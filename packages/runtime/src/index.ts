export { normalizePath, parentPath } from './disk/disk-path.ts';
export { createMemoryDisk } from './disk/memory-disk.ts';
export { createInlineWorkers } from './inline/inline-workers.ts';
export {
  type Address,
  type Cancel,
  type Clock,
  type DialOptions,
  type Disk,
  DiskError,
  type DiskErrorKind,
  type DiskLock,
  type File,
  type FileStat,
  type HeapSample,
  type Listener,
  type Log,
  type LogFields,
  type Machine,
  type MachineSample,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type OpenMode,
  type ProfileFrame,
  type ProfileOptions,
  type ProfileSample,
  type Random,
  type Runtime,
  type Scheduler,
  type Socket,
  type SocketHandlers,
  type ThreadProfile,
  type ThreadSample,
  type ThreadSamples,
  type WorkerEntry,
  type WorkerHandle,
  type WorkerPort,
  type Workers,
} from './interfaces/runtime.ts';
export { createPinoLog, type LogLevel, type PinoLogOptions } from './log/pino-log.ts';
export { createRecordingLog, createSilentLog, type LogLine, type RecordingLog } from './log/recording-log.ts';
export { createNodeRuntime, type NodeRuntimeOptions } from './node/node-runtime.ts';

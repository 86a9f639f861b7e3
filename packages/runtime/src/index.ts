export { normalizePath, parentPath } from './disk-path.ts';
export { createInlineWorkers } from './inline-workers.ts';
export { createMemoryDisk } from './memory-disk.ts';
export { createNodeRuntime, type NodeRuntimeOptions } from './node-runtime.ts';
export { createPinoLog, type LogLevel, type PinoLogOptions } from './pino-log.ts';
export { createRecordingLog, createSilentLog, type LogLine, type RecordingLog } from './recording-log.ts';
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
} from './runtime.ts';

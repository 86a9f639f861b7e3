/**
 * Facts about the machine and the process that statistics show.
 */
import type { ProfileOptions, ThreadProfile } from './profile.ts';

/** Facts about this machine and process that stats show; zeros where unknown. */
export interface Machine {
  readonly cpuCount: number;
  readonly totalMemoryBytes: number;
  /** Name of this machine in its network; absent where that is not known. */
  readonly hostName?: string;
  /** Operating system of this machine; absent where that is not known. */
  readonly system?: OperatingSystem;
  /** What this process runs on; absent where that is not known. */
  readonly engine?: JavaScriptEngine;
  sample(): MachineSample;
  /** Resident memory of the process, over all of its threads; absent where that is not known. */
  readonly residentBytes?: () => number;
  /**
   * Collects this thread's garbage at once: after much was freed that the platform would keep until it wants room. Stops
   * the thread for some ten milliseconds; absent where it cannot be asked for.
   */
  readonly collectGarbage?: () => void;
  /** Spaces of this thread's heap and its collections since the first call; absent where there is no such thing. */
  readonly heap?: () => HeapSample;
  /** Threads of this process as the kernel counts them; absent where it does not say. */
  readonly threads?: () => ThreadSamples;
  /** Samples what this thread does for a while, which goes on meanwhile; absent where the platform cannot. */
  readonly profile?: (options: ProfileOptions) => Promise<ThreadProfile>;
}

export interface OperatingSystem {
  /** Name of the kernel: `Linux`. */
  readonly name: string;
  /** Release of the kernel. */
  readonly version: string;
  /** Architecture of the processor: `x64`, `arm64`. */
  readonly arch: string;
}

/** Versions of the JavaScript engine and of what it is embedded in. */
export interface JavaScriptEngine {
  readonly nodeVersion: string;
  readonly v8Version: string;
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
  /** Processor time of this process since it started. */
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

/**
 * Numbers of this process, and the highest that were seen: taken for requests and every few seconds between.
 *
 * Those who ask many times a second share what was read of the system a moment ago; none of it ever goes back by that.
 */
import type { Cancel, Runtime } from '@shoal/runtime';
import { CachedValue } from './cached-value.ts';
import type { HeapNumbers, HeapStats } from './heap-stats.ts';

const SAMPLE_INTERVAL_MS = 5_000;
/** Younger numbers are given again: they cost system calls. */
const FRESH_MS = 1_000;
/** A percentage over less would be noise. */
const PERCENT_INTERVAL_MS = 1_000;

export interface ProcessNumbers {
  readonly pid: number;
  readonly uptimeMs: number;
  readonly threads: number;
  readonly threadsPeak: number;
  readonly openFiles: number;
  readonly openFilesPeak: number;
  readonly maxFiles: number;
  readonly virtualBytes: number;
  readonly residentBytes: number;
  readonly cpuMillis: number;
  readonly cpuPercent: number;
  readonly loadAverage: readonly [number, number, number];
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  readonly heapMaxBytes: number;
  /** Memory of the JavaScript engine beside the heaps: buffers, code. */
  readonly besideHeapBytes: number;
  /** Heaps of all threads; null where the runtime has no such figures. */
  readonly heap: HeapNumbers | null;
  readonly youngPeakBytes: number;
  readonly oldPeakBytes: number;
}

export class ProcessSampler {
  readonly #runtime: Runtime;
  readonly #heaps: HeapStats;
  readonly #threadCount: () => number;
  readonly #onSample: () => void;
  readonly #recent: CachedValue<ProcessNumbers>;
  #threadsPeak = 0;
  #openFilesPeak = 0;
  #youngPeak = 0;
  #oldPeak = 0;
  #cpuPercent = 0;
  #percentFrom: { readonly atMs: number; readonly cpuMillis: number };
  #timer: Cancel | null = null;

  constructor(
    runtime: Runtime,
    options: { readonly heaps: HeapStats; readonly threadCount: () => number; readonly onSample: () => void },
  ) {
    this.#runtime = runtime;
    this.#heaps = options.heaps;
    this.#recent = new CachedValue(runtime.clock, FRESH_MS, () => this.#read());
    this.#threadCount = options.threadCount;
    this.#onSample = options.onSample;
    this.#percentFrom = { atMs: runtime.clock.monotonicMs(), cpuMillis: runtime.machine.sample().cpuMillis };
  }

  start(): void {
    this.#timer = this.#runtime.sched.after(SAMPLE_INTERVAL_MS, () => {
      this.#onSample();
      this.numbers()
        .catch((error: unknown) => this.#runtime.log.debug('process not sampled', { error: String(error) }))
        .finally(() => {
          if (this.#timer !== null) this.start();
        });
    });
  }

  stop(): void {
    this.#timer?.();
    this.#timer = null;
  }

  numbers(): Promise<ProcessNumbers> {
    return this.#recent.value();
  }

  async #read(): Promise<ProcessNumbers> {
    const sample = this.#runtime.machine.sample();
    const threads = await this.#threads();
    this.#threadsPeak = Math.max(this.#threadsPeak, threads);
    this.#openFilesPeak = Math.max(this.#openFilesPeak, sample.openFileDescriptors);
    const heap = this.#heaps.total();
    this.#youngPeak = Math.max(this.#youngPeak, heap?.youngUsedBytes ?? 0);
    this.#oldPeak = Math.max(this.#oldPeak, heap?.oldUsedBytes ?? 0);
    this.#measurePercent(sample.cpuMillis);
    return {
      pid: sample.pid,
      uptimeMs: Math.round(sample.uptimeMs),
      threads,
      threadsPeak: this.#threadsPeak,
      openFiles: sample.openFileDescriptors,
      openFilesPeak: this.#openFilesPeak,
      maxFiles: sample.maxFileDescriptors,
      virtualBytes: sample.virtualBytes,
      residentBytes: sample.residentBytes,
      cpuMillis: sample.cpuMillis,
      cpuPercent: this.#cpuPercent,
      loadAverage: sample.loadAverage,
      heapUsedBytes: heap?.usedBytes ?? sample.heapUsedBytes,
      heapTotalBytes: heap?.totalBytes ?? sample.heapTotalBytes,
      heapMaxBytes: heap?.maxBytes ?? sample.heapMaxBytes,
      besideHeapBytes: heap?.besideBytes ?? 0,
      heap,
      youngPeakBytes: this.#youngPeak,
      oldPeakBytes: this.#oldPeak,
    };
  }

  #measurePercent(cpuMillis: number): void {
    const atMs = this.#runtime.clock.monotonicMs();
    const wallMs = atMs - this.#percentFrom.atMs;
    if (wallMs < PERCENT_INTERVAL_MS) return;
    const share = (cpuMillis - this.#percentFrom.cpuMillis) / (wallMs * this.#runtime.machine.cpuCount);
    this.#cpuPercent = Math.max(0, Math.min(100, Math.round(share * 100)));
    this.#percentFrom = { atMs, cpuMillis };
  }

  /** Threads of this process by the kernel's count; main thread and workers where there is none. */
  async #threads(): Promise<number> {
    try {
      const status = new TextDecoder().decode(await this.#runtime.disk.readFile('/proc/self/status'));
      const count = Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]);
      if (Number.isInteger(count) && count > 0) return count;
    } catch {
      // No /proc on this system.
    }
    return 1 + this.#threadCount();
  }
}

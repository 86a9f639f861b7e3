/**
 * Sections of `_nodes/stats` on the machine and the process: Elasticsearch's keys, with what Node really has.
 *
 * `jvm` is V8: heap is heap, there are no pools and no class loading; threads are the main thread and the workers.
 * `os.cpu.percent` is the load of the last minute per core, since a process cannot see more without reading /proc.
 */
import type { Clock, Machine, MachineSample } from '@shoal/runtime';

type Json = Readonly<Record<string, unknown>>;

/** Shares are shown as whole percents. */
const HUNDRED = 100;

export class NodeMachineStats {
  readonly #machine: Machine;
  readonly #clock: Clock;
  #lastCpuMillis: number;
  #lastAtMs: number;
  #peakThreads = 1;

  constructor(machine: Machine, clock: Clock) {
    this.#machine = machine;
    this.#clock = clock;
    this.#lastCpuMillis = machine.sample().cpuMillis;
    this.#lastAtMs = clock.monotonicMs();
  }

  /** @param workerThreads worker threads that run at the moment */
  sections(workerThreads: number): Json {
    const sample = this.#machine.sample();
    const timestamp = this.#clock.wallMs();
    const threads = workerThreads + 1;
    this.#peakThreads = Math.max(this.#peakThreads, threads);
    return {
      os: this.#os(sample, timestamp),
      process: {
        timestamp,
        open_file_descriptors: sample.openFileDescriptors,
        max_file_descriptors: sample.maxFileDescriptors,
        cpu: { percent: this.#cpuPercent(sample), total_in_millis: Math.round(sample.cpuMillis) },
        mem: { total_virtual_in_bytes: sample.virtualBytes, resident_in_bytes: sample.residentBytes },
      },
      jvm: {
        timestamp,
        uptime_in_millis: Math.round(sample.uptimeMs),
        mem: {
          heap_used_in_bytes: sample.heapUsedBytes,
          heap_used_percent: percent(sample.heapUsedBytes, sample.heapMaxBytes),
          heap_committed_in_bytes: sample.heapTotalBytes,
          heap_max_in_bytes: sample.heapMaxBytes,
          non_heap_used_in_bytes: Math.max(0, sample.residentBytes - sample.heapTotalBytes),
          non_heap_committed_in_bytes: Math.max(0, sample.residentBytes - sample.heapTotalBytes),
          pools: {},
        },
        threads: { count: threads, peak_count: this.#peakThreads },
        gc: { collectors: {} },
        buffer_pools: {},
        classes: { current_loaded_count: 0, total_loaded_count: 0, total_unloaded_count: 0 },
      },
      event_loop: { delay_p99_in_millis: Math.round(sample.eventLoopDelayMsP99 * HUNDRED) / HUNDRED },
    };
  }

  #os(sample: MachineSample, timestamp: number): Json {
    const total = this.#machine.totalMemoryBytes;
    const used = Math.max(0, total - sample.freeMemoryBytes);
    const [oneMinute, fiveMinutes, fifteenMinutes] = sample.loadAverage;
    const cores = Math.max(this.#machine.cpuCount, 1);
    return {
      timestamp,
      cpu: {
        percent: Math.min(HUNDRED, Math.round((oneMinute / cores) * HUNDRED)),
        load_average: { '1m': oneMinute, '5m': fiveMinutes, '15m': fifteenMinutes },
      },
      mem: {
        total_in_bytes: total,
        adjusted_total_in_bytes: total,
        free_in_bytes: sample.freeMemoryBytes,
        used_in_bytes: used,
        free_percent: percent(sample.freeMemoryBytes, total),
        used_percent: percent(used, total),
      },
      swap: { total_in_bytes: 0, free_in_bytes: 0, used_in_bytes: 0 },
    };
  }

  /** CPU use of the process in percent of all cores, since the last call. */
  #cpuPercent(sample: MachineSample): number {
    const now = this.#clock.monotonicMs();
    const elapsed = Math.max(now - this.#lastAtMs, 1) * Math.max(this.#machine.cpuCount, 1);
    const share = (sample.cpuMillis - this.#lastCpuMillis) / elapsed;
    this.#lastAtMs = now;
    this.#lastCpuMillis = sample.cpuMillis;
    return Math.max(0, Math.min(HUNDRED, Math.round(share * HUNDRED)));
  }
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.min(HUNDRED, Math.round((part / whole) * HUNDRED)) : 0;
}

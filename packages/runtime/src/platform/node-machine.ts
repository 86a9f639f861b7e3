/**
 * Facts about this machine and process. Where a source is missing (no /proc) the number is zero, as the interface says.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, freemem, hostname, loadavg, release, totalmem, type } from 'node:os';
import { constants, type IntervalHistogram, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { threadId } from 'node:worker_threads';
import type { HeapSample, Machine, MachineSample } from '../interfaces/machine.ts';
import { profileThread } from './node-profiler.ts';
import { THREADS_FOLDER, threadSamples } from './thread-samples.ts';

const EVENT_LOOP_RESOLUTION_MS = 20;
const PAGE_BYTES = 4096;
const NANOS_PER_MILLI = 1e6;

/** The platform's own collection, which it shows only to contexts that are made after this flag. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  return typeof found === 'function' ? () => void found() : () => {};
}

export function createNodeMachine(): Machine {
  let delay: IntervalHistogram | null = null;
  let maxFiles: number | null = null;
  let collections: Collections | null = null;
  let collect: (() => void) | null = null;

  function eventLoopDelayMsP99(): number {
    // Started by the first sample: an embedded node that nobody asks pays nothing for it.
    if (delay === null) {
      delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
      delay.enable();
      return 0;
    }
    const measured = delay.percentile(99) / NANOS_PER_MILLI;
    delay.reset();
    return Math.max(0, measured - EVENT_LOOP_RESOLUTION_MS);
  }

  return {
    cpuCount: availableParallelism(),
    totalMemoryBytes: memoryBytes(),
    hostName: hostname(),
    engine: { nodeVersion: process.versions.node, v8Version: process.versions.v8 },
    system: { name: type(), version: release(), arch: arch() },
    residentBytes: () => process.memoryUsage.rss(),
    collectGarbage(): void {
      collect ??= collector();
      collect();
    },
    heap(): HeapSample {
      // Watched from the first question on: a process that nobody asks pays nothing for it.
      collections ??= watchCollections();
      return { heapId: threadId, ...heapWhole(), ...heapSpaces(), ...collections };
    },
    ...(existsSync(THREADS_FOLDER) ? { threads: threadSamples } : {}),
    profile: profileThread,
    sample(): MachineSample {
      const memory = process.memoryUsage();
      const cpu = process.cpuUsage();
      const [one = 0, five = 0, fifteen = 0] = loadavg();
      maxFiles ??= maxFileDescriptors();
      return {
        pid: process.pid,
        freeMemoryBytes: freemem(),
        loadAverage: [one, five, fifteen],
        cpuMillis: Math.round((cpu.user + cpu.system) / 1000),
        residentBytes: memory.rss,
        virtualBytes: virtualBytes(),
        heapUsedBytes: memory.heapUsed,
        heapTotalBytes: memory.heapTotal,
        heapMaxBytes: getHeapStatistics().heap_size_limit,
        openFileDescriptors: openFileDescriptors(),
        maxFileDescriptors: maxFiles,
        uptimeMs: Math.round(process.uptime() * 1000),
        eventLoopDelayMsP99: eventLoopDelayMsP99(),
      };
    },
  };
}

/** Memory that this process may use: a container's limit where there is one. */
function memoryBytes(): number {
  const total = totalmem();
  const limit = process.constrainedMemory();
  return limit !== undefined && limit > 0 && limit < total ? limit : total;
}

function virtualBytes(): number {
  const pages = Number.parseInt(readText('/proc/self/statm'), 10);
  return Number.isNaN(pages) ? 0 : pages * PAGE_BYTES;
}

function openFileDescriptors(): number {
  try {
    // Without the one that lists them.
    return Math.max(0, readdirSync('/proc/self/fd').length - 1);
  } catch {
    return 0; // No /proc on this system: unknown is zero.
  }
}

function maxFileDescriptors(): number {
  const line = /^Max open files\s+(\d+)/m.exec(readText('/proc/self/limits'));
  return line?.[1] === undefined ? 0 : Number.parseInt(line[1], 10);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // No /proc on this system: unknown is zero.
  }
}

interface Collections {
  youngCollections: number;
  youngCollectionMs: number;
  oldCollections: number;
  oldCollectionMs: number;
}

function watchCollections(): Collections {
  const counts: Collections = { youngCollections: 0, youngCollectionMs: 0, oldCollections: 0, oldCollectionMs: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const detail: unknown = Reflect.get(entry, 'detail');
      const kind: unknown = typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'kind') : null;
      if (kind === constants.NODE_PERFORMANCE_GC_MINOR) {
        counts.youngCollections++;
        counts.youngCollectionMs += entry.duration;
      } else {
        counts.oldCollections++;
        counts.oldCollectionMs += entry.duration;
      }
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return counts;
}

function heapWhole(): Pick<HeapSample, 'usedBytes' | 'totalBytes' | 'maxBytes' | 'besideBytes'> {
  const heap = getHeapStatistics();
  return {
    usedBytes: heap.used_heap_size,
    totalBytes: heap.total_heap_size,
    maxBytes: heap.heap_size_limit,
    besideBytes: heap.external_memory + heap.malloced_memory,
  };
}

const YOUNG_SPACES: ReadonlySet<string> = new Set(['new_space', 'new_large_object_space']);
const OLD_SPACES: ReadonlySet<string> = new Set(['old_space', 'large_object_space']);

function heapSpaces(): Pick<HeapSample, 'youngUsedBytes' | 'youngTotalBytes' | 'oldUsedBytes' | 'oldTotalBytes'> {
  const spaces = getHeapSpaceStatistics();
  const total = (names: ReadonlySet<string>, pick: (space: (typeof spaces)[number]) => number): number =>
    spaces.filter((space) => names.has(space.space_name)).reduce((sum, space) => sum + pick(space), 0);
  return {
    youngUsedBytes: total(YOUNG_SPACES, (space) => space.space_used_size),
    youngTotalBytes: total(YOUNG_SPACES, (space) => space.space_size),
    oldUsedBytes: total(OLD_SPACES, (space) => space.space_used_size),
    oldTotalBytes: total(OLD_SPACES, (space) => space.space_size),
  };
}

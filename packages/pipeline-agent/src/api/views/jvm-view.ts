/**
 * This process in the words that tools have for a JVM, as far as it has what they mean.
 *
 * V8 tells neither how many bytes survived a collection of the young space nor a limit of each space: the `survivor` pool, which
 * tools look for, is empty, and the pools have the limit of the heap.
 */
import type { AgentCore } from '../../agent/agent.ts';
import type { View } from '../format/view.ts';
import type { ProcessNumbers } from '../stats/process-sampler.ts';

export function jvmInfo(core: AgentCore, numbers: ProcessNumbers): View {
  return {
    pid: numbers.pid,
    version: process.versions.node,
    vm_name: 'V8',
    vm_version: process.versions.v8,
    vm_vendor: 'Node.js',
    start_time_in_millis: core.startMs,
    mem: {
      heap_init_in_bytes: 0,
      heap_max_in_bytes: numbers.heapMaxBytes,
      non_heap_init_in_bytes: 0,
      non_heap_max_in_bytes: 0,
    },
    gc_collectors: ['Scavenge', 'Mark-Compact'],
  };
}

export function jvmStats(numbers: ProcessNumbers): View {
  const { heap, heapUsedBytes: used, heapTotalBytes: committed, heapMaxBytes: max, besideHeapBytes: beside } = numbers;
  return {
    threads: { count: numbers.threads, peak_count: numbers.threadsPeak },
    mem: {
      heap_used_percent: max === 0 ? 0 : Math.floor((100 * used) / max),
      heap_committed_in_bytes: committed,
      heap_max_in_bytes: max,
      heap_used_in_bytes: used,
      non_heap_used_in_bytes: beside,
      // What the system gave to the process beside its heaps.
      non_heap_committed_in_bytes: Math.max(beside, numbers.residentBytes - committed),
      pools: {
        young: pool(heap?.youngUsedBytes ?? 0, numbers.youngPeakBytes, heap?.youngTotalBytes ?? 0, max),
        survivor: pool(0, 0, 0, max),
        old: pool(heap?.oldUsedBytes ?? 0, numbers.oldPeakBytes, heap?.oldTotalBytes ?? 0, max),
      },
    },
    gc: {
      collectors: {
        young: collector(heap?.youngCollections ?? 0, heap?.youngCollectionMs ?? 0),
        old: collector(heap?.oldCollections ?? 0, heap?.oldCollectionMs ?? 0),
      },
    },
    uptime_in_millis: Math.max(1, numbers.uptimeMs),
  };
}

function pool(used: number, peak: number, committed: number, max: number): View {
  return {
    used_in_bytes: used,
    peak_used_in_bytes: peak,
    max_in_bytes: max,
    peak_max_in_bytes: max,
    committed_in_bytes: committed,
  };
}

function collector(count: number, ms: number): View {
  return { collection_count: count, collection_time_in_millis: Math.round(ms) };
}

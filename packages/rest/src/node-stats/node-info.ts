/**
 * A node's part of `_nodes`: what it was started with, in Elasticsearch's shape.
 */

import { AGGREGATION_TYPE_NAMES, sourceTypesOf } from '@shoal/aggregations';
import { API_VERSION, renderByteSize, SHOAL_VERSION, showHostPort } from '@shoal/core';
import { PROCESSOR_NAMES } from '@shoal/ingest';
import { nestedSettings } from './nested-settings.ts';
import { type NodeStatsSource, nodeIdentity } from './node-stats-source.ts';
import { threadPoolInfo } from './thread-pool-sections.ts';

type Json = Readonly<Record<string, unknown>>;

/** Settings whose values nobody else may see. */
const HIDDEN_SETTING = /password|secret|token|key$/i;

/** @param startedAtMs wall time of the node's start */
export function nodeInfo(options: NodeStatsSource, startedAtMs: number): Json {
  const { runtime, cluster, settings } = options;
  const workerCount = options.shards?.workerCount ?? 0;
  const { machine } = runtime;
  const sample = machine.sample();
  const shown = Object.entries(settings).filter(([name]) => !HIDDEN_SETTING.test(name));
  return {
    ...nodeIdentity(options),
    version: API_VERSION.number,
    build_flavor: 'default',
    build_type: 'tar',
    build_hash: 'unknown',
    shoal: { version: SHOAL_VERSION },
    settings: nestedSettings(shown),
    os: {
      available_processors: machine.cpuCount,
      allocated_processors: workerCount,
      mem: { total_in_bytes: machine.totalMemoryBytes },
    },
    process: { refresh_interval_in_millis: 1000, id: sample.pid, mlockall: false },
    jvm: {
      pid: sample.pid,
      start_time_in_millis: startedAtMs,
      mem: { heap_init_in_bytes: 0, heap_max_in_bytes: sample.heapMaxBytes },
      memory_pools: [],
      gc_collectors: [],
    },
    thread_pool: threadPoolInfo(workerCount),
    transport: {
      bound_address: [showHostPort(cluster.transport.boundAddress)],
      publish_address: showHostPort(cluster.localNode.address),
      profiles: {},
    },
    ...httpInfo(options),
    plugins: [],
    modules: [],
    aggregations: Object.fromEntries(
      AGGREGATION_TYPE_NAMES.map((type) => [type, { types: [...sourceTypesOf(type)].sort() }]),
    ),
    ingest: { processors: PROCESSOR_NAMES.map((type) => ({ type })) },
  };
}

function httpInfo({ http }: NodeStatsSource): Json {
  const port = http();
  if (port === null) return {};
  return {
    http: {
      bound_address: [port.address],
      publish_address: port.address,
      max_content_length_in_bytes: port.contentBytesMax,
      max_content_length: renderByteSize(port.contentBytesMax),
    },
  };
}

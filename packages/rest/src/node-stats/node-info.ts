/**
 * A node's part of `_nodes`: what it was started with, in Elasticsearch's shape.
 */

import { AGGREGATION_TYPE_NAMES, sourceTypesOf } from '@shoal/aggregations';
import { API_VERSION, renderByteSize, SHOAL_VERSION, showHostPort } from '@shoal/core';
import { PROCESSOR_NAMES } from '@shoal/ingest';
import { isTree } from '../bodies/stats-tree.ts';
import { nestedSettings } from './nested-settings.ts';
import { type NodeStatsSource, nodeIdentity } from './node-stats-source.ts';
import { threadPoolInfo } from './thread-pool-sections.ts';

type Json = Readonly<Record<string, unknown>>;

/** Settings whose values nobody else may see. */
const HIDDEN_SETTING = /password|secret|token|key$/i;
/** What listens on the ports of a node. */
const TRANSPORT_TYPE = 'node';

/** @param startedAtMs wall time of the node's start */
export function nodeInfo(options: NodeStatsSource, startedAtMs: number): Json {
  const { runtime, cluster } = options;
  const workerCount = options.shards?.workerCount ?? 0;
  const { machine } = runtime;
  const sample = machine.sample();
  return {
    ...nodeIdentity(options),
    version: API_VERSION.number,
    build_flavor: 'default',
    build_type: 'tar',
    build_hash: 'unknown',
    shoal: { version: SHOAL_VERSION },
    settings: shownSettings(options),
    os: {
      refresh_interval_in_millis: 1000,
      ...systemInfo(options),
      available_processors: machine.cpuCount,
      allocated_processors: workerCount,
    },
    process: { refresh_interval_in_millis: 1000, id: sample.pid, mlockall: false },
    jvm: engineInfo(options, startedAtMs),
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

/** Settings in force that clients read: of the node as it was started, and those that every node has. */
function shownSettings({ settings, cluster, http }: NodeStatsSource): Json {
  const shown = Object.entries(settings).filter(([name]) => !HIDDEN_SETTING.test(name));
  const nested = nestedSettings([
    ['client.type', 'node'],
    ['cluster.name', cluster.state().clusterName],
    ['cluster.election.strategy', 'supports_voting_only'],
    ['transport.type', TRANSPORT_TYPE],
    ...(http() === null ? [] : ([['http.type', TRANSPORT_TYPE]] as const)),
    ...shown,
  ]);
  const { node } = nested;
  return { ...nested, node: { attr: {}, ...(isTree(node) ? node : {}) } };
}

function systemInfo({ runtime }: NodeStatsSource): Json {
  const { system } = runtime.machine;
  if (system === undefined) return {};
  const { name, version, arch } = system;
  return { name, pretty_name: `${name} ${version}`, arch, version };
}

/** V8 under the keys of a Java machine: what only that has is zero or empty. */
function engineInfo({ runtime: { machine } }: NodeStatsSource, startedAtMs: number): Json {
  const { pid, heapMaxBytes } = machine.sample();
  const { nodeVersion, v8Version } = machine.engine ?? { nodeVersion: 'unknown', v8Version: 'unknown' };
  return {
    pid,
    version: nodeVersion,
    vm_name: 'V8',
    vm_version: v8Version,
    vm_vendor: 'Node.js',
    using_bundled_jdk: false,
    start_time_in_millis: startedAtMs,
    mem: {
      heap_init_in_bytes: 0,
      heap_max_in_bytes: heapMaxBytes,
      non_heap_init_in_bytes: 0,
      non_heap_max_in_bytes: 0,
      direct_max_in_bytes: 0,
    },
    memory_pools: [],
    gc_collectors: [],
    input_arguments: [],
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

/**
 * One node in `_nodes` and `_nodes/stats`: what the cluster state knows of it, then the sections that were asked for, as the node sent
 * them.
 */

import { shownRoles } from '@shoal/cluster';
import type { DiscoveryNode } from '@shoal/cluster-state';
import { type CopyStats, copiesByIndex } from '@shoal/coordinator';
import { API_VERSION, INDEX_VERSION_CREATED, illegalArgument, showHostPort } from '@shoal/core';
import {
  filterStatsBody,
  type StatsMetric,
  shardStatsBody,
  sumShardStats,
  unrecognizedMetric,
} from '../bodies/shard-stats-body.ts';
import { isTree, numberAt, type StatsTree } from '../bodies/stats-tree.ts';
import { BUILD } from '../info/root-body.ts';
import type { FieldPatterns } from '../request/field-patterns.ts';

type Json = Readonly<Record<string, unknown>>;

/** Metrics as paths name them, and the key of their section. In the order of the answer. */
const INFO_SECTIONS: ReadonlyMap<string, string> = new Map(
  [
    ...[
      'settings',
      'os',
      'process',
      'jvm',
      'thread_pool',
      'transport',
      'http',
      'plugins',
      'modules',
      'ingest',
      'aggregations',
    ],
    'indices',
  ].map((metric) => [metric, metric]),
);
const STATS_SECTIONS: ReadonlyMap<string, string> = new Map([
  ...['indices', 'os', 'process', 'jvm', 'thread_pool', 'fs', 'transport', 'http'].map((m) => [m, m] as const),
  ['breaker', 'breakers'],
  ...['script', 'discovery', 'ingest', 'adaptive_selection', 'script_cache', 'indexing_pressure'].map(
    (m) => [m, m] as const,
  ),
]);

export type StatsLevel = 'node' | 'indices' | 'shards';

export interface NodeIndicesView {
  readonly level: StatsLevel;
  readonly metrics: ReadonlySet<StatsMetric> | null;
  /** Patterns of the fields whose memory is shown one by one. */
  readonly fields: FieldPatterns;
}

/** True when every name is a section of `_nodes`: then the path names metrics, not nodes. */
export function areInfoMetrics(names: readonly string[]): boolean {
  return names.length > 0 && names.every((name) => INFO_SECTIONS.has(name));
}

/** @param metrics unknown ones are passed over; empty or `_all`: every section */
export function nodeInfoBody(node: DiscoveryNode, info: StatsTree, metrics: readonly string[]): Json {
  const { host } = node.address;
  const buffer = numberAt(info, 'total_indexing_buffer');
  return {
    name: node.name,
    transport_address: showHostPort(node.address),
    host,
    ip: host,
    version: API_VERSION.number,
    build_flavor: BUILD.flavor,
    build_type: BUILD.type,
    build_hash: BUILD.hash,
    // Parts of Elasticsearch that have versions of their own.
    component_versions: {},
    index_version: Number(INDEX_VERSION_CREATED),
    // Elasticsearch's number for what its nodes say to each other: nodes here speak a language of their own.
    transport_version: 0,
    ...(buffer === null ? {} : { total_indexing_buffer: buffer }),
    roles: shownRoles(node.roles),
    attributes: node.attributes,
    shoal: { version: node.version },
    ...sections(info, wantedKeys(INFO_SECTIONS, metrics)),
  };
}

/** @throws illegal_argument_exception for a metric that is none, naming the nearest */
export function checkNodeStatsMetrics(metrics: readonly string[], indexMetrics: readonly string[], path: string): void {
  if (metrics.includes('_all')) {
    if (metrics.length > 1) {
      throw illegalArgument(`request [${path}] contains _all and individual metrics [${metrics.join(',')}]`);
    }
    if (indexMetrics.length > 0) {
      throw illegalArgument(
        `request [${path}] contains index metrics [${indexMetrics.join(',')}] but all stats requested`,
      );
    }
    return;
  }
  const unknown = metrics.find((name) => !STATS_SECTIONS.has(name));
  if (unknown !== undefined) throw unrecognizedMetric(path, unknown, [...STATS_SECTIONS.keys()]);
  if (indexMetrics.length > 0 && !metrics.includes('indices')) {
    throw illegalArgument(
      `request [${path}] contains index metrics [${indexMetrics.join(',')}] but indices stats not requested`,
    );
  }
}

/** @param copies its shards one by one; needed only below the level of the node */
export function nodeStatsBody(
  node: DiscoveryNode,
  stats: StatsTree,
  copies: readonly CopyStats[],
  view: NodeIndicesView & { readonly wanted: readonly string[]; readonly nowMs: number },
): Json {
  const { host } = node.address;
  const indices = nodeIndicesBody(isTree(stats.indices) ? stats.indices : {}, copies, view);
  return {
    timestamp: numberAt(stats, 'timestamp') ?? view.nowMs,
    name: node.name,
    transport_address: showHostPort(node.address),
    host,
    ip: showHostPort(node.address),
    roles: shownRoles(node.roles),
    attributes: node.attributes,
    ...sections({ ...stats, indices }, wantedKeys(STATS_SECTIONS, view.wanted)),
  };
}

function nodeIndicesBody(own: StatsTree, copies: readonly CopyStats[], view: NodeIndicesView): Json {
  const total = { ...filterStatsBody(own, view.metrics), ...namedFields(copies, view) };
  if (view.level === 'node') return total;
  const byIndex = [...copiesByIndex(copies)];
  if (view.level === 'indices') {
    const bodies = byIndex.map(([name, ofIndex]) => [
      name,
      shardStatsBody(sumShardStats(ofIndex.map((copy) => copy.stats)), view.metrics, view.fields),
    ]);
    return { ...total, indices: Object.fromEntries(bodies) };
  }
  const bodies = byIndex.map(([name, ofIndex]) => [
    name,
    ofIndex.map((copy) => ({ [String(copy.shard)]: shardStatsBody(copy.stats, view.metrics, view.fields) })),
  ]);
  return { ...total, shards: Object.fromEntries(bodies) };
}

/** Sections of what was asked for by name, which a node does not tell of itself. */
function namedFields(copies: readonly CopyStats[], { metrics, fields }: NodeIndicesView): Json {
  const wanted = (
    [
      ['fielddata', fields.fielddata],
      ['completion', fields.completion],
      ['search', fields.groups],
    ] as const
  ).filter(([metric, patterns]) => patterns.length > 0 && metrics?.has(metric) !== false);
  if (wanted.length === 0) return {};
  const sum = sumShardStats(copies.map((copy) => copy.stats));
  return shardStatsBody(sum, new Set<StatsMetric>(wanted.map(([metric]) => metric)), fields);
}

function wantedKeys(known: ReadonlyMap<string, string>, names: readonly string[]): readonly string[] {
  const all = names.length === 0 || names.includes('_all');
  return [...known].filter(([metric]) => all || names.includes(metric)).map(([, key]) => key);
}

function sections(tree: StatsTree, keys: readonly string[]): Json {
  return Object.fromEntries(keys.filter((key) => tree[key] !== undefined).map((key) => [key, tree[key]]));
}

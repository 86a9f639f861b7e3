/**
 * `nodes` of `_cluster/stats`: what the nodes are, and what they have together.
 */
import { shownRoles } from '@shoal/cluster';
import type { DiscoveryNode } from '@shoal/cluster-state';
import { API_VERSION } from '@shoal/core';
import { isTree, numberAt, type StatsTree, summedTrees, textAt } from '../bodies/stats-tree.ts';

type Json = Readonly<Record<string, unknown>>;

export interface NodeParts {
  readonly nodes: readonly DiscoveryNode[];
  /** Parts of `_nodes` of the nodes that answered. */
  readonly infos: readonly StatsTree[];
  /** Parts of `_nodes/stats` of the nodes that answered. */
  readonly stats: readonly StatsTree[];
}

/** Roles that Elasticsearch counts nodes of; of those that no node here can have there are none. */
const ROLES: readonly string[] = [
  ...['data', 'data_cold', 'data_content', 'data_frozen', 'data_hot', 'data_warm', 'index', 'ingest', 'master', 'ml'],
  ...['remote_cluster_client', 'search', 'transform', 'voting_only'],
];
const HUNDRED = 100;

export function clusterNodesBody({ nodes, infos, stats }: NodeParts): Json {
  const withRole = (role: string): number => nodes.filter((node) => shownRoles(node.roles).includes(role)).length;
  const sum = (path: string): number => sumAt(stats, path);
  return {
    count: {
      total: nodes.length,
      coordinating_only: nodes.filter((node) => node.roles.length === 0).length,
      ...Object.fromEntries(ROLES.map((role) => [role, withRole(role)])),
    },
    versions: [API_VERSION.number],
    os: systemBody(infos, stats),
    process: processBody(stats),
    jvm: {
      max_uptime_in_millis: Math.max(0, ...stats.map((tree) => numberAt(tree, 'jvm.uptime_in_millis') ?? 0)),
      versions: [],
      mem: {
        heap_used_in_bytes: sum('jvm.mem.heap_used_in_bytes'),
        heap_max_in_bytes: sum('jvm.mem.heap_max_in_bytes'),
      },
      threads: sum('jvm.threads.count'),
    },
    fs: {
      total_in_bytes: sum('fs.total.total_in_bytes'),
      free_in_bytes: sum('fs.total.free_in_bytes'),
      available_in_bytes: sum('fs.total.available_in_bytes'),
    },
    plugins: [],
    indexing_pressure: stats
      .map((tree) => tree.indexing_pressure)
      .filter(isTree)
      .reduce(summedTrees, {}),
    network_types: {
      transport_types: tally(infos, 'settings.transport.type'),
      http_types: tally(infos, 'settings.http.type'),
    },
    discovery_types: tally(infos, 'settings.discovery.type'),
    packaging_types: [...tallied(infos, ['build_flavor', 'build_type'])].map(([key, count]) => {
      const [flavor, type] = key.split(' ');
      return { flavor, type, count };
    }),
  };
}

function systemBody(infos: readonly StatsTree[], stats: readonly StatsTree[]): Json {
  const sum = (name: string): number => sumAt(stats, `os.mem.${name}`);
  const total = sum('total_in_bytes');
  const named = (path: string, key: string): readonly Json[] =>
    [...tallied(infos, [path])].map(([value, count]) => ({ [key]: value, count }));
  return {
    available_processors: sumAt(infos, 'os.available_processors'),
    allocated_processors: sumAt(infos, 'os.allocated_processors'),
    names: named('os.name', 'name'),
    pretty_names: named('os.pretty_name', 'pretty_name'),
    architectures: named('os.arch', 'arch'),
    mem: {
      total_in_bytes: total,
      adjusted_total_in_bytes: sum('adjusted_total_in_bytes'),
      free_in_bytes: sum('free_in_bytes'),
      used_in_bytes: sum('used_in_bytes'),
      free_percent: percent(sum('free_in_bytes'), total),
      used_percent: percent(sum('used_in_bytes'), total),
    },
  };
}

function processBody(stats: readonly StatsTree[]): Json {
  const open = stats.map((tree) => numberAt(tree, 'process.open_file_descriptors') ?? 0);
  return {
    cpu: { percent: sumAt(stats, 'process.cpu.percent') },
    open_file_descriptors:
      open.length === 0
        ? { min: 0, max: 0, avg: 0 }
        : { min: Math.min(...open), max: Math.max(...open), avg: Math.floor(sumOf(open) / open.length) },
  };
}

/** Nodes by the texts that they have at the paths, joined by blanks; of those that have none nothing is counted. */
function tallied(infos: readonly StatsTree[], paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const info of infos) {
    const texts = paths.map((path) => textAt(info, path));
    if (texts.includes(null)) continue;
    const key = texts.join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function tally(infos: readonly StatsTree[], path: string): Json {
  return Object.fromEntries(tallied(infos, [path]));
}

function sumAt(trees: readonly StatsTree[], path: string): number {
  return sumOf(trees.map((tree) => numberAt(tree, path) ?? 0));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * HUNDRED) : 0;
}

/**
 * The `_cat` tables of a few columns: health, count, master, node attributes, plugins, aliases.
 */
import type { ClusterHealth } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode, IndexMetadata } from '@shoal/protocol';
import type { QueueCounts } from '../cluster/pending-tasks-body.ts';
import { matchingAliases } from '../indices/alias-body.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './cat-table.ts';

const SECOND_MS = 1000;
const NOTHING = '-';
const TIME_COLUMNS: readonly CatColumn[] = [
  column('epoch', 't,time', 'seconds since 1970-01-01 00:00:00'),
  column('timestamp', 'ts,hms,hhmmss', 'time in HH:MM:SS'),
];

export const HEALTH_COLUMNS: readonly CatColumn[] = [
  ...TIME_COLUMNS,
  column('cluster', 'cl', 'cluster name'),
  column('status', 'st', 'health status'),
  column('node.total', 'nt,nodeTotal', 'number of nodes', ['right']),
  column('node.data', 'nd,nodeData', 'number of nodes that can hold data', ['right']),
  column('shards', 't,sh,shards.total,shardsTotal', 'number of active shards', ['right']),
  column('pri', 'p,shards.primary,shardsPrimary', 'number of active primaries', ['right']),
  column('relo', 'r,shards.relocating,shardsRelocating', 'number of shards on the move', ['right']),
  column('init', 'i,shards.initializing,shardsInitializing', 'number of shards being set up', ['right']),
  column('unassign', 'u,shards.unassigned,shardsUnassigned', 'number of unassigned shards', ['right']),
  column('pending_tasks', 'pt,pendingTasks', 'number of waiting changes to the cluster state', ['right']),
  column('max_task_wait_time', 'mtwt,maxTaskWaitTime', 'how long the oldest of them waits', ['right']),
  column('active_shards_percent', 'asp,activeShardsPercent', 'share of the shards that are active', ['right']),
];

export const COUNT_COLUMNS: readonly CatColumn[] = [
  ...TIME_COLUMNS,
  column('count', 'dc,docs.count,docsCount', 'the document count'),
];

export const MANAGER_COLUMNS: readonly CatColumn[] = [
  column('id', '', 'node id'),
  column('host', 'h', 'host name'),
  column('ip', '', 'address'),
  column('node', 'n', 'node name'),
];

export const NODE_ATTRIBUTES_COLUMNS: readonly CatColumn[] = [
  column('node', '', 'name of the node'),
  column('id', 'id,nodeId', 'node id', ['hidden']),
  column('pid', 'p', 'process id', ['hidden']),
  column('host', 'h', 'host of the node'),
  column('ip', 'i', 'address of the node'),
  column('port', 'po', 'port of the transport', ['hidden']),
  column('attr', 'attr.name', 'name of the attribute'),
  column('value', 'attr.value', 'value of the attribute'),
];

export const PLUGINS_COLUMNS: readonly CatColumn[] = [
  column('id', '', 'node id', ['hidden']),
  column('name', 'n', 'name of the node'),
  column('component', 'c', 'name of the plugin'),
  column('version', 'v', 'version of the plugin'),
  column('description', 'd', 'what the plugin does', ['hidden']),
];

export const ALIASES_COLUMNS: readonly CatColumn[] = [
  column('alias', 'a', 'alias name'),
  column('index', 'i,idx', 'index that the alias points to'),
  column('filter', 'f,fi', '* when the alias has a filter'),
  column('routing.index', 'ri,routingIndex', 'routing of writes'),
  column('routing.search', 'rs,routingSearch', 'routing of searches'),
  column('is_write_index', 'w,isWriteIndex', 'whether writes to the alias go here'),
];

export function healthTable(health: ClusterHealth, queue: QueueCounts, nowMs: number): CatTable {
  return {
    columns: HEALTH_COLUMNS,
    rows: [
      [
        ...timeCells(nowMs),
        health.clusterName,
        health.status,
        health.numberOfNodes,
        health.numberOfDataNodes,
        health.activeShards,
        health.activePrimaryShards,
        health.relocatingShards,
        health.initializingShards,
        health.unassignedShards,
        queue.waiting,
        queue.longestMs === 0 ? NOTHING : { kind: 'duration', ms: queue.longestMs },
        `${health.activeShardsPercent.toFixed(1)}%`,
      ],
    ],
  };
}

export function countTable(count: number, nowMs: number): CatTable {
  return { columns: COUNT_COLUMNS, rows: [[...timeCells(nowMs), count]] };
}

export function managerTable(state: ClusterState): CatTable {
  const node = state.clusterManagerId === null ? undefined : state.nodes.get(state.clusterManagerId);
  const cells =
    node === undefined
      ? [NOTHING, NOTHING, NOTHING, NOTHING]
      : [node.id, node.address.host, node.address.host, node.name];
  return { columns: MANAGER_COLUMNS, rows: [cells] };
}

/** A row for each attribute of each node. @param pidOf null for a node that did not answer */
export function nodeAttributesTable(
  nodes: readonly DiscoveryNode[],
  pidOf: (node: DiscoveryNode) => number | null,
): CatTable {
  const rows = nodes.flatMap((node) => {
    const { host, port } = node.address;
    return Object.entries(node.attributes).map(([name, value]): readonly CatCell[] => [
      node.name,
      node.id,
      pidOf(node),
      host,
      host,
      port,
      name,
      value,
    ]);
  });
  return { columns: NODE_ATTRIBUTES_COLUMNS, rows };
}

/** @param names aliases wanted, wildcards allowed; empty: all */
export function aliasesTable(indices: readonly IndexMetadata[], names: readonly string[]): CatTable {
  const rows = indices.flatMap((index) => {
    const aliases = names.length === 0 ? [...index.aliases.values()] : matchingAliases(index, names);
    return aliases.map((alias): readonly CatCell[] => [
      alias.name,
      index.name,
      alias.filter === null ? NOTHING : '*',
      alias.indexRouting ?? NOTHING,
      alias.searchRouting ?? NOTHING,
      alias.isWriteIndex === null ? NOTHING : String(alias.isWriteIndex),
    ]);
  });
  return { columns: ALIASES_COLUMNS, rows };
}

function timeCells(nowMs: number): readonly CatCell[] {
  return [Math.floor(nowMs / SECOND_MS), new Date(nowMs).toISOString().slice(11, 19)];
}

/**
 * `_cat/nodes`: one row a node, from what the cluster state and the node's own statistics say. A node that did not answer has empty
 * cells, never a row less.
 */

import { roleLetters } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import { askNodes, type CoordinatorContext } from '@shoal/coordinator';
import { API_VERSION } from '@shoal/core';
import { type HttpRequest, withoutEffect } from '@shoal/http';
import { NODE_INFO, NODE_STATS, SHARD_STATS, type ShardStatsMap } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { sumShardStats } from '../bodies/shard-stats-body.ts';
import { numberAt, type StatsTree, textAt } from '../bodies/stats-tree.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';
import { bytesCell, summedStatColumns } from './table/stat-columns.ts';

export interface NodeRow {
  readonly node: DiscoveryNode;
  readonly isClusterManager: boolean;
  /** Its part of `_nodes/stats`; empty when it did not answer. */
  readonly stats: StatsTree;
  readonly pid: number | null;
  /** Where it says that its HTTP port is; null when it has none, or did not answer. */
  readonly httpAddress: string | null;
  /** Sum of its shards; null when it did not answer. */
  readonly shards: ShardStatsMap | null;
  readonly showFullId: boolean;
}

interface NodeColumn {
  readonly column: CatColumn;
  readonly value: (row: NodeRow) => CatCell;
}

const SHORT_ID_CHARS = 4;

const HIDDEN = ['hidden'] as const;

const HIDDEN_RIGHT = ['hidden', 'right'] as const;

const RIGHT = ['right'] as const;

const IDENTITY: readonly NodeColumn[] = [
  {
    column: column('id', 'id,nodeId', 'node id', HIDDEN),
    value: (row) => (row.showFullId ? row.node.id : row.node.id.slice(0, SHORT_ID_CHARS)),
  },
  { column: column('pid', 'p', 'process id', HIDDEN), value: (row) => row.pid },
  { column: column('ip', 'i', 'address'), value: (row) => row.node.address.host },
  { column: column('port', 'po', 'transport port', HIDDEN), value: (row) => row.node.address.port },
  {
    column: column('http_address', 'http', 'address of HTTP', HIDDEN),
    value: (row) => row.httpAddress ?? row.node.httpAddress,
  },
  { column: column('version', 'v', 'version', HIDDEN), value: () => API_VERSION.number },
];

const MACHINE: readonly NodeColumn[] = [
  {
    column: column('disk.total', 'dt,diskTotal', 'size of the disk', HIDDEN_RIGHT),
    value: bytesAt('fs.total.total_in_bytes'),
  },
  {
    column: column('disk.used', 'du,diskUsed', 'used on the disk', HIDDEN_RIGHT),
    value: (row) => mapNumber(diskUsed(row), bytesCell),
  },
  {
    column: column('disk.avail', 'd,da,disk,diskAvail', 'free on the disk', HIDDEN_RIGHT),
    value: bytesAt('fs.total.available_in_bytes'),
  },
  {
    column: column('disk.used_percent', 'dup,diskUsedPercent', 'share of the disk used', HIDDEN_RIGHT),
    value: diskUsedPercent,
  },
  {
    column: column('heap.current', 'hc,heapCurrent', 'used heap', HIDDEN_RIGHT),
    value: bytesAt('jvm.mem.heap_used_in_bytes'),
  },
  {
    column: column('heap.percent', 'hp,heapPercent', 'share of the heap used', RIGHT),
    value: at('jvm.mem.heap_used_percent'),
  },
  {
    column: column('heap.max', 'hm,heapMax', 'largest heap', HIDDEN_RIGHT),
    value: bytesAt('jvm.mem.heap_max_in_bytes'),
  },
  {
    column: column('ram.current', 'rc,ramCurrent', 'used memory of the machine', HIDDEN_RIGHT),
    value: bytesAt('os.mem.used_in_bytes'),
  },
  {
    column: column('ram.percent', 'rp,ramPercent', 'share of the memory used', RIGHT),
    value: at('os.mem.used_percent'),
  },
  {
    column: column('ram.max', 'rm,ramMax', 'memory of the machine', HIDDEN_RIGHT),
    value: bytesAt('os.mem.total_in_bytes'),
  },
  {
    column: column('file_desc.current', 'fdc,fileDescriptorCurrent', 'open files', HIDDEN_RIGHT),
    value: at('process.open_file_descriptors'),
  },
  {
    column: column(
      'file_desc.percent',
      'fdp,fileDescriptorPercent',
      'share of the files that may be open',
      HIDDEN_RIGHT,
    ),
    value: fileDescriptorPercent,
  },
  {
    column: column('file_desc.max', 'fdm,fileDescriptorMax', 'files that may be open', HIDDEN_RIGHT),
    value: at('process.max_file_descriptors'),
  },
  { column: column('cpu', 'cpu', 'recent use of the processors, in percent', RIGHT), value: at('os.cpu.percent') },
  { column: column('load_1m', 'l', 'load over one minute', RIGHT), value: load('1m') },
  { column: column('load_5m', 'l', 'load over five minutes', RIGHT), value: load('5m') },
  { column: column('load_15m', 'l', 'load over fifteen minutes', RIGHT), value: load('15m') },
  {
    column: column('uptime', 'u', 'time since the start', HIDDEN_RIGHT),
    value: (row) => mapNumber(numberAt(row.stats, 'jvm.uptime_in_millis'), (ms) => ({ kind: 'duration', ms })),
  },
];

const ROLE: readonly NodeColumn[] = [
  {
    column: column(
      'node.role',
      'r,role,nodeRole',
      'd data, i ingest, m can be elected, r remote clusters, v votes only, - none',
    ),
    value: (row) => roleLetters(row.node.roles),
  },
  {
    column: column('master', 'm', '* for the elected one'),
    value: (row) => (row.isClusterManager ? '*' : '-'),
  },
  { column: column('name', 'n', 'node name'), value: (row) => row.node.name },
];

const COLUMNS: readonly NodeColumn[] = [
  ...IDENTITY,
  ...MACHINE,
  ...ROLE,
  ...summedStatColumns().map(({ column: c, value }) => ({
    column: c,
    value: (row: NodeRow) => (row.shards === null ? null : value(row.shards)),
  })),
];

const NODES_COLUMNS: readonly CatColumn[] = COLUMNS.map((c) => c.column);

export const catNodesApi: RestApi = catApi({
  usageName: 'cat_nodes_action',
  paths: ['/_cat/nodes'],
  privilege: 'cluster:monitor/nodes/stats',
  columns: NODES_COLUMNS,
  params: {
    full_id: 'boolean',
    include_unloaded_segments: withoutEffect('boolean', 'segments are counted whether they are in memory or not'),
  },
  table: nodes,
});

async function nodes(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const all = [...state.nodes.values()];
  const dataNodes = all.filter((node) => node.roles.includes('data'));
  const [stats, info, copies] = await Promise.all([
    askNodes(context, all, NODE_STATS, () => ({})),
    askNodes(context, all, NODE_INFO, () => ({})),
    askNodes(context, dataNodes, SHARD_STATS, () => ({ indices: null })),
  ]);
  const showFullId = request.params.boolean('full_id', false);
  return nodesTable(
    all.map((node) => {
      const told = info.answers.get(node.id)?.info ?? {};
      return nodeRow(state, node, {
        stats: stats.answers.get(node.id)?.stats ?? {},
        pid: numberAt(told, 'process.id'),
        httpAddress: textAt(told, 'http.publish_address'),
        shards: sumShardStats((copies.answers.get(node.id)?.shards ?? []).map((entry) => entry.stats)),
        showFullId,
      });
    }),
  );
}

export function nodesTable(rows: readonly NodeRow[]): CatTable {
  return { columns: NODES_COLUMNS, rows: rows.map((row) => COLUMNS.map((c) => c.value(row))) };
}

/** The rows of a state, for the nodes given. */
export function nodeRow(
  state: ClusterState,
  node: DiscoveryNode,
  answers: Omit<NodeRow, 'node' | 'isClusterManager'>,
): NodeRow {
  return { node, isClusterManager: node.id === state.clusterManagerId, ...answers };
}

function at(path: string): (row: NodeRow) => CatCell {
  return (row) => numberAt(row.stats, path);
}

function bytesAt(path: string): (row: NodeRow) => CatCell {
  return (row) => mapNumber(numberAt(row.stats, path), bytesCell);
}

function load(span: string): (row: NodeRow) => CatCell {
  return (row) => mapNumber(numberAt(row.stats, `os.cpu.load_average.${span}`), (value) => value.toFixed(2));
}

function mapNumber(value: number | null, show: (value: number) => CatCell): CatCell {
  return value === null ? null : show(value);
}

function diskUsed(row: NodeRow): number | null {
  const total = numberAt(row.stats, 'fs.total.total_in_bytes');
  const free = numberAt(row.stats, 'fs.total.available_in_bytes');
  return total === null || free === null ? null : total - free;
}

function diskUsedPercent(row: NodeRow): CatCell {
  const used = diskUsed(row);
  const total = numberAt(row.stats, 'fs.total.total_in_bytes');
  return used === null || total === null || total === 0 ? null : ((used * 100) / total).toFixed(2);
}

function fileDescriptorPercent(row: NodeRow): CatCell {
  const open = numberAt(row.stats, 'process.open_file_descriptors');
  const max = numberAt(row.stats, 'process.max_file_descriptors');
  return open === null || max === null || max <= 0 ? null : Math.floor((open * 100) / max);
}

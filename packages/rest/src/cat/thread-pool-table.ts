/**
 * `_cat/thread_pool`: one row for each thread pool of each node. A node that did not answer has no pools to show.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { askNodes, type CoordinatorContext } from '@shoal/coordinator';
import { matchesAny } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';
import { NODE_INFO, NODE_STATS } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { isTree, numberAt, type StatsTree } from '../bodies/stats-tree.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';

/** One pool of one node. */
interface PoolRow {
  readonly node: DiscoveryNode;
  readonly pid: number | null;
  readonly pool: string;
  /** Entry of the pool in `_nodes/stats`. */
  readonly stats: StatsTree;
  /** Entry of the pool in `_nodes`; empty when the node did not answer that. */
  readonly info: StatsTree;
}

interface PoolColumn {
  readonly column: CatColumn;
  readonly value: (row: PoolRow) => CatCell;
}

const HIDDEN = ['hidden'] as const;
const HIDDEN_RIGHT = ['hidden', 'right'] as const;
const RIGHT = ['right'] as const;

const IDENTITY: readonly PoolColumn[] = [
  { column: column('node_name', 'nn', 'name of the node'), value: ({ node }) => node.name },
  { column: column('node_id', 'id', 'id of the node', HIDDEN), value: ({ node }) => node.id },
  {
    column: column('ephemeral_node_id', 'eid', 'id of the node since its start', HIDDEN),
    value: ({ node }) => node.ephemeralId,
  },
  { column: column('pid', 'p', 'process id', HIDDEN), value: ({ pid }) => pid },
  { column: column('host', 'h', 'host of the node', HIDDEN), value: ({ node }) => node.address.host },
  { column: column('ip', 'i', 'address of the node', HIDDEN), value: ({ node }) => node.address.host },
  { column: column('port', 'po', 'transport port of the node', HIDDEN), value: ({ node }) => node.address.port },
  { column: column('name', 'n', 'name of the pool'), value: ({ pool }) => pool },
  { column: column('type', 't', 'type of the pool', HIDDEN), value: ({ info }) => textOf(info.type) },
];

const NUMBERS: readonly PoolColumn[] = [
  { column: column('active', 'a', 'calls that a thread works on', RIGHT), value: stat('active') },
  { column: column('pool_size', 'psz', 'threads that run', HIDDEN_RIGHT), value: stat('threads') },
  { column: column('queue', 'q', 'calls that wait', RIGHT), value: stat('queue') },
  {
    column: column('queue_size', 'qs', 'calls that may wait, -1 without a limit', HIDDEN_RIGHT),
    value: setting('queue_size'),
  },
  { column: column('rejected', 'r', 'calls refused', RIGHT), value: stat('rejected') },
  { column: column('largest', 'l', 'most threads that ran at once', HIDDEN_RIGHT), value: stat('largest') },
  { column: column('completed', 'c', 'calls answered', HIDDEN_RIGHT), value: stat('completed') },
  { column: column('core', 'cr', 'threads that a scaling pool keeps', HIDDEN_RIGHT), value: setting('core') },
  { column: column('max', 'mx', 'most threads of a scaling pool', HIDDEN_RIGHT), value: setting('max') },
  { column: column('size', 'sz', 'threads of a fixed pool', HIDDEN_RIGHT), value: setting('size') },
  {
    column: column('keep_alive', 'ka', 'how long a scaling pool keeps idle threads', HIDDEN_RIGHT),
    value: ({ info }) => textOf(info.keep_alive),
  },
];

const COLUMNS: readonly PoolColumn[] = [...IDENTITY, ...NUMBERS];

export const catThreadPoolApi: RestApi = catApi({
  usageName: 'cat_threadpool_action',
  paths: ['/_cat/thread_pool', '/_cat/thread_pool/{thread_pool_patterns}'],
  privilege: 'cluster:monitor/nodes/stats',
  columns: COLUMNS.map((c) => c.column),
  table: threadPools,
});

async function threadPools(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const nodes = [...state.nodes.values()];
  const [stats, info] = await Promise.all([
    askNodes(context, nodes, NODE_STATS, () => ({})),
    askNodes(context, nodes, NODE_INFO, () => ({})),
  ]);
  const patterns = request.params.list('thread_pool_patterns');
  const rows = nodes.flatMap((node) =>
    poolRows(node, stats.answers.get(node.id)?.stats ?? {}, info.answers.get(node.id)?.info ?? {}),
  );
  const wanted = patterns.length === 0 ? rows : rows.filter(({ pool }) => matchesAny(patterns, pool));
  return { columns: COLUMNS.map((c) => c.column), rows: wanted.map((row) => COLUMNS.map((c) => c.value(row))) };
}

/** The pools of one node, by name. */
function poolRows(node: DiscoveryNode, stats: StatsTree, info: StatsTree): readonly PoolRow[] {
  const pools = treeOf(stats.thread_pool);
  const settings = treeOf(info.thread_pool);
  const pid = numberAt(info, 'process.id');
  return Object.keys(pools)
    .sort()
    .map((pool) => ({ node, pid, pool, stats: treeOf(pools[pool]), info: treeOf(settings[pool]) }));
}

function stat(name: string): (row: PoolRow) => CatCell {
  return ({ stats }) => numberAt(stats, name);
}

function setting(name: string): (row: PoolRow) => CatCell {
  return ({ info }) => numberAt(info, name);
}

/** Another node sent it: what is no map is an empty one. */
function treeOf(value: unknown): StatsTree {
  return isTree(value) ? value : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

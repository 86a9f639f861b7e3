/**
 * The `_cat` tables: each gathers what its rows need; `cat-route.ts` shows them.
 */
import { clusterHealth, type HealthStatus } from '@shoal/cluster';
import {
  askNodes,
  type CoordinatorContext,
  executeCount,
  filterNodes,
  gatherStats,
  type IndicesOptions,
  listTasks,
  METADATA_INDICES_OPTIONS,
  READ_INDICES_OPTIONS,
  resolveIndexNames,
  resolveIndices,
} from '@shoal/coordinator';
import { type HttpRequest, type Route, textResponse } from '@shoal/http';
import { type ClusterState, NODE_INFO, NODE_STATS, SHARD_STATS } from '@shoal/protocol';
import { sumShardStats } from '../bodies/shard-stats-body.ts';
import { numberAt } from '../bodies/stats-tree.ts';
import { queueCounts } from '../cluster/pending-tasks-body.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { readState } from '../request/manager-access.ts';
import { ALLOCATION_COLUMNS, allocationTable } from './allocation-table.ts';
import { type CatRoute, catRoute } from './cat-route.ts';
import type { CatTable } from './cat-table.ts';
import { INDICES_COLUMNS, indicesTable } from './indices-table.ts';
import { NODES_COLUMNS, nodeRow, nodesTable } from './nodes-table.ts';
import { SHARDS_COLUMNS, shardsTable } from './shards-table.ts';
import {
  ALIASES_COLUMNS,
  aliasesTable,
  COUNT_COLUMNS,
  countTable,
  HEALTH_COLUMNS,
  healthTable,
  MANAGER_COLUMNS,
  managerTable,
  NODE_ATTRIBUTES_COLUMNS,
  nodeAttributesTable,
  PLUGINS_COLUMNS,
} from './small-tables.ts';
import { TASKS_COLUMNS, tasksTable } from './tasks-table.ts';

const HEALTHS: readonly HealthStatus[] = ['green', 'yellow', 'red'];
const EVERY_INDEX: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToHidden: true };
/** Nodes that hold data are the ones with an allocation, unless others are named. */
const DATA_NODES: readonly string[] = ['data:true'];

function names(
  state: ClusterState,
  request: HttpRequest,
  context: CoordinatorContext,
  defaults: IndicesOptions,
): readonly string[] {
  const options = indicesOptionsOf(request.params, defaults);
  return resolveIndexNames(state, request.params.string('index'), options, context.runtime.clock.wallMs());
}

const health: CatRoute['table'] = async (request, context) => {
  const state = await readState(request, context);
  const queue = await queueCounts(request, context, state);
  return healthTable(clusterHealth(state, null), queue, context.runtime.clock.wallMs());
};

const indices: CatRoute['table'] = async (request, context) => {
  const state = await readState(request, context);
  const found = names(state, request, context, METADATA_INDICES_OPTIONS);
  const open = found.filter((index) => state.metadata.indices.get(index)?.state === 'open');
  const { copies } = await gatherStats(context, state, open);
  const wanted = HEALTHS.find((status) => status === request.params.string('health')) ?? null;
  return indicesTable(state, found, copies, wanted);
};

const shards: CatRoute['table'] = async (request, context) => {
  const state = await readState(request, context);
  const found = names(state, request, context, EVERY_INDEX);
  const { copies } = await gatherStats(context, state, found);
  return shardsTable(state, found, copies, context.runtime.clock.wallMs());
};

const nodes: CatRoute['table'] = async (request, context) => {
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
    all.map((node) =>
      nodeRow(state, node, {
        stats: stats.answers.get(node.id)?.stats ?? {},
        pid: numberAt(info.answers.get(node.id)?.info ?? {}, 'process.id'),
        shards: sumShardStats((copies.answers.get(node.id)?.shards ?? []).map((entry) => entry.stats)),
        showFullId,
      }),
    ),
  );
};

const allocation: CatRoute['table'] = async (request, context) => {
  const state = await readState(request, context);
  const named = request.params.list('node_id');
  const found = filterNodes(state, context.cluster.localNode.id, named.length === 0 ? DATA_NODES : named);
  const [stats, copies] = await Promise.all([
    askNodes(context, found, NODE_STATS, () => ({})),
    askNodes(
      context,
      found.filter((node) => node.roles.includes('data')),
      SHARD_STATS,
      () => ({ indices: null }),
    ),
  ]);
  return allocationTable(
    state,
    found.map((node) => {
      const entries = copies.answers.get(node.id)?.shards;
      const bytes = sumShardStats((entries ?? []).map((entry) => entry.stats)).storeBytes ?? 0;
      const isSilent = entries === undefined && node.roles.includes('data');
      return { node, stats: stats.answers.get(node.id)?.stats ?? {}, storeBytes: isSilent ? null : bytes };
    }),
  );
};

const nodeAttributes: CatRoute['table'] = async (request, context) => {
  const state = await readState(request, context);
  const all = [...state.nodes.values()].filter((node) => Object.keys(node.attributes).length > 0);
  const info = await askNodes(context, all, NODE_INFO, () => ({}));
  return nodeAttributesTable(all, (node) => numberAt(info.answers.get(node.id)?.info ?? {}, 'process.id'));
};

/** As `_count` counts: documents that a search would see. */
const count: CatRoute['table'] = async (request, context) => {
  await readState(request, context);
  const outcome = await executeCount(context, {
    expression: request.params.string('index'),
    indicesOptions: indicesOptionsOf(request.params, READ_INDICES_OPTIONS),
    body: null,
    params: {},
    routings: [],
    signal: request.signal,
  });
  return countTable(outcome.count, context.runtime.clock.wallMs());
};

const aliases: CatRoute['table'] = async (request, context): Promise<CatTable> => {
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, EVERY_INDEX);
  const found = resolveIndices(state, null, options, context.runtime.clock.wallMs());
  return aliasesTable(
    found.map(({ index }) => index),
    request.params.list('name'),
  );
};

const tasks: CatRoute['table'] = async (request, context) => {
  const { params } = request;
  const parent = params.string('parent_task_id');
  const found = await listTasks(context, {
    actions: params.list('actions'),
    nodes: params.list(params.has('nodes') ? 'nodes' : 'node_id'),
    parentTaskId: parent === null || parent === '' ? null : parent,
    taskId: null,
    waitMs: null,
  });
  return tasksTable(found, params.boolean('detailed', false));
};

const TABLES: readonly CatRoute[] = [
  {
    paths: ['/_cat/aliases', '/_cat/aliases/{name}'],
    columns: ALIASES_COLUMNS,
    params: INDICES_OPTIONS_PARAMETERS,
    table: aliases,
  },
  { paths: ['/_cat/allocation', '/_cat/allocation/{node_id}'], columns: ALLOCATION_COLUMNS, table: allocation },
  {
    paths: ['/_cat/count', '/_cat/count/{index}'],
    columns: COUNT_COLUMNS,
    params: INDICES_OPTIONS_PARAMETERS,
    table: count,
  },
  { paths: ['/_cat/health'], columns: HEALTH_COLUMNS, table: health },
  {
    paths: ['/_cat/indices', '/_cat/indices/{index}'],
    columns: INDICES_COLUMNS,
    params: { ...INDICES_OPTIONS_PARAMETERS, health: HEALTHS, include_unloaded_segments: 'boolean' },
    table: indices,
  },
  {
    paths: ['/_cat/master'],
    columns: MANAGER_COLUMNS,
    table: async (request, context) => managerTable(await readState(request, context)),
  },
  { paths: ['/_cat/nodeattrs'], columns: NODE_ATTRIBUTES_COLUMNS, table: nodeAttributes },
  {
    paths: ['/_cat/nodes'],
    columns: NODES_COLUMNS,
    params: { full_id: 'boolean', include_unloaded_segments: 'boolean' },
    table: nodes,
  },
  {
    paths: ['/_cat/plugins'],
    columns: PLUGINS_COLUMNS,
    params: { include_bootstrap: 'boolean' },
    // Nodes load no plugins, and say so in `_nodes` too.
    table: async (request, context) => {
      await readState(request, context);
      return { columns: PLUGINS_COLUMNS, rows: [] };
    },
  },
  {
    paths: ['/_cat/shards', '/_cat/shards/{index}'],
    columns: SHARDS_COLUMNS,
    params: INDICES_OPTIONS_PARAMETERS,
    table: shards,
  },
  {
    paths: ['/_cat/tasks'],
    columns: TASKS_COLUMNS,
    params: { actions: 'list', nodes: 'list', node_id: 'list', detailed: 'boolean', parent_task_id: 'string' },
    table: tasks,
  },
];

const HELP_PAGE: string = ['=^.^=', ...TABLES.flatMap((table) => table.paths)].map((line) => `${line}\n`).join('');

export const catRoutes: readonly Route<CoordinatorContext>[] = [
  { methods: ['GET'], paths: ['/_cat'], handler: async () => textResponse(HELP_PAGE) },
  ...TABLES.map(catRoute),
];

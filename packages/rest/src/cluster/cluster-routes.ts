/**
 * The cluster's own settings, its decisions about shards, and who may vote.
 */

import {
  askNodes,
  type CoordinatorContext,
  filterNodes,
  gatherStats,
  NODE_TIMEOUT_MS_DEFAULT,
  nodesHeaderBody,
} from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { emptyResponse, type Route, valueResponse } from '@shoal/http';
import { NODE_INFO, NODE_STATS } from '@shoal/protocol';
import { isTree, type StatsTree } from '../bodies/stats-tree.ts';
import { settingsBody } from '../indices/index-settings-body.ts';
import { bodyObject, checkKeys, flagAt, objectAt, requiredBody, textAt } from '../request/json-body.ts';
import {
  boundedMs,
  CHANGE_PARAMETERS,
  managedState,
  managerTimeouts,
  masterTimeoutMs,
  READ_PARAMETERS,
  readState,
} from '../request/manager-access.ts';
import { clusterStatsBody } from './cluster-stats-body.ts';
import { pendingTasksBody } from './pending-tasks-body.ts';

type Handler = Route<CoordinatorContext>['handler'];

/** Defaults of settings that can change at run time, as `include_defaults` tells them. */
const SETTING_DEFAULTS: Readonly<Record<string, string>> = {
  'action.auto_create_index': 'true',
  'action.destructive_requires_name': 'true',
  'cluster.auto_shrink_voting_configuration': 'true',
  'cluster.blocks.read_only': 'false',
  'cluster.blocks.read_only_allow_delete': 'false',
  'cluster.max_shards_per_node': '1000',
  'cluster.max_voting_config_exclusions': '10',
  'cluster.no_master_block': 'metadata_write',
  'cluster.routing.allocation.enable': 'all',
  'cluster.routing.rebalance.enable': 'all',
  'search.max_buckets': '65535',
};
const SETTINGS_KEYS: readonly string[] = ['persistent', 'transient'];
const EXPLAIN_KEYS: readonly string[] = ['index', 'shard', 'primary', 'current_node'];

const getSettings: Handler = async (request, context) => {
  const state = await readState(request, context);
  const isFlat = request.params.boolean('flat_settings', false);
  const { persistentSettings, transientSettings } = state.metadata;
  return valueResponse({
    persistent: settingsBody(persistentSettings, isFlat),
    transient: settingsBody(transientSettings, isFlat),
    ...(request.params.boolean('include_defaults', false)
      ? {
          defaults: settingsBody(
            await settingDefaults(context, { ...persistentSettings, ...transientSettings }),
            isFlat,
          ),
        }
      : {}),
  });
};

/** What is not set, and what this node was started with. */
async function settingDefaults(
  context: CoordinatorContext,
  set: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const { localNode } = context.cluster;
  const { answers } = await askNodes(context, [localNode], NODE_INFO, () => ({}));
  const settings = answers.get(localNode.id)?.info.settings;
  const attributes = Object.entries(localNode.attributes).map(([name, value]) => [`node.attr.${name}`, value]);
  const all: Record<string, string> = {
    ...SETTING_DEFAULTS,
    'cluster.name': context.cluster.state().clusterName,
    'node.name': localNode.name,
    ...Object.fromEntries(attributes),
    ...(isTree(settings) ? flatTexts(settings, '') : {}),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => set[name] === undefined));
}

function flatTexts(tree: StatsTree, prefix: string): Readonly<Record<string, string>> {
  return Object.assign(
    {},
    ...Object.entries(tree).map(([key, value]) =>
      isTree(value) ? flatTexts(value, `${prefix}${key}.`) : { [prefix + key]: String(value) },
    ),
  );
}

const putSettings: Handler = async (request, context) => {
  const body = requiredBody(request);
  checkKeys(body, SETTINGS_KEYS, (key) => `unknown key [${key}] for cluster settings`);
  const persistent = objectAt(body, 'persistent');
  const transient = objectAt(body, 'transient');
  if (Object.keys(persistent).length + Object.keys(transient).length === 0) {
    throw illegalArgument('no settings to update');
  }
  const changes = { ...managerTimeouts(request), persistent, transient };
  const response = await context.cluster.admin.updateClusterSettings(changes);
  const isFlat = request.params.boolean('flat_settings', false);
  return valueResponse({
    acknowledged: response.acknowledged,
    persistent: settingsBody(response.persistent, isFlat),
    transient: settingsBody(response.transient, isFlat),
  });
};

const explainAllocation: Handler = async (request, context) => {
  const body = bodyObject(request);
  checkKeys(body, EXPLAIN_KEYS, (key) => `unknown key [${key}] for allocation explain`);
  const index = textAt(body, 'index') ?? request.params.string('index');
  const shardText = textAt(body, 'shard') ?? request.params.string('shard');
  const isPrimary =
    flagAt(body, 'primary') ?? (request.params.has('primary') ? request.params.boolean('primary', true) : null);
  const given = [index, shardText, isPrimary].filter((value) => value !== null).length;
  if (given !== 0 && (index === null || shardText === null || isPrimary === null)) {
    throw illegalArgument('Validation Failed: index, shard and primary must be specified together, or none of them;');
  }
  const shard = Number(shardText);
  if (!Number.isSafeInteger(shard) || shard < 0)
    throw illegalArgument(`[shard] must be a shard number, not [${shardText}]`);
  const answer = await context.cluster.admin.explainAllocation({
    shard: index === null || isPrimary === null ? null : { index, shard, isPrimary },
    includeYesDecisions: request.params.boolean('include_yes_decisions', false),
    masterTimeoutMs: masterTimeoutMs(request),
  });
  const diskInfo = request.params.boolean('include_disk_info', false)
    ? { cluster_info: answer.cluster_info ?? { nodes: {} } }
    : {};
  return valueResponse({ ...answer, ...diskInfo });
};

/** Changes wait in the cluster manager's own memory: with `?local=true` any other node truly has none. */
const pendingTasks: Handler = async (request, context) => {
  const { admin, localNode } = context.cluster;
  const state = await readState(request, context);
  const isAsked = !request.params.boolean('local', false) || state.clusterManagerId === localNode.id;
  const tasks = isAsked ? await admin.pendingTasks({ masterTimeoutMs: masterTimeoutMs(request) }) : [];
  return valueResponse(pendingTasksBody(tasks));
};

const addVotingExclusions: Handler = async (request, context) => {
  const nodeIds = request.params.list('node_ids');
  const nodeNames = request.params.list('node_names');
  if ((nodeIds.length === 0) === (nodeNames.length === 0)) {
    throw illegalArgument(
      'Please set node identifiers correctly. One and only one of [node_name], [node_names] and [node_ids] has to be set',
    );
  }
  await context.cluster.admin.addVotingConfigExclusions({ ...managerTimeouts(request), nodeIds, nodeNames });
  return emptyResponse();
};

const clearVotingExclusions: Handler = async (request, context) => {
  const waitForRemoval = request.params.boolean('wait_for_removal', true);
  await context.cluster.admin.clearVotingConfigExclusions({ ...managerTimeouts(request), waitForRemoval });
  return emptyResponse();
};

const clusterStats: Handler = async (request, context) => {
  const state = await managedState(request, context);
  const nodes = filterNodes(state, context.cluster.localNode.id, request.params.list('node_id'));
  const timeoutMs = boundedMs(request.params.timeMs('timeout') ?? NODE_TIMEOUT_MS_DEFAULT);
  const [answers, shards] = await Promise.all([
    askNodes(context, nodes, NODE_STATS, () => ({}), timeoutMs),
    gatherStats(context, state, [...state.metadata.indices.keys()]),
  ]);
  const stats = [...answers.answers.values()].map((answer) => answer.stats);
  return valueResponse({
    _nodes: nodesHeaderBody(answers),
    ...clusterStatsBody(state, { nodes, stats, copies: shards.copies, nowMs: context.runtime.clock.wallMs() }),
  });
};

const SETTINGS_PARAMETERS = { ...CHANGE_PARAMETERS, flat_settings: 'boolean' } as const;

export const clusterRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['GET'],
    paths: ['/_cluster/settings'],
    params: { ...SETTINGS_PARAMETERS, local: 'boolean', include_defaults: 'boolean' },
    handler: getSettings,
  },
  { methods: ['PUT'], paths: ['/_cluster/settings'], params: SETTINGS_PARAMETERS, body: 'json', handler: putSettings },
  {
    methods: ['GET', 'POST'],
    paths: ['/_cluster/allocation/explain'],
    params: {
      ...CHANGE_PARAMETERS,
      index: 'string',
      shard: 'integer',
      primary: 'boolean',
      include_yes_decisions: 'boolean',
      include_disk_info: 'boolean',
    },
    body: 'json',
    handler: explainAllocation,
  },
  { methods: ['GET'], paths: ['/_cluster/pending_tasks'], params: READ_PARAMETERS, handler: pendingTasks },
  {
    methods: ['POST'],
    paths: ['/_cluster/voting_config_exclusions'],
    params: { ...CHANGE_PARAMETERS, node_ids: 'list', node_names: 'list' },
    handler: addVotingExclusions,
  },
  {
    methods: ['DELETE'],
    paths: ['/_cluster/voting_config_exclusions'],
    params: { ...CHANGE_PARAMETERS, wait_for_removal: 'boolean' },
    handler: clearVotingExclusions,
  },
  {
    methods: ['GET'],
    paths: ['/_cluster/stats', '/_cluster/stats/nodes/{node_id}'],
    params: { ...CHANGE_PARAMETERS, flat_settings: 'boolean' },
    handler: clusterStats,
  },
];

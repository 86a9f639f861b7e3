/**
 * Body of `_cluster/state`: the parts that were asked for, in Elasticsearch's shape and order.
 *
 * Mapping and settings are shown as the state holds them; nothing is added that a node could not know by itself. Pure.
 */

import { BLOCK_ID, isRetryableBlock } from '@shoal/cluster';
import {
  type ClusterBlock,
  type ClusterState,
  type IndexMetadata,
  type Metadata,
  type ShardRouting,
  sourceOf,
  type Templates,
  targetOf,
  type UnassignedInfo,
  withoutTargets,
} from '@shoal/cluster-state';
import { StepMeter, type Steps } from '@shoal/core';
import { discoveryNodeBody } from '../bodies/discovery-node-body.ts';
import {
  failureStoreOptionsBody,
  storedDataStreamBody,
  storedIndices,
} from '../indices/data-streams/data-stream-body.ts';
import { settingsBody } from '../indices/settings/index-settings-body.ts';
import { componentTemplateBody, indexTemplateBody, legacyTemplateBody } from '../indices/templates/template-body.ts';
import { pipelineBody } from '../ingest/pipeline-body.ts';
import { storedScriptBody } from '../scripts/stored-script-body.ts';

type Json = Readonly<Record<string, unknown>>;

export type StateMetric =
  | 'version'
  | 'master_node'
  | 'blocks'
  | 'nodes'
  | 'metadata'
  | 'routing_table'
  | 'routing_nodes'
  | 'customs';

export const STATE_METRICS: readonly StateMetric[] = [
  'version',
  'master_node',
  'blocks',
  'nodes',
  'metadata',
  'routing_table',
  'routing_nodes',
  'customs',
];

export interface StateView {
  readonly metrics: ReadonlySet<StateMetric>;
  /** Concrete names; only these appear in blocks, metadata and routing. */
  readonly indices: readonly string[];
  readonly isFlatSettings: boolean;
}

/** Estimated costs of an index and of a copy of a shard, in microseconds. */
const INDEX_UNITS = 30;
const COPY_UNITS = 5;

/** The body in steps: of a thousand indices it takes long. */
export function* clusterStateBody(state: ClusterState, view: StateView): Steps<Json> {
  const wanted = new Set(view.indices);
  const meter = new StepMeter();
  const has = (metric: StateMetric): boolean => view.metrics.has(metric);
  return {
    cluster_name: state.clusterName,
    cluster_uuid: state.metadata.clusterUuid,
    ...(has('version') ? { version: state.version, state_uuid: state.stateUuid } : {}),
    ...(has('master_node') ? { master_node: state.clusterManagerId } : {}),
    ...(has('blocks') ? { blocks: blocksBody(state, wanted) } : {}),
    ...(has('nodes')
      ? { nodes: Object.fromEntries([...state.nodes.values()].map((n) => [n.id, discoveryNodeBody(n)])) }
      : {}),
    ...(has('metadata') ? { metadata: yield* metadataBody(state, wanted, view.isFlatSettings, meter) } : {}),
    ...(has('routing_table') ? { routing_table: yield* routingTableBody(state, wanted, meter) } : {}),
    ...(has('routing_nodes') ? { routing_nodes: yield* routingNodesBody(state, wanted, meter) } : {}),
  };
}

/** One copy of a shard. The target of a primary is one as well: Elasticsearch has both ends lead. */
export function shardRoutingBody(copy: ShardRouting, copies: readonly ShardRouting[]): Json {
  const isWaiting = copy.state === 'UNASSIGNED' || copy.state === 'INITIALIZING';
  const source = sourceOf(copy, copies);
  const otherEnd = (source ?? targetOf(copy, copies))?.allocationId ?? null;
  return {
    state: copy.state,
    primary: copy.isPrimary || source?.isPrimary === true,
    node: copy.nodeId,
    relocating_node: copy.relocatingNodeId,
    shard: copy.shard,
    index: copy.index,
    ...(isWaiting ? { recovery_source: { type: copy.recoverySource } } : {}),
    ...(copy.allocationId === null
      ? {}
      : { allocation_id: { id: copy.allocationId, ...(otherEnd === null ? {} : { relocation_id: otherEnd }) } }),
    ...(copy.failedRelocations === undefined
      ? {}
      : { relocation_failure_info: { failed_attempts: copy.failedRelocations } }),
    ...(copy.unassigned === null ? {} : { unassigned_info: unassignedInfoBody(copy.unassigned) }),
  };
}

function unassignedInfoBody(info: UnassignedInfo): Json {
  // Elasticsearch has the delay beside the status of the last attempt.
  const isDelayed = info.allocationStatus === 'delayed_allocation';
  return {
    reason: info.reason,
    at: new Date(info.atMs).toISOString(),
    ...(info.failedAllocations > 0 ? { failed_attempts: info.failedAllocations } : {}),
    delayed: isDelayed,
    ...(info.details === null ? {} : { details: info.details }),
    allocation_status: isDelayed ? 'no_attempt' : info.allocationStatus,
  };
}

function blocksBody(state: ClusterState, wanted: ReadonlySet<string>): Json {
  const indices = [...state.blocks.indices].filter(([index, blocks]) => wanted.has(index) && blocks.length > 0);
  return {
    ...(state.blocks.global.length > 0 ? { global: blockList(state.blocks.global) } : {}),
    ...(indices.length > 0
      ? { indices: Object.fromEntries(indices.map(([index, blocks]) => [index, blockList(blocks)])) }
      : {}),
  };
}

function blockList(blocks: readonly ClusterBlock[]): Json {
  return Object.fromEntries(
    blocks.map((block) => [
      String(block.id),
      {
        description: block.description,
        retryable: isRetryableBlock(block),
        ...(block.id === BLOCK_ID.stateNotRecovered ? { disable_state_persistence: true } : {}),
        levels: block.levels,
      },
    ]),
  );
}

function* metadataBody(
  state: ClusterState,
  wanted: ReadonlySet<string>,
  isFlatSettings: boolean,
  meter: StepMeter,
): Steps<Json> {
  const metadata = state.metadata;
  const { templates } = metadata;
  const dataStreams = byName(metadata.dataStreams.values(), (stream) => ({
    ...storedDataStreamBody(state, stream),
    ...(stream.failureIndices.length === 0 ? {} : { failure_indices: storedIndices(state, stream.failureIndices) }),
    ...(stream.failureStore === null
      ? {}
      : { options: { failure_store: failureStoreOptionsBody(stream.failureStore) } }),
  }));
  const indices: [string, Json][] = [];
  for (const index of metadata.indices.values()) {
    if (!wanted.has(index.name)) continue;
    indices.push([index.name, indexBody(index, isFlatSettings)]);
    if (meter.isDue(INDEX_UNITS)) yield;
  }
  return {
    cluster_uuid: metadata.clusterUuid,
    cluster_uuid_committed: metadata.clusterUuidCommitted,
    cluster_coordination: coordinationBody(state.term, metadata),
    ...settingsParts(metadata, isFlatSettings),
    templates: byName(templates.legacy.values(), (legacy) => legacyTemplateBody(legacy, isFlatSettings, true)),
    ...templateParts(templates, isFlatSettings),
    ...(metadata.dataStreams.size === 0 ? {} : { data_stream: { data_stream: dataStreams } }),
    ...(metadata.ingestPipelines.size === 0 ? {} : { ingest: { pipeline: ingestBodies(metadata) } }),
    ...repositoriesPart(metadata),
    ...storedScriptsPart(metadata),
    indices: Object.fromEntries(indices),
    'index-graveyard': {
      tombstones: metadata.indexGraveyard.map((grave) => ({
        index: { index_name: grave.index, index_uuid: grave.uuid },
        delete_date_in_millis: grave.deletedAtMs,
      })),
    },
  };
}

function ingestBodies({ ingestPipelines }: Metadata): readonly Json[] {
  return [...ingestPipelines.values()].map((pipeline) => ({ id: pipeline.id, config: pipelineBody(pipeline) }));
}

/** Composable templates are shown only when there are any. */
function templateParts({ component, index }: Templates, isFlat: boolean): Json {
  const components = byName(component.values(), (template) =>
    componentTemplateBody(template, { isFlat, showsDefaults: false }),
  );
  const templates = byName(index.values(), (template) => indexTemplateBody(template, { isFlat, showsDefaults: false }));
  return {
    ...(component.size === 0 ? {} : { component_template: { component_template: components } }),
    ...(index.size === 0 ? {} : { index_template: { index_template: templates } }),
  };
}

/** Repositories are shown only when there are any. */
function repositoriesPart({ repositories }: Metadata): Json {
  if (repositories.size === 0) return {};
  return { repositories: byName(repositories.values(), ({ type, settings }) => ({ type, settings })) };
}

/** Stored scripts are shown only when there are any. */
function storedScriptsPart({ storedScripts }: Metadata): Json {
  if (storedScripts.size === 0) return {};
  return {
    stored_scripts: Object.fromEntries([...storedScripts.values()].map((one) => [one.id, storedScriptBody(one)])),
  };
}

function byName<T extends { readonly name: string }>(values: Iterable<T>, body: (value: T) => Json): Json {
  return Object.fromEntries([...values].map((value) => [value.name, body(value)]));
}

function coordinationBody(term: number, { coordination }: Metadata): Json {
  return {
    term,
    last_committed_config: coordination.lastCommittedConfig,
    last_accepted_config: coordination.lastAcceptedConfig,
    voting_config_exclusions: coordination.votingConfigExclusions.map((exclusion) => ({
      node_id: exclusion.nodeId,
      node_name: exclusion.nodeName,
    })),
  };
}

/** Cluster settings are shown only when there are any. */
function settingsParts(metadata: Metadata, isFlat: boolean): Json {
  const parts = { persistent: metadata.persistentSettings, transient: metadata.transientSettings };
  const set = Object.entries(parts).filter(([, settings]) => Object.keys(settings).length > 0);
  return set.length === 0
    ? {}
    : { settings: Object.fromEntries(set.map(([name, settings]) => [name, settingsBody(settings, isFlat)])) };
}

function indexBody(index: IndexMetadata, isFlat: boolean): Json {
  const hasMapping = Object.keys(index.mapping).length > 0;
  return {
    version: index.version,
    mapping_version: index.mappingVersion,
    settings_version: index.settingsVersion,
    aliases_version: index.aliasesVersion,
    routing_num_shards: index.routingNumShards,
    state: index.state,
    settings: settingsBody(index.settings, isFlat),
    mappings: hasMapping ? { _doc: index.mapping } : {},
    aliases: [...index.aliases.keys()],
    primary_terms: byShard(index.primaryTerms),
    in_sync_allocations: byShard(index.inSyncAllocations),
    rollover_info: {},
    system: false,
  };
}

function byShard(values: readonly unknown[]): Json {
  return Object.fromEntries(values.map((value, shard) => [String(shard), value]));
}

function* routingTableBody(state: ClusterState, wanted: ReadonlySet<string>, meter: StepMeter): Steps<Json> {
  const indices: [string, Json][] = [];
  for (const [index, shards] of state.routing.indices) {
    if (!wanted.has(index)) continue;
    indices.push([
      index,
      { shards: byShard(shards.map((copies) => withoutTargets(copies).map((copy) => shardRoutingBody(copy, copies)))) },
    ]);
    if (meter.isDue(COPY_UNITS * shards.length)) yield;
  }
  return { indices: Object.fromEntries(indices) };
}

function* routingNodesBody(state: ClusterState, wanted: ReadonlySet<string>, meter: StepMeter): Steps<Json> {
  const dataNodes = [...state.nodes.values()].filter((node) => node.roles.includes('data'));
  const byNode = new Map<string, Json[]>(dataNodes.map(({ id }) => [id, []]));
  const unassigned: Json[] = [];
  for (const [index, shards] of state.routing.indices) {
    if (!wanted.has(index)) continue;
    for (const copies of shards) {
      for (const copy of copies) {
        const list = copy.nodeId === null ? unassigned : byNode.get(copy.nodeId);
        list?.push(shardRoutingBody(copy, copies));
      }
      if (meter.isDue(COPY_UNITS * copies.length)) yield;
    }
  }
  return { unassigned, nodes: Object.fromEntries(byNode) };
}

/**
 * Creates an index: name, settings, mapping and aliases checked, its shards unassigned, then a first reroute.
 */

import { checkAnalysis } from '@shoal/analysis';
import {
  type AliasMetadata,
  type ClusterState,
  type IndexMetadata,
  type IndexTemplate,
  withEntries,
} from '@shoal/cluster-state';
import { INDEX_VERSION_CREATED, illegalArgument, ShoalError } from '@shoal/core';
import type { ResizeSourceMessage } from '@shoal/protocol';
import {
  checkIndexSort,
  mergeMapping,
  parseIndexSettings,
  parseMapping,
  parseTemplateSettings,
  SHARD_COUNT_DEFAULTS,
  typedIndexSettings,
} from '@shoal/schema';
import { withExpandedReplicas } from '../allocation/expand-replicas.ts';
import { newIndexRouting, withIndexRouting } from '../allocation/index-routing.ts';
import { reroute } from '../allocation/reroute.ts';
import { parseAliases } from '../declarations/alias-declarations.ts';
import { checkMappingAnalyzers } from '../declarations/analyzer-names.ts';
import { checkIndexSimilarities } from '../declarations/check-similarities.ts';
import { checkIndexName, invalidIndexName } from '../declarations/resource-name.ts';
import { blocksOfIndex, withIndexBlocks } from '../reading/cluster-blocks.ts';
import { checkSynonymSets } from '../synonym-sets/change-synonym-sets.ts';
import { checkTimestampField, layersOfBackingIndex } from '../templates/backing-layers.ts';
import { layersOfFailureIndex } from '../templates/failure-layers.ts';
import {
  aliasesOf,
  hidden,
  layersFor,
  mappingOf,
  refuseGlobalHidden,
  type TemplateLayers,
} from '../templates/template-layers.ts';
import { checkAliasFree, checkWriteIndices } from './index-aliases.ts';
import type { MetadataContext } from './metadata-context.ts';
import { checkShardLimit } from './shard-limit.ts';
import { checkWriteActiveShards } from './write-active-shards.ts';

export interface CreateIndexBody {
  readonly index: string;
  /** Expression with date math that the name came from; absent: the name itself. */
  readonly providedName?: string;
  /** JSON of the body's parts as the user sent them; validated by the cluster manager. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly mappings: Readonly<Record<string, unknown>>;
  readonly aliases: Readonly<Record<string, unknown>>;
  /** `all`, or how many copies of each shard must be started before `shardsAcknowledged`; null: the index's own setting. */
  readonly waitForActiveShards: number | 'all' | null;
  /** The index begins with the documents of another one, whose mapping it has; absent: it begins empty. */
  readonly resize?: ResizeSourceMessage;
}

/** Most shards of one index, the limit of Elasticsearch. */
const SHARDS_MAX = 1_024;

export function createIndex(state: ClusterState, body: CreateIndexBody, context: MetadataContext): ClusterState {
  const { index: name, settings } = body;
  checkIndexName(name);
  checkNameIsFree(state, name);
  const requested = parseTemplateSettings(settings);
  const isHidden = 'index.hidden' in requested ? hidden(requested) : null;
  const layers = layersFor(state.metadata.templates, name, isHidden);
  const { template } = layers;
  if (template !== null) {
    if (template.dataStream !== null) {
      throw illegalArgument(
        `cannot create index with name [${name}], because it matches with template [${template.name}] that creates data streams only, use create data stream api instead`,
      );
    }
    refuseGlobalHidden(template, layers.settings);
  }
  return withNewIndex(state, newIndex(layers, body, context), body, context);
}

/** Creates a backing index of a data stream, from the template that fits the name of the stream. */
export function createBackingIndex(
  state: ClusterState,
  body: CreateIndexBody,
  { stream, template }: { readonly stream: string; readonly template: IndexTemplate },
  context: MetadataContext,
): ClusterState {
  checkNameIsFree(state, body.index);
  const layers = layersOfBackingIndex(state.metadata.templates, template);
  if (layers.aliases.size > 0) {
    throw illegalArgument(
      `template [${template.name}] has alias and data stream definitions: data stream [${stream}] can have no aliases`,
    );
  }
  const index = newIndex(layers, body, context);
  checkTimestampField(index.mapping);
  return withNewIndex(state, index, body, context);
}

/** Creates a failure index of a data stream, from the settings of the template that fits the name of the stream. */
export function createFailureIndex(
  state: ClusterState,
  body: CreateIndexBody,
  template: IndexTemplate,
  context: MetadataContext,
): ClusterState {
  checkNameIsFree(state, body.index);
  const index = newIndex(layersOfFailureIndex(state.metadata.templates, template), body, context);
  return withNewIndex(state, index, body, context);
}

/** The state with the index, its shards unassigned and rerouted once. */
export function withNewIndex(
  state: ClusterState,
  made: IndexMetadata,
  { waitForActiveShards }: CreateIndexBody,
  context: MetadataContext,
): ClusterState {
  const index = withExpandedReplicas(state, made, context);
  const { name } = index;
  for (const alias of index.aliases.keys()) {
    checkAliasFree(state, alias);
    if (alias === name) throw illegalArgument(`alias [${alias}] has the name of its own index`);
  }
  const copies = 1 + index.numberOfReplicas;
  if (typeof waitForActiveShards === 'number' && waitForActiveShards > copies) {
    throw illegalArgument(
      `invalid wait_for_active_shards[${waitForActiveShards}]: cannot be greater than number of shard copies [${copies}]`,
    );
  }
  checkSynonymSets(state, index.settings);
  checkShardLimit(state, context, index.numberOfShards * copies);
  const { metadata, routing } = state;
  const created: ClusterState = {
    ...state,
    metadata: { ...metadata, indices: withEntries(metadata.indices, [[name, index]]) },
    routing: withIndexRouting(routing, [[name, newIndexRouting(index, context.nowMs)]]),
  };
  checkWriteIndices(created);
  return reroute(withIndexBlocks(created, [[name, blocksOfIndex(index.settings, false)]]), context);
}

/** @throws resource_already_exists_exception or invalid_index_name_exception when something has the name already */
export function checkNameIsFree(state: ClusterState, name: string): void {
  const existing = state.metadata.indices.get(name);
  if (existing !== undefined) {
    throw new ShoalError('resource_already_exists_exception', 400, `index [${name}/${existing.uuid}] already exists`, {
      metadata: { index: name, index_uuid: existing.uuid },
    });
  }
  for (const index of state.metadata.indices.values()) {
    if (index.aliases.has(name)) throw invalidIndexName(name, 'already exists as alias');
  }
  if (state.metadata.dataStreams.has(name)) throw invalidIndexName(name, 'already exists as data stream');
}

function newIndex(layers: TemplateLayers, body: CreateIndexBody, context: MetadataContext): IndexMetadata {
  const settings: Record<string, string> = {
    ...SHARD_COUNT_DEFAULTS,
    ...parseIndexSettings(body.settings, layers.settings),
  };
  checkAnalysis(settings, context.files);
  const typed = typedIndexSettings(settings);
  const mapping = mergeMapping({}, mappingOf(layers, body.mappings), typed);
  const parsed = parseMapping(mapping);
  checkMappingAnalyzers(parsed, settings);
  checkIndexSimilarities(parsed, typed.fieldDefaults.similarities);
  checkIndexSort(parsed, typed.sort);
  const aliases = aliasesOf(layers, parseAliases(body.aliases), body.index);
  return newMetadata({ settings, mapping, aliases }, body, context);
}

export interface NewIndexParts {
  /** Flat, with the number of shards and replicas. */
  readonly settings: Readonly<Record<string, string>>;
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly aliases: ReadonlyMap<string, AliasMetadata>;
}

/** Metadata of an index that did not exist before. @throws illegal_argument_exception for too many shards */
export function newMetadata(
  { settings: declared, mapping, aliases }: NewIndexParts,
  body: Pick<CreateIndexBody, 'index' | 'providedName'>,
  context: MetadataContext,
): IndexMetadata {
  const uuid = context.newUuid();
  const settings: Record<string, string> = {
    ...declared,
    'index.uuid': uuid,
    'index.provided_name': body.providedName ?? body.index,
    'index.creation_date': String(context.nowMs),
    'index.version.created': INDEX_VERSION_CREATED,
  };
  const typed = typedIndexSettings(settings);
  const shards = typed.numberOfShards;
  if (shards > SHARDS_MAX) {
    throw illegalArgument(
      `Failed to parse value [${shards}] for setting [index.number_of_shards] must be <= ${SHARDS_MAX}`,
    );
  }
  checkWriteActiveShards(settings, typed.numberOfReplicas);
  return {
    name: body.index,
    uuid,
    state: 'open',
    version: 1,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    settings,
    mapping,
    aliases,
    numberOfShards: shards,
    numberOfReplicas: typed.numberOfReplicas,
    routingNumShards: typed.numberOfRoutingShards,
    primaryTerms: Array.from({ length: shards }, () => 1),
    inSyncAllocations: Array.from({ length: shards }, () => []),
    creationDateMs: context.nowMs,
    restoredFrom: null,
  };
}

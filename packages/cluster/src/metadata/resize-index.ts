/**
 * Makes an index of another one: with fewer shards (shrink), with more (split), or with as many (clone). Mapping and settings are
 * the source's; templates have no part in it.
 *
 * Documents come over the network from wherever they are: unlike in Elasticsearch, the shards of the source need not be on
 * one node.
 */
import { checkAnalysis } from '@shoal/analysis';
import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import { illegalArgument, ShoalError } from '@shoal/core';
import type { ResizeKind, ResizeSourceMessage } from '@shoal/protocol';
import {
  defaultRoutingShards,
  indexSettingRule,
  keepsWhole,
  parseIndexSettings,
  parseMapping,
  SHARD_COUNT_DEFAULTS,
} from '@shoal/schema';
import { parseAliases } from '../declarations/alias-declarations.ts';
import { checkMappingAnalyzers } from '../declarations/analyzer-names.ts';
import { checkIndexName } from '../declarations/resource-name.ts';
import { dataStreamOf, isWriteIndexOf } from '../reading/data-stream-indices.ts';
import { type CreateIndexBody, checkNameIsFree, newMetadata, withNewIndex } from './create-index.ts';
import { requireIndex } from './index-update.ts';
import type { MetadataContext } from './metadata-context.ts';

/** Settings of the source that the new index does not take over. */
const NOT_COPIED: readonly string[] = [
  'index.number_of_shards',
  'index.number_of_replicas',
  'index.number_of_routing_shards',
];

/** @throws illegal_argument_exception or illegal_state_exception where the source or the number of shards does not fit */
export function resizeIndex(
  state: ClusterState,
  body: CreateIndexBody,
  { kind, source: sourceName }: ResizeSourceMessage,
  context: MetadataContext,
): ClusterState {
  const source = requireIndex(state, sourceName);
  if (source.state === 'close') {
    throw new ShoalError('index_closed_exception', 400, 'closed', {
      metadata: { index: source.name, index_uuid: source.uuid },
    });
  }
  const requested = parseIndexSettings(body.settings);
  const shards = shardCount(kind, source, requested['index.number_of_shards']);
  checkShardCount(kind, source, shards);
  checkRequested(kind, source, requested);
  checkIndexName(body.index);
  checkNameIsFree(state, body.index);
  const stream = dataStreamOf(state, source.name);
  if (stream !== null && isWriteIndexOf(stream, source.name)) {
    throw illegalArgument(`cannot resize the write index [${source.name}] for data stream [${stream.name}]`);
  }
  if (!(state.blocks.indices.get(source.name) ?? []).some((block) => block.levels.includes('write'))) {
    throw illegalState(`index ${source.name} must be read-only to resize index. use "index.blocks.write=true"`);
  }
  const mapping = parseMapping(source.mapping);
  if (!keepsWhole(mapping.source)) {
    throw illegalArgument(
      `cannot resize index [${source.name}]: its documents are read from [_source], which the mapping leaves parts out of`,
    );
  }
  const settings = {
    ...SHARD_COUNT_DEFAULTS,
    ...copiedSettings(source),
    ...requested,
    'index.number_of_shards': String(shards),
    'index.resize.source.name': source.name,
    'index.resize.source.uuid': source.uuid,
  };
  checkAnalysis(settings, context.files);
  checkMappingAnalyzers(mapping, settings);
  const index = newMetadata({ settings, mapping: source.mapping, aliases: parseAliases(body.aliases) }, body, context);
  const routingNumShards = routingShards(source, shards, requested['index.number_of_routing_shards']);
  return withNewIndex(state, { ...index, routingNumShards }, body, context);
}

function shardCount(kind: ResizeKind, source: IndexMetadata, requested: string | undefined): number {
  if (requested !== undefined) return Number(requested);
  if (kind === 'split') {
    throw new ShoalError(
      'action_request_validation_exception',
      400,
      'Validation Failed: 1: index.number_of_shards is required for split operations;',
    );
  }
  return kind === 'shrink' ? 1 : source.numberOfShards;
}

function checkShardCount(kind: ResizeKind, source: IndexMetadata, target: number): void {
  const { numberOfShards, routingNumShards } = source;
  if (kind === 'clone') {
    if (target === numberOfShards) return;
    throw illegalArgument(
      `the number of target shards (${target}) must be the same as the number of source shards (${numberOfShards})`,
    );
  }
  if (kind === 'shrink') {
    if (target > numberOfShards) {
      throw illegalArgument(
        `the number of target shards [${target}] must be less that the number of source shards [${numberOfShards}]`,
      );
    }
    if (numberOfShards % target !== 0) {
      throw illegalArgument(`the number of source shards [${numberOfShards}] must be a multiple of [${target}]`);
    }
    return;
  }
  if (target < numberOfShards) {
    throw illegalArgument(
      `the number of source shards [${numberOfShards}] must be less that the number of target shards [${target}]`,
    );
  }
  if (target % numberOfShards !== 0) {
    throw illegalArgument(`the number of source shards [${numberOfShards}] must be a factor of [${target}]`);
  }
  // One shard has every document: any number of shards can be made of it.
  if (numberOfShards > 1 && routingNumShards % target !== 0) {
    throw illegalState(
      `the number of routing shards [${routingNumShards}] must be a multiple of the target shards [${target}]`,
    );
  }
}

function checkRequested(kind: ResizeKind, source: IndexMetadata, requested: Readonly<Record<string, string>>): void {
  if ('index.routing_partition_size' in requested) {
    throw illegalArgument('cannot provide a routing partition size value when resizing an index');
  }
  if (Object.keys(requested).some((name) => name.startsWith('index.sort.'))) {
    throw illegalArgument("can't override index sort when resizing an index");
  }
  const isFromOne = kind === 'split' && source.numberOfShards === 1;
  if ('index.number_of_routing_shards' in requested && !isFromOne) {
    throw illegalArgument('cannot provide index.number_of_routing_shards on resize');
  }
}

/** Hash space of the new index: the source's, so that a document of one shard goes to few, unless one shard has them all. */
function routingShards(source: IndexMetadata, shards: number, requested: string | undefined): number {
  if (requested !== undefined) return Number(requested);
  const isSplit = source.numberOfShards === 1 && shards > 1;
  return isSplit ? defaultRoutingShards(shards) : source.routingNumShards;
}

/** Private settings are of the source alone; the others are copied, its blocks among them. */
function copiedSettings({ settings }: IndexMetadata): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([key]) => !NOT_COPIED.includes(key) && indexSettingRule(key)?.change !== 'private',
    ),
  );
}

function illegalState(reason: string): ShoalError {
  return new ShoalError('illegal_state_exception', 500, reason);
}

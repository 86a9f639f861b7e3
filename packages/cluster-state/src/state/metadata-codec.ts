/** The small parts of the cluster state (coordination, settings, graveyard, blocks) on the wire and on disk. */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import { readIndexUuid } from '../metadata/index-uuid.ts';
import { sortedMap } from '../metadata/sorted-map.ts';
import type { BlockLevel, ClusterBlock, ClusterBlocks, CoordinationMetadata, Metadata } from './cluster-state.ts';

export const INDICES_MAX = 100_000;
const VOTERS_MAX = 10_000;
const EXCLUSIONS_MAX = 10_000;
export const GRAVEYARD_MAX = 500;
const CLUSTER_SETTINGS_MAX = 10_000;
const BLOCKS_MAX = 64;

const BLOCK_LEVELS: readonly BlockLevel[] = ['read', 'write', 'metadata_read', 'metadata_write'];

export function writeCoordination(coordination: CoordinationMetadata): Record<string, unknown> {
  const { lastAcceptedConfig, lastCommittedConfig } = coordination;
  assert(
    (lastAcceptedConfig.length === 0) === (lastCommittedConfig.length === 0),
    `voting configurations [${lastAcceptedConfig}] and committed [${lastCommittedConfig}]`,
  );
  return {
    lastCommittedConfig: [...coordination.lastCommittedConfig],
    lastAcceptedConfig: [...coordination.lastAcceptedConfig],
    votingConfigExclusions: coordination.votingConfigExclusions.map((exclusion) => ({ ...exclusion })),
  };
}

export function readCoordination(r: ValueReader): CoordinationMetadata {
  return {
    lastCommittedConfig: r.list('lastCommittedConfig', ValueReader.asString, VOTERS_MAX),
    lastAcceptedConfig: r.list('lastAcceptedConfig', ValueReader.asString, VOTERS_MAX),
    votingConfigExclusions: r.list('votingConfigExclusions', readExclusion, EXCLUSIONS_MAX),
  };
}

export const readSettings: ItemReader<Readonly<Record<string, string>>> = (value, field) =>
  new ValueReader({ settings: value }, field).map('settings', ValueReader.asString, CLUSTER_SETTINGS_MAX);

export function writeGraveyard(graveyard: Metadata['indexGraveyard']): unknown {
  assert(graveyard.length <= GRAVEYARD_MAX, `${graveyard.length} tombstones of indices, at most ${GRAVEYARD_MAX}`);
  return graveyard.map((tombstone) => ({ ...tombstone }));
}

export const readGraveyard: ItemReader<Metadata['indexGraveyard']> = (value, field) =>
  new ValueReader({ graveyard: value }, field).list('graveyard', readTombstone, GRAVEYARD_MAX);

export function writeBlocks(blocks: ClusterBlocks): Record<string, unknown> {
  return {
    global: blocks.global.map(writeBlock),
    indices: [...blocks.indices].map(([index, list]) => ({ index, blocks: list.map(writeBlock) })),
  };
}

export const readBlocks: ItemReader<ClusterBlocks> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    global: r.list('global', readBlock, BLOCKS_MAX),
    indices: sortedMap(r.list('indices', readIndexBlocks, INDICES_MAX)),
  };
};

const readIndexBlocks: ItemReader<readonly [string, readonly ClusterBlock[]]> = (value, field) => {
  const r = ValueReader.of(value, field);
  return [r.string('index'), r.list('blocks', readBlock, BLOCKS_MAX)];
};

function writeBlock(block: ClusterBlock): Record<string, unknown> {
  return { ...block, levels: [...block.levels] };
}

const readBlock: ItemReader<ClusterBlock> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    id: r.integer('id', 0, 255),
    description: r.string('description'),
    status: r.integer('status', 400, 599),
    levels: r.list('levels', readLevel, BLOCK_LEVELS.length),
  };
};

const readLevel: ItemReader<BlockLevel> = (value, field) =>
  new ValueReader({ level: value }, field).oneOf('level', BLOCK_LEVELS);

const readExclusion: ItemReader<{ nodeId: string; nodeName: string }> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { nodeId: r.string('nodeId'), nodeName: r.string('nodeName') };
};

const readTombstone: ItemReader<Metadata['indexGraveyard'][number]> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    index: r.string('index'),
    uuid: readIndexUuid(r, 'uuid'),
    deletedAtMs: r.integer('deletedAtMs', 0, Number.MAX_SAFE_INTEGER),
  };
};

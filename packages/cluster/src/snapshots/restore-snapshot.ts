/**
 * Restores indices from a snapshot: new indices, or new content of closed ones, whose primaries start from their copies in the
 * repository. Pure: what the snapshot holds was read before.
 */

import { checkAnalysis } from '@shoal/analysis';
import {
  type ClusterState,
  type DataStream,
  GRAVEYARD_MAX,
  type IndexMetadata,
  type IndexRouting,
  type Metadata,
  type RestoreSource,
  withEntries,
} from '@shoal/cluster-state';
import { isShoalError, type ShoalError, simpleMatch } from '@shoal/core';
import { typedIndexSettings, updateIndexSettings } from '@shoal/schema';
import { expandReplicas } from '../allocation/expand-replicas.ts';
import { newIndexRouting, withIndexRouting } from '../allocation/index-routing.ts';
import { reroute } from '../allocation/reroute.ts';
import { checkIndexName } from '../declarations/resource-name.ts';
import { checkAliasFree, checkWriteIndices } from '../metadata/index-aliases.ts';
import { settingsWithReplicas } from '../metadata/index-update.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { checkShardLimit } from '../metadata/shard-limit.ts';
import { blocksOfIndex, withIndexBlocks } from '../reading/cluster-blocks.ts';
import { checkSynonymSets } from '../synonym-sets/change-synonym-sets.ts';
import { snapshotRestoreException } from './snapshot-errors.ts';

export interface RestoredIndex {
  /** Metadata in the snapshot. */
  readonly metadata: IndexMetadata;
  /** Name that it gets. */
  readonly name: string;
  /** Folder of the index in the repository. */
  readonly indexId: string;
  /** Numbers of the shards that the snapshot lacks. */
  readonly missingShards: readonly number[];
}

export interface SnapshotRestore {
  readonly repository: string;
  readonly snapshot: string;
  readonly snapshotUuid: string;
  readonly restoreUuid: string;
  readonly indices: readonly RestoredIndex[];
  /** With the names that they and their indices get. */
  readonly dataStreams: readonly DataStream[];
  readonly includesAliases: boolean;
  /** Shards that the snapshot lacks begin empty. */
  readonly isPartial: boolean;
  /** Settings over those of the snapshot: JSON as the user sent it. */
  readonly indexSettings: Readonly<Record<string, unknown>>;
  /** Names and patterns of settings that are left out. */
  readonly ignoredSettings: readonly string[];
  /** What belongs to the cluster; null: stays as it is. */
  readonly global: Pick<
    Metadata,
    'persistentSettings' | 'templates' | 'ingestPipelines' | 'lifecycle' | 'enrichPolicies'
  > | null;
}

const UNMODIFIABLE: readonly string[] = [
  'index.number_of_shards',
  'index.version.created',
  'index.uuid',
  'index.creation_date',
  'index.history.uuid',
];
const UNREMOVABLE: readonly string[] = [
  ...UNMODIFIABLE,
  'index.number_of_replicas',
  'index.auto_expand_replicas',
  'index.version.upgraded',
];

/** @throws snapshot_restore_exception, and the errors of what an index is made of */
export function restoreSnapshot(state: ClusterState, restore: SnapshotRestore, context: MetadataContext): ClusterState {
  const made = restore.indices.map((restored) => makeIndex(state, restore, restored, context));
  checkShardLimit(
    state,
    context,
    made.reduce((sum, { index, before }) => sum + (before === null ? copiesOf(index) : 0), 0),
  );
  const { metadata } = state;
  const tombstones = made.flatMap(({ before }) =>
    before === null ? [] : [{ index: before.name, uuid: before.uuid, deletedAtMs: context.nowMs }],
  );
  const indices = withEntries(
    metadata.indices,
    made.map(({ index }) => [index.name, index] as const),
  );
  const restored: ClusterState = {
    ...state,
    metadata: {
      ...metadata,
      ...globalOf(metadata, restore.global),
      indices,
      dataStreams: withEntries(
        metadata.dataStreams,
        restore.dataStreams.map((stream) => [stream.name, stream] as const),
      ),
      indexGraveyard: [...metadata.indexGraveyard, ...tombstones].slice(-GRAVEYARD_MAX),
    },
    routing: withIndexRouting(
      state.routing,
      made.map(({ index, routing }) => [index.name, routing] as const),
    ),
  };
  for (const { index } of made) checkNames(restored, restore, index);
  checkWriteIndices(restored);
  const blocks = made.map(({ index }) => [index.name, blocksOfIndex(index.settings, false)] as const);
  return reroute(expandReplicas(withIndexBlocks(restored, blocks), context), context);
}

interface MadeIndex {
  readonly index: IndexMetadata;
  readonly routing: IndexRouting;
  /** The closed index in whose place it comes; null: none. */
  readonly before: IndexMetadata | null;
}

function makeIndex(
  state: ClusterState,
  restore: SnapshotRestore,
  restored: RestoredIndex,
  context: MetadataContext,
): MadeIndex {
  const { metadata: old, name, missingShards } = restored;
  checkIndexName(name);
  if (missingShards.length > 0 && !restore.isPartial) {
    throw refused(restore, `index [${old.name}] wasn't fully snapshotted - cannot restore`);
  }
  const before = state.metadata.indices.get(name) ?? null;
  if (before !== null) checkReplaceable(restore, restored, before);
  const uuid = context.newUuid();
  const settings = { ...settingsOf(restore, restored), 'index.uuid': uuid };
  checkAnalysis(settings, context.files);
  checkSynonymSets(state, settings);
  const { numberOfReplicas } = typedIndexSettings(settings);
  const next = (of: (index: IndexMetadata) => number): number =>
    Math.max(of(old), before === null ? 0 : of(before) + 1);
  const index: IndexMetadata = {
    ...old,
    name,
    uuid,
    state: 'open',
    version: next((i) => i.version),
    mappingVersion: next((i) => i.mappingVersion),
    settingsVersion: next((i) => i.settingsVersion),
    aliasesVersion: next((i) => i.aliasesVersion),
    settings,
    aliases: restore.includesAliases ? old.aliases : (before?.aliases ?? new Map()),
    numberOfReplicas,
    primaryTerms: old.primaryTerms.map((term, shard) => Math.max(term, before?.primaryTerms[shard] ?? 0)),
    inSyncAllocations: old.primaryTerms.map(() => []),
    restoredFrom: sourceOf(restore, restored),
  };
  return { index, before, routing: routingOf(index, missingShards, before !== null, context.nowMs) };
}

function sourceOf(restore: SnapshotRestore, { metadata, indexId }: RestoredIndex): RestoreSource {
  const { repository, snapshot, snapshotUuid, restoreUuid } = restore;
  return { repository, snapshot, snapshotUuid, restoreUuid, index: metadata.name, indexId };
}

function checkReplaceable(
  restore: SnapshotRestore,
  { metadata: old, name, missingShards }: RestoredIndex,
  before: IndexMetadata,
): void {
  if (before.state === 'open') {
    throw refused(
      restore,
      `cannot restore index [${name}] because an open index with same name already exists in the cluster. Either close or delete the existing index or restore the index under a different name by providing a rename pattern and replacement name`,
    );
  }
  if (missingShards.length > 0) {
    throw refused(restore, `cannot restore partial index [${name}] because such index already exists`);
  }
  if (before.numberOfShards !== old.numberOfShards) {
    throw refused(
      restore,
      `cannot restore index [${name}] with [${before.numberOfShards}] shards from a snapshot of index [${old.name}] with [${old.numberOfShards}] shards`,
    );
  }
}

function settingsOf(restore: SnapshotRestore, { metadata, name }: RestoredIndex): Readonly<Record<string, string>> {
  const ignored = restore.ignoredSettings.map(withPrefix);
  const unremovable = ignored.find((key) => UNREMOVABLE.includes(key));
  if (unremovable !== undefined) throw refused(restore, `cannot remove setting [${unremovable}] on restore`);
  const kept = Object.entries(settingsWithReplicas(metadata)).filter(
    ([key]) => UNREMOVABLE.includes(key) || !ignored.some((pattern) => simpleMatch(pattern, key)),
  );
  const changed = keysOf(restore.indexSettings, '').find((key) => UNMODIFIABLE.includes(key));
  if (changed !== undefined) throw refused(restore, `cannot modify setting [${changed}] on restore`);
  return updateIndexSettings(Object.fromEntries(kept), restore.indexSettings, { isOpen: false, index: name });
}

/** Full names of the settings in nested JSON. */
function keysOf(json: Readonly<Record<string, unknown>>, prefix: string): readonly string[] {
  return Object.entries(json).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isNested ? keysOf(value as Readonly<Record<string, unknown>>, `${name}.`) : [withPrefix(name)];
  });
}

function withPrefix(key: string): string {
  return key.startsWith('index.') ? key : `index.${key}`;
}

/** Primaries start from the snapshot; those that it lacks begin empty. */
function routingOf(
  index: IndexMetadata,
  missingShards: readonly number[],
  replaces: boolean,
  nowMs: number,
): IndexRouting {
  const reason = replaces ? 'EXISTING_INDEX_RESTORED' : 'NEW_INDEX_RESTORED';
  return newIndexRouting(index, nowMs).map((copies, shard) =>
    copies.map((copy) => {
      if (copy.unassigned === null) return copy;
      const unassigned = { ...copy.unassigned, reason } as const;
      const beginsEmpty = copy.isPrimary && missingShards.includes(shard);
      return { ...copy, unassigned, recoverySource: beginsEmpty ? 'EMPTY_STORE' : copy.recoverySource };
    }),
  );
}

/** No name stands for two things. */
function checkNames(state: ClusterState, restore: SnapshotRestore, index: IndexMetadata): void {
  const { metadata } = state;
  const isAlias = [...metadata.indices.values()].some(({ aliases }) => aliases.has(index.name));
  if (isAlias) {
    throw refused(
      restore,
      `cannot rename index [${index.restoredFrom?.index}] into [${index.name}] because of conflict with an alias with the same name`,
    );
  }
  if (metadata.dataStreams.has(index.name)) {
    throw refused(restore, `index [${index.name}] has the name of a data stream`);
  }
  try {
    for (const alias of index.aliases.keys()) checkAliasFree(state, alias);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw refused(restore, error.reason ?? error.message);
  }
}

/** Settings and composable parts as the snapshot has them; legacy templates over those that are there. */
function globalOf(metadata: Metadata, global: SnapshotRestore['global']): Partial<Metadata> {
  if (global === null) return {};
  const legacy = withEntries(metadata.templates.legacy, global.templates.legacy);
  return { ...global, templates: { ...global.templates, legacy } };
}

function copiesOf({ numberOfShards, numberOfReplicas }: IndexMetadata): number {
  return numberOfShards * (1 + numberOfReplicas);
}

function refused({ repository, snapshot, snapshotUuid }: SnapshotRestore, why: string): ShoalError {
  return snapshotRestoreException(repository, `${snapshot}/${snapshotUuid}`, why);
}

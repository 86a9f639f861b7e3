/** One index of the cluster state on the wire and on disk. */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import { readPlainObject } from '../json/plain-json.ts';
import type { AliasMetadata } from '../metadata/alias-metadata.ts';
import { isIndexUuid, readIndexUuid } from '../metadata/index-uuid.ts';
import { readRestoreSource } from '../metadata/restore-source.ts';
import { sortedMap } from '../metadata/sorted-map.ts';
import type { IndexMetadata } from './cluster-state.ts';

export const SHARDS_PER_INDEX_MAX = 1_024;
const REPLICAS_MAX = 1_000;
const ROUTING_SHARDS_MAX = 2 ** 31 - 1;
export const INDEX_SETTINGS_MAX = 10_000;
export const ALIASES_MAX = 10_000;
const IN_SYNC_MAX = 1_000;
const COUNTER_MAX = Number.MAX_SAFE_INTEGER;

/** @param withoutMapping leaves the mapping out: the reader has it from the state that a diff starts from */
export function writeIndexMetadata(index: IndexMetadata, withoutMapping = false): Record<string, unknown> {
  const { name, numberOfShards: shards, routingNumShards } = index;
  assert(isIndexUuid(index.uuid), `[${name}] has the uuid [${index.uuid}], which is no name of a folder`);
  assert(index.primaryTerms.length === shards, `[${name}] has ${index.primaryTerms.length} terms, ${shards} shards`);
  assert(index.inSyncAllocations.length === shards, `[${name}] has ${index.inSyncAllocations.length} in-sync sets`);
  assert(routingNumShards % shards === 0, `[${name}] routes by ${routingNumShards} slots to ${shards} shards`);
  return {
    name: index.name,
    uuid: index.uuid,
    state: index.state,
    version: index.version,
    mappingVersion: index.mappingVersion,
    settingsVersion: index.settingsVersion,
    aliasesVersion: index.aliasesVersion,
    settings: { ...index.settings },
    mapping: withoutMapping ? null : index.mapping,
    aliases: [...index.aliases.values()].map((alias) => ({ ...alias })),
    numberOfShards: index.numberOfShards,
    numberOfReplicas: index.numberOfReplicas,
    routingNumShards: index.routingNumShards,
    primaryTerms: [...index.primaryTerms],
    inSyncAllocations: index.inSyncAllocations.map((ids) => [...ids]),
    creationDateMs: index.creationDateMs,
    ...(index.rolledOverMs === undefined ? {} : { rolledOverMs: index.rolledOverMs }),
    restoredFrom: index.restoredFrom === null ? null : { ...index.restoredFrom },
  };
}

/** @param base the same index in the state that a diff starts from; null in a full state */
export function readIndexMetadata(value: unknown, field: string, base: IndexMetadata | null = null): IndexMetadata {
  const r = ValueReader.of(value, field);
  const uuid = readIndexUuid(r, 'uuid');
  const numberOfShards = r.integer('numberOfShards', 1, SHARDS_PER_INDEX_MAX);
  const primaryTerms = r.list('primaryTerms', ValueReader.integerIn(0, COUNTER_MAX), SHARDS_PER_INDEX_MAX);
  const inSyncAllocations = r.list('inSyncAllocations', readIds, SHARDS_PER_INDEX_MAX);
  if (primaryTerms.length !== numberOfShards) r.refuse('primaryTerms', 'one number for each shard');
  if (inSyncAllocations.length !== numberOfShards) r.refuse('inSyncAllocations', 'one list for each shard');
  const routingNumShards = r.integer('routingNumShards', 1, ROUTING_SHARDS_MAX);
  if (routingNumShards % numberOfShards !== 0) r.refuse('routingNumShards', 'a multiple of the number of shards');
  if (!r.has('mapping') && base?.uuid !== uuid) r.refuse('mapping', 'a mapping: the base state has none');
  return {
    name: r.string('name'),
    uuid,
    state: r.oneOf('state', ['open', 'close']),
    version: r.integer('version', 0, COUNTER_MAX),
    mappingVersion: r.integer('mappingVersion', 0, COUNTER_MAX),
    settingsVersion: r.integer('settingsVersion', 0, COUNTER_MAX),
    aliasesVersion: r.integer('aliasesVersion', 0, COUNTER_MAX),
    settings: r.map('settings', ValueReader.asString, INDEX_SETTINGS_MAX),
    mapping: r.optional('mapping', readPlainObject) ?? base?.mapping ?? {},
    aliases: sortedMap(r.list('aliases', readAlias, ALIASES_MAX).map((alias) => [alias.name, alias])),
    numberOfShards,
    numberOfReplicas: r.integer('numberOfReplicas', 0, REPLICAS_MAX),
    routingNumShards,
    primaryTerms,
    inSyncAllocations,
    creationDateMs: r.integer('creationDateMs', 0, COUNTER_MAX),
    ...(r.has('rolledOverMs') ? { rolledOverMs: r.integer('rolledOverMs', 0, COUNTER_MAX) } : {}),
    restoredFrom: r.optional('restoredFrom', readRestoreSource),
  };
}

const readIds: ItemReader<readonly string[]> = (value, field) =>
  new ValueReader({ ids: value }, field).list('ids', ValueReader.asString, IN_SYNC_MAX);

export const readAlias: ItemReader<AliasMetadata> = (value, field) => {
  const r = ValueReader.of(value, field);
  const flag = (name: string): boolean | null => r.optional(name, ValueReader.asBoolean);
  return {
    name: r.string('name'),
    filter: r.optional('filter', readPlainObject),
    indexRouting: r.optionalString('indexRouting'),
    searchRouting: r.optionalString('searchRouting'),
    isWriteIndex: flag('isWriteIndex'),
    isHidden: flag('isHidden'),
  };
};

/**
 * The whole cluster state as a plain value, for the disk and for nodes that cannot take a diff.
 *
 * The reader trusts nothing: what it returns is either a state whose parts fit together, or an error.
 */
import { assert, runSteps, type Steps, ValueReader } from '@shoal/core';
import { readDataStreams, writeDataStreams } from '../metadata/data-stream.ts';
import { NO_ENRICH_POLICIES, readEnrichPolicies, writeEnrichPolicies } from '../metadata/enrich-policies.ts';
import { NO_INGEST_PIPELINES, readIngestPipelines, writeIngestPipelines } from '../metadata/ingest-pipelines.ts';
import { NO_LIFECYCLE, readLifecycle, writeLifecycle } from '../metadata/lifecycle.ts';
import { readRepositories, writeRepositories } from '../metadata/repository-metadata.ts';
import { readRunningSnapshots, writeRunningSnapshots } from '../metadata/running-snapshot.ts';
import { NO_SNAPSHOT_POLICIES, readSnapshotPolicies, writeSnapshotPolicies } from '../metadata/snapshot-policies.ts';
import { sortedMap } from '../metadata/sorted-map.ts';
import { NO_STORED_SCRIPTS, readStoredScripts, writeStoredScripts } from '../metadata/stored-scripts.ts';
import { NO_SYNONYM_SETS, readSynonymSets, writeSynonymSets } from '../metadata/synonym-sets.ts';
import { NO_TEMPLATES } from '../metadata/templates.ts';
import type { ClusterState } from './cluster-state.ts';
import { readDiscoveryNode, writeDiscoveryNode } from './discovery-node-codec.ts';
import { readIndexMetadata, writeIndexMetadata } from './index-metadata-codec.ts';
import { listInSteps } from './list-in-steps.ts';
import {
  INDICES_MAX,
  readBlocks,
  readCoordination,
  readGraveyard,
  readSettings,
  writeBlocks,
  writeCoordination,
  writeGraveyard,
} from './metadata-codec.ts';
import { type IndexRouting, readIndexRouting, writeIndexRouting } from './routing-codec.ts';
import { readTemplates, writeTemplates } from './templates-codec.ts';

export const NODES_MAX = 10_000;
const COUNTER_MAX = Number.MAX_SAFE_INTEGER;

export function writeClusterState(state: ClusterState): Record<string, unknown> {
  const { metadata, routing } = state;
  assert(state.nodes.size <= NODES_MAX, `state ${state.version} has ${state.nodes.size} nodes`);
  assert(metadata.indices.size <= INDICES_MAX, `state ${state.version} has ${metadata.indices.size} indices`);
  const stray = [...routing.indices.keys()].find((index) => !metadata.indices.has(index));
  assert(stray === undefined, `state ${state.version} has shards of [${stray}] and no such index`);
  return {
    clusterName: state.clusterName,
    version: state.version,
    term: state.term,
    stateUuid: state.stateUuid,
    clusterManagerId: state.clusterManagerId,
    nodes: [...state.nodes.values()].map(writeDiscoveryNode),
    clusterUuid: metadata.clusterUuid,
    clusterUuidCommitted: metadata.clusterUuidCommitted,
    coordination: writeCoordination(metadata.coordination),
    indices: [...metadata.indices.values()].map((index) => writeIndexMetadata(index)),
    persistentSettings: { ...metadata.persistentSettings },
    transientSettings: { ...metadata.transientSettings },
    graveyard: writeGraveyard(metadata.indexGraveyard),
    templates: writeTemplates(metadata.templates),
    dataStreams: writeDataStreams(metadata.dataStreams),
    ingestPipelines: writeIngestPipelines(metadata.ingestPipelines),
    storedScripts: writeStoredScripts(metadata.storedScripts),
    synonymSets: writeSynonymSets(metadata.synonymSets),
    enrichPolicies: writeEnrichPolicies(metadata.enrichPolicies),
    snapshotPolicies: writeSnapshotPolicies(metadata.snapshotPolicies),
    lifecycle: writeLifecycle(metadata.lifecycle),
    repositories: writeRepositories(metadata.repositories),
    runningSnapshots: writeRunningSnapshots(metadata.runningSnapshots),
    routingVersion: state.routing.version,
    routing: [...state.routing.indices].map(([index, shards]) => ({ index, shards: writeIndexRouting(shards) })),
    blocks: writeBlocks(state.blocks),
  };
}

export function readClusterState(value: unknown, field = 'state'): ClusterState {
  return runSteps(readClusterStateInSteps(value, field));
}

/** `readClusterState`, an index a step. */
export function* readClusterStateInSteps(value: unknown, field = 'state'): Steps<ClusterState> {
  const r = ValueReader.of(value, field);
  const nodes = r.list('nodes', readDiscoveryNode, NODES_MAX);
  const indices = yield* listInSteps(r, 'indices', (item, at) => readIndexMetadata(item, at), INDICES_MAX);
  const routing = sortedMap(yield* listInSteps(r, 'routing', readRoutingEntry, INDICES_MAX));
  const names = new Set(indices.map(({ name }) => name));
  for (const index of routing.keys()) {
    if (!names.has(index)) r.refuse('routing', `routing of known indices, not [${index}]`);
  }
  return {
    clusterName: r.string('clusterName'),
    version: r.integer('version', 0, COUNTER_MAX),
    term: r.integer('term', 0, COUNTER_MAX),
    stateUuid: r.string('stateUuid'),
    clusterManagerId: r.optionalString('clusterManagerId'),
    nodes: sortedMap(nodes.map((node) => [node.id, node])),
    metadata: {
      clusterUuid: r.string('clusterUuid'),
      clusterUuidCommitted: r.boolean('clusterUuidCommitted'),
      coordination: readCoordination(r.object('coordination')),
      indices: sortedMap(indices.map((index) => [index.name, index])),
      persistentSettings: readSettings(r.raw('persistentSettings'), `${field}.persistentSettings`),
      transientSettings: readSettings(r.raw('transientSettings'), `${field}.transientSettings`),
      indexGraveyard: readGraveyard(r.raw('graveyard'), `${field}.graveyard`),
      // A state that was written before there were such parts has none of them.
      templates: r.optional('templates', readTemplates) ?? NO_TEMPLATES,
      dataStreams: r.optional('dataStreams', readDataStreams) ?? new Map(),
      ingestPipelines: r.optional('ingestPipelines', readIngestPipelines) ?? NO_INGEST_PIPELINES,
      storedScripts: r.optional('storedScripts', readStoredScripts) ?? NO_STORED_SCRIPTS,
      synonymSets: r.optional('synonymSets', readSynonymSets) ?? NO_SYNONYM_SETS,
      enrichPolicies: r.optional('enrichPolicies', readEnrichPolicies) ?? NO_ENRICH_POLICIES,
      snapshotPolicies: r.optional('snapshotPolicies', readSnapshotPolicies) ?? NO_SNAPSHOT_POLICIES,
      lifecycle: r.optional('lifecycle', readLifecycle) ?? NO_LIFECYCLE,
      repositories: r.optional('repositories', readRepositories) ?? new Map(),
      runningSnapshots: r.optional('runningSnapshots', readRunningSnapshots) ?? [],
    },
    routing: { version: r.integer('routingVersion', 0, COUNTER_MAX), indices: routing },
    blocks: readBlocks(r.raw('blocks'), `${field}.blocks`),
  };
}

/** An index name with its routing. */
export function readRoutingEntry(value: unknown, field: string): readonly [string, IndexRouting] {
  const r = ValueReader.of(value, field);
  return [r.string('index'), readIndexRouting(r.raw('shards'), `${field}.shards`)];
}

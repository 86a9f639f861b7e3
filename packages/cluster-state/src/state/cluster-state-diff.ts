/**
 * What changed from one cluster state to the next, part by part: indices, routing, nodes, settings, blocks.
 *
 * A publication sends this instead of the whole state to every node that has exactly the state it starts from
 * (`fromStateUuid`). Whoever has another one says so and gets the whole state. Parts compare by identity (===), which the
 * cluster manager keeps for what it did not touch, and applying keeps the receiver's own objects for them in turn.
 */
import { assert, type Steps, ValueReader } from '@shoal/core';
import { readDataStreams, writeDataStreams } from '../metadata/data-stream.ts';
import { readEnrichPolicies, writeEnrichPolicies } from '../metadata/enrich-policies.ts';
import { readIngestPipelines, writeIngestPipelines } from '../metadata/ingest-pipelines.ts';
import { readLifecycle, writeLifecycle } from '../metadata/lifecycle.ts';
import { readRepositories, writeRepositories } from '../metadata/repository-metadata.ts';
import { readRunningSnapshots, writeRunningSnapshots } from '../metadata/running-snapshot.ts';
import { readSnapshotPolicies, writeSnapshotPolicies } from '../metadata/snapshot-policies.ts';
import { withEntries } from '../metadata/sorted-map.ts';
import { readStoredScripts, writeStoredScripts } from '../metadata/stored-scripts.ts';
import { readSynonymSets, writeSynonymSets } from '../metadata/synonym-sets.ts';
import type { ClusterState, IndexMetadata } from './cluster-state.ts';
import { NODES_MAX, readRoutingEntry } from './cluster-state-codec.ts';
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
import { writeIndexRouting } from './routing-codec.ts';
import { readTemplates, writeTemplates } from './templates-codec.ts';

const COUNTER_MAX = Number.MAX_SAFE_INTEGER;

type Header = Pick<ClusterState, 'term' | 'version'>;

/** The difference as a plain value; `applyStateDiffInSteps` reads it. */
export function writeStateDiff(from: ClusterState, to: ClusterState): Record<string, unknown> {
  assert(from.clusterName === to.clusterName, `diff between clusters ${from.clusterName} and ${to.clusterName}`);
  assert(isNotOlder(to, from), `diff back from ${from.term}/${from.version} to ${to.term}/${to.version}`);
  assert(
    from.stateUuid !== to.stateUuid || (from.term === to.term && from.version === to.version),
    `state ${to.stateUuid} is ${from.term}/${from.version} and ${to.term}/${to.version}`,
  );
  const [a, b] = [from.metadata, to.metadata];
  return {
    fromStateUuid: from.stateUuid,
    version: to.version,
    term: to.term,
    stateUuid: to.stateUuid,
    clusterManagerId: to.clusterManagerId,
    // Small and rewritten by each commit: always whole.
    clusterUuid: b.clusterUuid,
    clusterUuidCommitted: b.clusterUuidCommitted,
    coordination: writeCoordination(b.coordination),
    nodes: mapDiff(from.nodes, to.nodes, (node) => writeDiscoveryNode(node)),
    indices: mapDiff(a.indices, b.indices, (index, old) => writeIndexMetadata(index, hasSameMapping(index, old))),
    persistentSettings: a.persistentSettings === b.persistentSettings ? null : { ...b.persistentSettings },
    transientSettings: a.transientSettings === b.transientSettings ? null : { ...b.transientSettings },
    graveyard: a.indexGraveyard === b.indexGraveyard ? null : writeGraveyard(b.indexGraveyard),
    ingestPipelines: a.ingestPipelines === b.ingestPipelines ? null : writeIngestPipelines(b.ingestPipelines),
    storedScripts: a.storedScripts === b.storedScripts ? null : writeStoredScripts(b.storedScripts),
    synonymSets: a.synonymSets === b.synonymSets ? null : writeSynonymSets(b.synonymSets),
    enrichPolicies: a.enrichPolicies === b.enrichPolicies ? null : writeEnrichPolicies(b.enrichPolicies),
    snapshotPolicies: a.snapshotPolicies === b.snapshotPolicies ? null : writeSnapshotPolicies(b.snapshotPolicies),
    lifecycle: a.lifecycle === b.lifecycle ? null : writeLifecycle(b.lifecycle),
    dataStreams: a.dataStreams === b.dataStreams ? null : writeDataStreams(b.dataStreams),
    repositories: a.repositories === b.repositories ? null : writeRepositories(b.repositories),
    runningSnapshots: a.runningSnapshots === b.runningSnapshots ? null : writeRunningSnapshots(b.runningSnapshots),
    templates: a.templates === b.templates ? null : writeTemplates(b.templates),
    routingVersion: to.routing.version,
    routing: mapDiff(from.routing.indices, to.routing.indices, (shards, _old, index) => ({
      index,
      shards: writeIndexRouting(shards),
    })),
    blocks: from.blocks === to.blocks ? null : writeBlocks(to.blocks),
  };
}

/** The state that a diff starts from. */
export function baseOfDiff(diff: unknown): string {
  return ValueReader.of(diff, 'diff').string('fromStateUuid');
}

/**
 * The state to which a diff leads, an index a step.
 *
 * @param base must be the state that the diff names, see `baseOfDiff`
 * @param changed makes a map with entries replaced or (null) removed of one of the base
 */
export function* applyStateDiffInSteps(
  base: ClusterState,
  diff: unknown,
  changed: typeof withEntries = withEntries,
): Steps<ClusterState> {
  const r = ValueReader.of(diff, 'diff');
  const from = r.string('fromStateUuid');
  assert(from === base.stateUuid, `diff from state ${from} applied to ${base.stateUuid}`);
  const old = base.metadata;
  const baseIndex = (name: string): IndexMetadata | null => old.indices.get(name) ?? null;
  const nodes = yield* readMapDiff(r, 'nodes', NODES_MAX, (value, at) => {
    const node = readDiscoveryNode(value, at);
    return [node.id, node];
  });
  const indices = yield* readMapDiff(r, 'indices', INDICES_MAX, (value, at) => {
    const name = ValueReader.of(value, at).string('name');
    return [name, readIndexMetadata(value, at, baseIndex(name))];
  });
  const routing = yield* readMapDiff(r, 'routing', INDICES_MAX, readRoutingEntry);
  const newIndices = changed(old.indices, indices);
  refuseStrayRouting(
    r,
    newIndices,
    routing.flatMap(([index, shards]) => (shards === null ? [] : [index])),
  );
  const routingIndices = changed(base.routing.indices, routing);
  const routingVersion = r.integer('routingVersion', 0, COUNTER_MAX);
  const isSameRouting = routingIndices === base.routing.indices && routingVersion === base.routing.version;
  return {
    clusterName: base.clusterName,
    version: r.integer('version', 0, COUNTER_MAX),
    term: r.integer('term', 0, COUNTER_MAX),
    stateUuid: r.string('stateUuid'),
    clusterManagerId: r.optionalString('clusterManagerId'),
    nodes: changed(base.nodes, nodes),
    metadata: {
      clusterUuid: r.string('clusterUuid'),
      clusterUuidCommitted: r.boolean('clusterUuidCommitted'),
      coordination: readCoordination(r.object('coordination')),
      indices: newIndices,
      persistentSettings: r.optional('persistentSettings', readSettings) ?? old.persistentSettings,
      transientSettings: r.optional('transientSettings', readSettings) ?? old.transientSettings,
      indexGraveyard: r.optional('graveyard', readGraveyard) ?? old.indexGraveyard,
      templates: r.optional('templates', readTemplates) ?? old.templates,
      dataStreams: r.optional('dataStreams', readDataStreams) ?? old.dataStreams,
      ingestPipelines: r.optional('ingestPipelines', readIngestPipelines) ?? old.ingestPipelines,
      storedScripts: r.optional('storedScripts', readStoredScripts) ?? old.storedScripts,
      synonymSets: r.optional('synonymSets', readSynonymSets) ?? old.synonymSets,
      enrichPolicies: r.optional('enrichPolicies', readEnrichPolicies) ?? old.enrichPolicies,
      snapshotPolicies: r.optional('snapshotPolicies', readSnapshotPolicies) ?? old.snapshotPolicies,
      lifecycle: r.optional('lifecycle', readLifecycle) ?? old.lifecycle,
      repositories: r.optional('repositories', readRepositories) ?? old.repositories,
      runningSnapshots: r.optional('runningSnapshots', readRunningSnapshots) ?? old.runningSnapshots,
    },
    routing: isSameRouting ? base.routing : { version: routingVersion, indices: routingIndices },
    blocks: r.optional('blocks', readBlocks) ?? base.blocks,
  };
}

/** A later term overwrites what an earlier one left uncommitted; within a term versions only grow. */
function isNotOlder(to: Header, from: Header): boolean {
  return to.term > from.term || (to.term === from.term && to.version >= from.version);
}

/** Refuses shards of an index that the state does not have. */
function refuseStrayRouting(r: ValueReader, indices: ReadonlyMap<string, unknown>, changed: Iterable<string>): void {
  for (const index of changed) {
    if (!indices.has(index)) r.refuse('routing', `routing of known indices, not [${index}]`);
  }
}

function hasSameMapping(index: IndexMetadata, old: IndexMetadata | undefined): boolean {
  return old !== undefined && old.uuid === index.uuid && old.mapping === index.mapping;
}

function mapDiff<V>(
  from: ReadonlyMap<string, V>,
  to: ReadonlyMap<string, V>,
  write: (value: V, old: V | undefined, key: string) => unknown,
): Record<string, unknown> {
  if (from === to) return { put: [], removed: [] };
  const put: unknown[] = [];
  for (const [key, value] of to) {
    const old = from.get(key);
    if (old !== value) put.push(write(value, old, key));
  }
  return { put, removed: [...from.keys()].filter((key) => !to.has(key)) };
}

function* readMapDiff<V>(
  r: ValueReader,
  field: string,
  max: number,
  read: (value: unknown, field: string) => readonly [string, V],
): Steps<readonly (readonly [string, V | null])[]> {
  const part = r.object(field);
  const removed = part.list('removed', ValueReader.asString, max);
  return [...removed.map((key) => [key, null] as const), ...(yield* listInSteps(part, 'put', read, max))];
}

/** Random cluster states and random changes to them, for tests of what reads, writes and compares states. */
import fc from 'fast-check';
import { NO_LIFECYCLE } from '../metadata/lifecycle.ts';
import type { RestoreSource } from '../metadata/restore-source.ts';
import type { RunningSnapshot } from '../metadata/running-snapshot.ts';
import { sortedMap, withEntries } from '../metadata/sorted-map.ts';
import { NO_TEMPLATES } from '../metadata/templates.ts';
import type { ClusterState, DiscoveryNode, IndexMetadata, ShardRouting } from './cluster-state.ts';

export function exampleNode(id: string, roles: DiscoveryNode['roles'] = ['cluster_manager', 'data']): DiscoveryNode {
  return {
    id,
    ephemeralId: `${id}-e1`,
    name: `node-${id}`,
    version: '0.1.0',
    roles,
    address: { host: '127.0.0.1', port: 9300 },
    httpAddress: null,
    attributes: {},
  };
}

export function exampleState(): ClusterState {
  return {
    clusterName: 'c',
    version: 0,
    term: 0,
    stateUuid: 's0',
    clusterManagerId: null,
    nodes: new Map(),
    metadata: {
      clusterUuid: '_na_',
      clusterUuidCommitted: false,
      coordination: { lastCommittedConfig: [], lastAcceptedConfig: [], votingConfigExclusions: [] },
      indices: new Map(),
      persistentSettings: {},
      transientSettings: {},
      indexGraveyard: [],
      templates: NO_TEMPLATES,
      dataStreams: new Map(),
      ingestPipelines: new Map(),
      storedScripts: new Map(),
      synonymSets: new Map(),
      enrichPolicies: new Map(),
      snapshotPolicies: { isStopped: false, policies: new Map(), retention: { runs: 0, failed: 0, tookMs: 0 } },
      lifecycle: NO_LIFECYCLE,
      repositories: new Map(),
      runningSnapshots: [],
    },
    routing: { version: 0, indices: new Map() },
    blocks: { global: [], indices: new Map() },
  };
}

/** One change of one part; applied in a row they make any state. */
export type StateMutation = (state: ClusterState, n: number) => ClusterState;

const KEYS = ['a', 'b', 'c', 'd'];

export const stateMutations: fc.Arbitrary<readonly StateMutation[]> = fc.array(
  fc.oneof(
    fc
      .record({ key: fc.constantFrom(...KEYS), remove: fc.boolean() })
      .map(({ key, remove }) => mutateNode(key, remove)),
    fc
      .record({ key: fc.constantFrom(...KEYS), remove: fc.boolean(), shards: fc.integer({ min: 1, max: 3 }) })
      .map(({ key, remove, shards }) => mutateIndex(key, remove, shards)),
    fc.constantFrom(...KEYS).map((key) => mutateMapping(key)),
    fc.constantFrom(...KEYS).map((key) => mutateTemplates(key)),
    fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }).map(
      (settings): StateMutation =>
        (state) => ({ ...state, metadata: { ...state.metadata, persistentSettings: settings } }),
    ),
    fc.constant<StateMutation>((state, n) => ({
      ...state,
      blocks: {
        global: [{ id: 2, description: `no master ${n}`, status: 503, levels: ['write', 'metadata_write'] }],
        indices: sortedMap([['a', []]]),
      },
    })),
  ),
  { maxLength: 8 },
);

export function mutated(start: ClusterState, mutations: readonly StateMutation[], firstVersion: number): ClusterState {
  return mutations.reduce<ClusterState>((state, mutation, i) => {
    const version = firstVersion + i;
    return { ...mutation(state, version), version, stateUuid: `s${version}` };
  }, start);
}

function mutateNode(key: string, remove: boolean): StateMutation {
  return (state, n) => ({
    ...state,
    nodes: withEntries(state.nodes, [[key, remove ? null : { ...exampleNode(key), ephemeralId: `e${n}` }]]),
  });
}

function mutateIndex(key: string, remove: boolean, shards: number): StateMutation {
  return (state, n) => ({
    ...state,
    metadata: {
      ...state.metadata,
      indices: withEntries(state.metadata.indices, [[key, remove ? null : exampleIndex(key, shards, n)]]),
    },
    routing: {
      version: n,
      indices: withEntries(state.routing.indices, [[key, remove ? null : exampleRouting(key, shards, n)]]),
    },
  });
}

function mutateTemplates(name: string): StateMutation {
  return (state, n) => {
    const { templates } = state.metadata;
    const aliases = n % 2 === 0 ? null : exampleIndex(name, 1, n).aliases;
    const content = {
      settings: { 'index.hidden': 'true' },
      mappings: n % 3 === 0 ? null : { dynamic: false },
      aliases,
      lifecycle: n % 2 === 0 ? null : { isEnabled: true, retention: `${n}d` },
      streamOptions: n % 3 === 0 ? null : { failure_store: { enabled: n % 2 === 0 } },
    };
    const indexPatterns = [`${name}*`];
    const index = {
      ...{ name, indexPatterns, content: n % 4 === 0 ? null : content, composedOf: [name], ignoredMissing: null },
      ...{ priority: n, version: null, meta: { n }, dataStream: { isHidden: false }, allowsAutoCreate: null },
      isDeprecated: n % 2 === 0 ? null : true,
    };
    const component = { name, content, version: n, meta: null, isDeprecated: n % 3 === 0 ? null : false };
    const legacy = { name, indexPatterns, order: -n, version: null, content };
    const changed = {
      index: withEntries(templates.index, [[name, index]]),
      component: withEntries(templates.component, [[name, n % 5 === 0 ? null : component]]),
      legacy: withEntries(templates.legacy, [[name, legacy]]),
    };
    const streamLifecycle = n % 2 === 0 ? null : { isEnabled: n % 4 === 1, retention: n % 5 === 0 ? null : `${n}d` };
    const stream = {
      ...{ name, indices: [`.ds-${name}`], generation: n + 1, isHidden: n % 2 === 0, meta: null },
      lifecycle: streamLifecycle,
      rollsOverOnWrite: n % 7 === 0,
      failureIndices: n % 2 === 0 ? [] : [`.fs-${name}`],
      failuresRollOverOnWrite: n % 5 === 0,
      failureStore: n % 4 === 0 ? null : { isEnabled: n % 3 === 0 ? null : true, lifecycle: streamLifecycle },
    };
    const dataStreams = withEntries(state.metadata.dataStreams, [[name, n % 3 === 0 ? null : stream]]);
    const pipeline = { id: name, config: JSON.stringify({ processors: [], version: n }) };
    const ingestPipelines = withEntries(state.metadata.ingestPipelines, [[name, n % 4 === 0 ? null : pipeline]]);
    const script = { id: name, lang: 'painless', source: String(n), options: { content_type: 'x' } };
    const storedScripts = withEntries(state.metadata.storedScripts, [[name, n % 3 === 1 ? null : script]]);
    const policy = { name, version: n, modifiedMs: n, policy: '{"phases":{}}' };
    const policies = withEntries(state.metadata.lifecycle.policies, [[name, n % 5 === 0 ? null : policy]]);
    const lifecycle = { isStopped: n % 2 === 0, policies };
    const repository = { name, type: 'fs', settings: { location: `l${n}` } };
    const repositories = withEntries(state.metadata.repositories, [[name, n % 3 === 0 ? null : repository]]);
    const runningSnapshots = n % 2 === 0 ? [] : [exampleSnapshot(name, n)];
    const set = { id: name, rules: [{ id: `r${n}`, synonyms: 'a, b' }] };
    const synonymSets = withEntries(state.metadata.synonymSets, [[name, n % 3 === 2 ? null : set]]);
    const enrich = { name, type: 'match', indices: ['a'], matchField: 'b', enrichFields: ['c'], query: null } as const;
    const enrichPolicies = withEntries(state.metadata.enrichPolicies, [[name, n % 3 === 1 ? null : enrich]]);
    const made = { snapshot: name, startMs: n, endMs: n, failure: n % 2 === 0 ? null : 'full' };
    const nightly = {
      ...{ name, version: 1, modifiedMs: n, policy: '{}', lastSuccess: made, lastFailure: null },
      ...{ taken: n, failed: 0, deleted: 0, deletionFailures: 0 },
    };
    const snapshotPolicies = {
      isStopped: n % 3 === 0,
      policies: withEntries(state.metadata.snapshotPolicies.policies, [[name, n % 4 === 1 ? null : nightly]]),
      retention: { runs: n, failed: 0, tookMs: n },
    };
    const scripts = { ingestPipelines, storedScripts, synonymSets, enrichPolicies, snapshotPolicies };
    const customs = { templates: changed, dataStreams, ...scripts, lifecycle, repositories, runningSnapshots };
    return { ...state, metadata: { ...state.metadata, ...customs } };
  };
}

function mutateMapping(key: string): StateMutation {
  return (state, n) => {
    const index = state.metadata.indices.get(key);
    if (index === undefined) return state;
    const next = { ...index, mappingVersion: n, mapping: { properties: { [`f${n}`]: { type: 'long' } } } };
    return { ...state, metadata: { ...state.metadata, indices: withEntries(state.metadata.indices, [[key, next]]) } };
  };
}

function exampleSnapshot(name: string, n: number): RunningSnapshot {
  return {
    ...{ repository: name, name: `s${n}`, uuid: `u${n}`, indices: ['a', 'b'], dataStreams: [name], startMs: n },
    ...{ isPartial: n % 3 === 0, includesGlobalState: true, isAborted: n % 5 === 0 },
    userMetadata: n % 7 === 0 ? null : { n },
  };
}

function exampleRestore(n: number): RestoreSource {
  const snapshot = { repository: 'r', snapshot: `s${n}`, snapshotUuid: `u${n}` };
  return { ...snapshot, index: 'i', indexId: `i${n}`, restoreUuid: `r${n}` };
}

function exampleIndex(name: string, shards: number, n: number): IndexMetadata {
  return {
    name,
    uuid: `u${n}`,
    state: n % 5 === 0 ? 'close' : 'open',
    version: n,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    settings: { 'index.number_of_shards': String(shards) },
    mapping: { properties: { title: { type: 'text' } } },
    aliases: sortedMap([
      [
        'alias',
        {
          name: 'alias',
          filter: { term: { n } },
          indexRouting: null,
          searchRouting: 'r',
          isWriteIndex: n % 2 === 0,
          isHidden: null,
        },
      ],
    ]),
    numberOfShards: shards,
    numberOfReplicas: 0,
    routingNumShards: shards * 4,
    primaryTerms: Array.from({ length: shards }, () => n),
    inSyncAllocations: Array.from({ length: shards }, (_, i) => (i % 2 === 0 ? [] : [`alloc${n}`])),
    creationDateMs: n,
    restoredFrom: n % 2 === 0 ? null : exampleRestore(n),
  };
}

function exampleRouting(index: string, shards: number, n: number): readonly (readonly ShardRouting[])[] {
  return Array.from({ length: shards }, (_, shard): readonly ShardRouting[] => [
    n % 2 === 0
      ? {
          index,
          indexUuid: `u${n}`,
          shard,
          isPrimary: true,
          state: 'STARTED',
          nodeId: 'a',
          relocatingNodeId: null,
          allocationId: `alloc${n}`,
          recoverySource: 'EXISTING_STORE',
          unassigned: null,
        }
      : {
          index,
          indexUuid: `u${n}`,
          shard,
          isPrimary: true,
          state: 'UNASSIGNED',
          nodeId: null,
          relocatingNodeId: null,
          allocationId: null,
          recoverySource: 'EMPTY_STORE',
          unassigned: {
            reason: 'INDEX_CREATED',
            atMs: n,
            failedAllocations: 0,
            details: null,
            allocationStatus: 'no_attempt',
            lastNodeId: null,
          },
        },
  ]);
}

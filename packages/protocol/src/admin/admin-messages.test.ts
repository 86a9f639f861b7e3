import { readdirSync } from 'node:fs';
import type { ActionCodec } from '@shoal/transport';
import { describe, expect, test } from 'vitest';
import { overTheWire } from '../documents/message-arbitraries.test-support.ts';
import { NO_FILES } from './snapshot-status.ts';

/** A request with every field that it can have, and an answer. */
interface Sample {
  readonly request: object;
  readonly answer: object | null;
  /** Further requests: other cases of a union, fields that are null. */
  readonly others?: readonly object[];
}

const timeouts = { masterTimeoutMs: 30_000, timeoutMs: 20_000 };
const acknowledged = { acknowledged: true };
const created = { acknowledged: true, shardsAcknowledged: true, index: 'logs-000002' };
const copy = { index: 'logs', shard: 3, allocationId: 'x', primaryTerm: 2 };
const target = { index: 'logs', indexUuid: 'u', shard: 3, allocationId: 'x', stateVersion: 9 };
const files = { ...NO_FILES, fileCount: 3, newFileCount: 1, bytes: 30, newBytes: 10, startMs: 5, tookMs: 6 };
const info = {
  name: 's1',
  uuid: 'abc',
  state: 'PARTIAL',
  version: '7.10.2',
  reason: 'why',
  indices: ['a'],
  dataStreams: ['d'],
  includesGlobalState: true,
  userMetadata: { by: 'me' },
  startMs: 1,
  endMs: 2,
  totalShards: 3,
  failures: [{ index: 'a', shard: 0, nodeId: null, reason: 'gone' }],
};
const shardStatus = { index: 'a', shard: 0, stage: 'DONE', nodeId: 'n', reason: null, stats: files };
const snapshotNames = { ...timeouts, repository: 'repo', names: ['s*', 's1'] };
const newIndex = {
  ...timeouts,
  settings: { number_of_shards: 3 },
  mappings: { properties: { title: { type: 'text' } } },
  aliases: { lib: {} },
  waitForActiveShards: 'all',
};
const addAlias = {
  kind: 'add',
  index: 'b',
  alias: 'x',
  filter: { term: { n: 1 } },
  indexRouting: '1',
  searchRouting: null,
  isWriteIndex: true,
  isHidden: null,
};
const named = { ...timeouts, name: 'n' };
const identified = { ...timeouts, id: 'i' };
const analysed = {
  index: 'lib',
  analyzer: 'english',
  normalizer: 'n',
  field: 'title',
  tokenizer: 'standard',
  filters: ['lowercase', { type: 'stop' }],
  charFilters: [],
  text: ['a', 'b'],
  explain: true,
  attributes: ['keyword'],
};

/** By the exported name of the action. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  UPDATE_ALIASES: {
    request: {
      ...timeouts,
      actions: [
        { kind: 'remove', index: 'a', alias: 'x', mustExist: true },
        { kind: 'remove_index', index: 'c' },
        addAlias,
      ],
    },
    answer: acknowledged,
  },
  ANALYZE: { request: analysed, answer: { body: { tokens: [{ token: 'a', position: 0 }] } } },
  CREATE_DATA_STREAM: { request: named, answer: acknowledged },
  MIGRATE_TO_DATA_STREAM: { request: named, answer: acknowledged },
  DELETE_DATA_STREAMS: { request: { ...timeouts, names: ['a', 'b'] }, answer: acknowledged },
  SET_DATA_STREAM_LIFECYCLE: {
    request: { ...timeouts, names: ['a'], lifecycle: { isEnabled: true, retention: '7d' } },
    answer: acknowledged,
    others: [{ ...timeouts, names: ['a', 'b'], lifecycle: null }],
  },
  SET_DATA_STREAM_OPTIONS: {
    request: {
      ...{ ...timeouts, names: ['a'] },
      failureStore: { isEnabled: null, lifecycle: { isEnabled: true, retention: '7d' } },
    },
    answer: acknowledged,
    others: [{ ...timeouts, names: ['a', 'b'], failureStore: null }],
  },
  ROLLOVER: {
    request: {
      ...newIndex,
      ...{ target: 'logs', component: 'data', source: 'logs-000001' },
      ...{ newIndex: 'logs-000002', providedName: '<logs>' },
    },
    answer: created,
    others: [
      {
        ...newIndex,
        ...{ target: 'logs', component: 'failures', source: null, newIndex: '.fs-logs-2', providedName: '.fs-logs-2' },
      },
    ],
  },
  MODIFY_DATA_STREAMS: {
    request: {
      ...timeouts,
      changes: [
        { kind: 'add', stream: 'logs', component: 'failures', index: 'a' },
        { kind: 'remove', stream: 'logs', component: 'data', index: 'b' },
      ],
    },
    answer: acknowledged,
  },
  ROLLOVER_ON_WRITE: { request: { ...named, component: 'failures' }, answer: acknowledged },
  PUT_INGEST_PIPELINE: { request: { ...identified, config: '{}' }, answer: acknowledged },
  PUT_ENRICH_POLICY: {
    request: { ...named, type: 'range', indices: ['a'], matchField: 'net', enrichFields: ['city'], query: '{}' },
    answer: acknowledged,
  },
  DELETE_ENRICH_POLICY: { request: named, answer: acknowledged },
  PUT_SNAPSHOT_POLICY: { request: { ...named, policy: '{}' }, answer: acknowledged },
  DELETE_SNAPSHOT_POLICY: { request: named, answer: acknowledged },
  SET_SNAPSHOT_POLICY_MODE: { request: { ...timeouts, isStopped: true }, answer: acknowledged },
  RECORD_POLICY_SNAPSHOT: {
    request: { ...timeouts, policy: 'p', snapshot: { snapshot: 's', startMs: 1, endMs: 2, failure: 'full' } },
    answer: acknowledged,
  },
  RECORD_RETENTION: {
    request: { ...timeouts, policies: [{ policy: 'p', deleted: 1, failures: 2 }], tookMs: 3 },
    answer: acknowledged,
  },
  DELETE_INGEST_PIPELINES: { request: identified, answer: acknowledged },
  PUT_LIFECYCLE_POLICY: { request: { ...named, policy: '{}' }, answer: acknowledged },
  DELETE_LIFECYCLE_POLICY: { request: named, answer: acknowledged },
  SET_LIFECYCLE_MODE: { request: { ...timeouts, isStopped: true }, answer: acknowledged },
  CREATE_INDEX: {
    request: { ...newIndex, index: 'lib', providedName: '<lib>', resize: { kind: 'split', source: 'src' } },
    answer: created,
    others: [
      { ...newIndex, index: 'lib', waitForActiveShards: 2 },
      { ...newIndex, index: 'x', waitForActiveShards: null },
    ],
  },
  DELETE_INDICES: { request: { ...timeouts, indices: ['a'] }, answer: acknowledged },
  PUT_MAPPING: { request: { ...timeouts, indices: ['a'], mapping: { dynamic: false } }, answer: acknowledged },
  UPDATE_INDEX_SETTINGS: {
    request: { ...timeouts, indices: ['a'], settings: { 'index.hidden': true }, preserveExisting: true },
    answer: acknowledged,
  },
  SET_INDEX_STATE: { request: { ...timeouts, indices: ['a'], state: 'close' }, answer: acknowledged },
  UPDATE_CLUSTER_SETTINGS: {
    request: { ...timeouts, persistent: { a: 1 }, transient: { b: null } },
    answer: { acknowledged: false, persistent: { a: '1' }, transient: {} },
  },
  REROUTE: {
    request: {
      ...timeouts,
      retryFailed: true,
      isDryRun: false,
      isExplained: true,
      commands: [
        { kind: 'move', index: 'a', shard: 1, fromNode: 'n', toNode: 'm' },
        { kind: 'allocate_replica', index: 'a', shard: 1, node: 'n' },
        { kind: 'allocate_stale_primary', index: 'a', shard: 1, node: 'n', acceptDataLoss: true },
        { kind: 'allocate_empty_primary', index: 'a', shard: 1, node: 'n', acceptDataLoss: false },
      ],
    },
    answer: { ...acknowledged, explanations: [{ command: 'move' }], state: null },
    others: [
      {
        ...timeouts,
        retryFailed: false,
        isDryRun: true,
        isExplained: false,
        commands: [{ kind: 'cancel', index: 'a', shard: 0, node: 'n', allowPrimary: true }],
      },
    ],
  },
  EXPLAIN_ALLOCATION: {
    request: {
      shard: { index: 'a', shard: 1, isPrimary: true, nodeId: 'n' },
      includeYesDecisions: true,
      masterTimeoutMs: 1,
    },
    answer: { can_allocate: 'yes' },
    others: [{ shard: null, includeYesDecisions: false, masterTimeoutMs: 1 }],
  },
  EXPLAIN_HEALTH: {
    request: { indices: ['a'], isDryRun: true },
    answer: { status: 'green', findings: [] },
    others: [{ indices: null, isDryRun: false }],
  },
  LIST_REFUSED_PEERS: {
    request: {},
    answer: {
      peers: [
        {
          nodeId: 'n',
          name: 'data-1',
          address: '127.0.0.1:9300',
          failure: 'clusterName',
          reason: 'why',
          isIncoming: true,
          times: 3,
          lastMs: 5,
        },
      ],
    },
  },
  PENDING_TASKS: {
    request: {},
    answer: {
      tasks: [{ insertOrder: 4, priority: 'urgent', source: 'create-index', executing: true, timeInQueueMillis: 8 }],
    },
  },
  PUT_REPOSITORY: {
    request: { ...named, type: 'fs', settings: { location: '/a' }, verifies: true },
    answer: acknowledged,
  },
  DELETE_REPOSITORIES: { request: { ...timeouts, names: ['a', 'b*'] }, answer: acknowledged },
  VERIFY_REPOSITORY: {
    request: { ...timeouts, repository: 'repo' },
    answer: { nodes: [{ id: 'x', name: 'data-1' }] },
  },
  CLEANUP_REPOSITORY: {
    request: { ...timeouts, repository: 'repo' },
    answer: { deletedBytes: 12, deletedBlobs: 3 },
  },
  CHECK_REPOSITORY: {
    request: { repository: { name: 'repo', type: 'fs', settings: { location: '/a' } }, token: 'abc' },
    answer: null,
  },
  SHARD_STARTED: { request: copy, answer: null },
  SHARD_FAILED: { request: { ...copy, markStale: true, reason: 'disk' }, answer: null },
  CONFIRM_PRIMARY: { request: copy, answer: null },
  HAND_OVER_PRIMARY: { request: { ...copy, target: 'b' }, answer: null },
  ADD_VOTING_EXCLUSIONS: { request: { ...timeouts, nodeIds: ['a'], nodeNames: ['b'] }, answer: null },
  CLEAR_VOTING_EXCLUSIONS: { request: { ...timeouts, waitForRemoval: true }, answer: null },
  CREATE_SNAPSHOT: {
    request: {
      ...timeouts,
      repository: 'repo',
      name: 's1',
      uuid: 'abc',
      indices: ['a'],
      dataStreams: ['d'],
      isPartial: true,
      includesGlobalState: true,
      userMetadata: { by: ['me'] },
    },
    answer: acknowledged,
  },
  GET_SNAPSHOTS: { request: { ...snapshotNames, ignoresUnavailable: true }, answer: { snapshots: [info] } },
  SNAPSHOT_STATUS: {
    request: { ...snapshotNames, ignoresUnavailable: true },
    answer: { statuses: [{ repository: 'repo', info, shards: [shardStatus] }] },
    others: [{ ...snapshotNames, repository: null, ignoresUnavailable: false }],
  },
  DELETE_SNAPSHOTS: { request: snapshotNames, answer: acknowledged },
  CLONE_SNAPSHOT: {
    request: {
      ...timeouts,
      repository: 'repo',
      source: 's1',
      target: 's2',
      indices: ['a', '-b'],
      ignoresUnavailable: true,
      allowsNoIndices: true,
    },
    answer: acknowledged,
  },
  RESTORE_SNAPSHOT: {
    request: {
      ...timeouts,
      repository: 'repo',
      snapshot: 's1',
      restoreUuid: 'abc',
      indices: ['a'],
      ignoresUnavailable: true,
      allowsNoIndices: true,
      renamePattern: '(.*)',
      renameReplacement: '$1_old',
      includesGlobalState: true,
      includesAliases: true,
      isPartial: true,
      indexSettings: { 'index.number_of_replicas': 0 },
      ignoredSettings: ['index.hidden'],
    },
    answer: { indices: ['a_old'], missingShards: 1 },
  },
  SNAPSHOT_SHARD: { request: { repository: 'repo', snapshotUuid: 'abc', indexId: 'idx', target }, answer: files },
  PUT_STORED_SCRIPT: {
    request: { ...identified, lang: 'painless', source: 'return 1', options: { content_type: 'application/json' } },
    answer: acknowledged,
  },
  DELETE_STORED_SCRIPTS: { request: identified, answer: acknowledged },
  PUT_SYNONYM_SET: { request: { ...identified, rules: [{ id: 'r', synonyms: 'a, b' }] }, answer: acknowledged },
  DELETE_SYNONYM_SET: { request: identified, answer: acknowledged },
  PUT_SYNONYM_RULE: {
    request: { ...timeouts, set: 's', rule: { id: 'r', synonyms: 'a => b' } },
    answer: acknowledged,
  },
  DELETE_SYNONYM_RULE: { request: { ...timeouts, set: 's', ruleId: 'r' }, answer: acknowledged },
  PUT_TEMPLATE: {
    request: { ...named, kind: 'component', create: true, body: { template: {} } },
    answer: { acknowledged: true, warnings: ['old'] },
  },
  DELETE_TEMPLATES: { request: { ...timeouts, kind: 'legacy', names: ['a*'] }, answer: acknowledged },
};

type AnyAction = ActionCodec<unknown, unknown>;

const isAction = (value: unknown): value is AnyAction =>
  typeof value === 'object' && value !== null && 'readRequest' in value && 'writeRequest' in value;

/** Every action that a file of this folder exports, by name. */
async function actionsOfFolder(): Promise<ReadonlyMap<string, AnyAction>> {
  const files = readdirSync(new URL('.', import.meta.url)).flatMap((name) => /^([a-z-]+)\.ts$/.exec(name)?.[1] ?? []);
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((name) => import(/* @vite-ignore */ new URL(`${name}.ts`, import.meta.url).pathname)),
  );
  const exported = modules.flatMap((module) => Object.entries(module));
  return new Map(exported.filter((entry): entry is [string, AnyAction] => isAction(entry[1])));
}

const actions = await actionsOfFolder();

describe('messages of administration', () => {
  test('each have a sample', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual([...actions.keys()].sort());
  });

  test('have a name each', () => {
    expect(new Set([...actions.values()].map(({ name }) => name)).size).toBe(actions.size);
  });

  test.each([...actions])('%s comes back as it was written', (name, action) => {
    const { request, answer, others = [] } = SAMPLES[name] ?? { request: {}, answer: null };
    for (const asked of [request, ...others]) {
      expect(action.readRequest(overTheWire(action.writeRequest(asked)))).toEqual(asked);
    }
    expect(action.readResponse(overTheWire(action.writeResponse(answer)))).toEqual(answer);
  });
});

import type { ClusterState } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { checkBlock } from '../reading/cluster-blocks.ts';
import { clusterHealth } from '../reading/cluster-health.ts';
import { updateClusterSettings } from '../settings/update-cluster-settings.ts';
import { updateIndexSettings } from '../settings/update-index-settings.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { clusterValueModel, emptyClusterState, withNodes } from '../value/cluster-value-model.ts';
import { deleteIndices } from './delete-index.ts';
import { updateAliases } from './index-aliases.ts';
import { setIndexState } from './open-close-index.ts';
import { putMapping } from './put-mapping.ts';
import { addVotingExclusions, clearVotingExclusions, exclusionsInForce } from './voting-exclusions.ts';

const context = testContext();
const cluster = clusterOf(testNode('a'), testNode('b'));

const withReplicas = (state: ClusterState, replicas: number | null): ClusterState =>
  updateIndexSettings(
    state,
    { indices: ['lib'], settings: { number_of_replicas: replicas }, preserveExisting: false },
    context,
  );

describe('an index', () => {
  test.each([
    ['Bad', 'Invalid index name [Bad], must be lowercase'],
    ['_x', "Invalid index name [_x], must not start with '_', '-', or '+'"],
    ['a b', 'Invalid index name [a b], must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]'],
    ['a#b', "Invalid index name [a#b], must not contain '#'"],
    ['a:b', "Invalid index name [a:b], must not contain ':'"],
    ['..', "Invalid index name [..], must not be '.' or '..'"],
    ['x'.repeat(256), `Invalid index name [${'x'.repeat(256)}], index name is too long, (256 > 255)`],
  ])('named %s is refused', (name, reason) => {
    expect(() => withIndex(cluster, name)).toThrow(
      expect.objectContaining({ type: 'invalid_index_name_exception', status: 400, reason }),
    );
  });

  test('has the routing shards of Elasticsearch and settings that name it', () => {
    const state = withIndex(cluster, 'lib', { settings: { index: { number_of_shards: 3 } } });
    const index = state.metadata.indices.get('lib');
    expect(index).toMatchObject({
      routingNumShards: 768,
      numberOfShards: 3,
      numberOfReplicas: 1,
      primaryTerms: [1, 1, 1],
    });
    expect(index?.settings).toMatchObject({
      'index.number_of_replicas': '1',
      'index.provided_name': 'lib',
      'index.uuid': index?.uuid,
    });
    expect(clusterHealth(state, ['lib']).status).toBe('yellow');
  });

  test('that is there already, or has the name of an alias, is refused', () => {
    const state = withIndex(cluster, 'lib', { aliases: { books: {} } });
    const uuid = state.metadata.indices.get('lib')?.uuid;
    expect(() => withIndex(state, 'lib')).toThrow(`index [lib/${uuid}] already exists`);
    expect(() => withIndex(state, 'books')).toThrow('Invalid index name [books], already exists as alias');
  });

  test('whose analysis cannot be built is refused when it is created and when its settings change', () => {
    const settings = { analysis: { analyzer: { x: { type: 'custom', tokenizer: 'nope' } } } };
    const refusal = expect.objectContaining({
      type: 'illegal_argument_exception',
      status: 400,
      reason: 'Custom Analyzer [x] failed to find tokenizer under name [nope]',
    });
    expect(() => withIndex(cluster, 'lib', { settings })).toThrow(refusal);
    const closed = setIndexState(withIndex(cluster, 'lib'), ['lib'], 'close', context);
    const update = (changed: Record<string, unknown>) =>
      updateIndexSettings(closed, { indices: ['lib'], settings: changed, preserveExisting: false }, context);
    expect(() => update(settings)).toThrow(refusal);
    expect(
      update({ analysis: { analyzer: { x: { type: 'custom', tokenizer: 'standard' } } } }).metadata.indices.get('lib')
        ?.settings,
    ).toMatchObject({ 'index.analysis.analyzer.x.tokenizer': 'standard' });
  });

  test('past the limit of shards is refused', () => {
    const limited = updateClusterSettings(
      cluster,
      { persistent: { cluster: { max_shards_per_node: 2 } }, transient: {} },
      context,
    );
    expect(() => withIndex(limited, 'lib', { settings: { number_of_shards: 5 } })).toThrow(
      'Validation Failed: 1: this action would add [10] shards, but this cluster currently has [0]/[4] maximum normal shards open;',
    );
  });

  test('deleted leaves a tombstone and nothing else', () => {
    const state = deleteIndices(withIndex(cluster, 'lib', { settings: { 'blocks.write': true } }), ['lib'], context);
    expect(state.metadata.indices.size + state.routing.indices.size + state.blocks.indices.size).toBe(0);
    expect(state.metadata.indexGraveyard).toMatchObject([{ index: 'lib' }]);
    expect(() => deleteIndices(state, ['lib'], context)).toThrow('no such index [lib]');
  });

  test('takes new fields, and does not change when it has them already', () => {
    const state = withIndex(cluster, 'lib');
    const mapping = { properties: { title: { type: 'text' } } };
    const once = putMapping(state, ['lib'], mapping);
    expect(once.metadata.indices.get('lib')).toMatchObject({ mappingVersion: 2, version: 2 });
    expect(putMapping(once, ['lib'], mapping)).toBe(once);
  });

  test('gets unassigned replicas with their number, and loses them again', () => {
    const state = withIndex(cluster, 'lib');
    expect(copiesOf(state, 'lib').map((copy) => copy.isPrimary)).toEqual([true, false]);
    const more = withReplicas(state, 2);
    expect(copiesOf(more, 'lib').map((copy) => copy.isPrimary)).toEqual([true, false, false]);
    expect(copiesOf(more, 'lib')[2]?.unassigned).toMatchObject({ reason: 'REPLICA_ADDED' });
    expect(copiesOf(withReplicas(more, 0), 'lib').map((copy) => copy.isPrimary)).toEqual([true]);
    expect(withReplicas(state, 1)).toBe(state);
  });

  test('has the default number of replicas again when it is reset, and says so', () => {
    const state = withReplicas(withIndex(cluster, 'lib', { settings: { number_of_replicas: 3 } }), null);
    expect(state.metadata.indices.get('lib')).toMatchObject({
      numberOfReplicas: 1,
      settings: { 'index.number_of_replicas': '1' },
    });
  });

  test('of an older version, which does not say its number of replicas, keeps it', () => {
    const made = withIndex(cluster, 'lib', { settings: { number_of_replicas: 0 } });
    const index = made.metadata.indices.get('lib');
    if (index === undefined) throw new Error('no index');
    const { 'index.number_of_replicas': _removed, ...settings } = index.settings;
    const indices = new Map([['lib', { ...index, settings }]]);
    const older = { ...made, metadata: { ...made.metadata, indices } };
    const changed = updateIndexSettings(
      older,
      { indices: ['lib'], settings: { refresh_interval: '5s' }, preserveExisting: false },
      context,
    );
    expect(changed.metadata.indices.get('lib')?.numberOfReplicas).toBe(0);
  });

  test('waits in its writes for no more copies than it has', () => {
    const settings = { number_of_replicas: 1, 'write.wait_for_active_shards': 3 };
    const tooMany = 'invalid index.write.wait_for_active_shards[3]: cannot be greater than number of shard copies [2]';
    expect(() => withIndex(cluster, 'lib', { settings })).toThrow(tooMany);
    const state = withIndex(cluster, 'lib', { settings: { ...settings, number_of_replicas: 2 } });
    const set = (changed: Readonly<Record<string, unknown>>) =>
      updateIndexSettings(state, { indices: ['lib'], settings: changed, preserveExisting: false }, context);
    expect(() => set({ number_of_replicas: 1 })).toThrow(tooMany);
    expect(() => set({ number_of_replicas: 1, 'write.wait_for_active_shards': 'all' })).not.toThrow();
    expect(() => set({ 'write.wait_for_active_shards': 4 })).toThrow('number of shard copies [3]');
  });

  test('with a write block refuses writes in the words of Elasticsearch', () => {
    const state = updateIndexSettings(
      withIndex(cluster, 'lib'),
      { indices: ['lib'], settings: { 'index.blocks.write': true }, preserveExisting: false },
      context,
    );
    expect(() => checkBlock(state, 'write', ['lib'])).toThrow(
      expect.objectContaining({
        type: 'cluster_block_exception',
        status: 403,
        reason: 'index [lib] blocked by: [FORBIDDEN/8/index write (api)];',
      }),
    );
    expect(() => checkBlock(state, 'read', ['lib'])).not.toThrow();
  });
});

test('a node that never was in a cluster refuses everything', () => {
  expect(() => checkBlock(emptyClusterState('c'), 'read', [])).toThrow(
    expect.objectContaining({
      status: 503,
      reason: 'blocked by: [SERVICE_UNAVAILABLE/1/state not recovered / initialized];',
    }),
  );
});

describe('aliases', () => {
  const state = withIndex(withIndex(cluster, 'one', { aliases: { both: { is_write_index: true } } }), 'two');
  const add = {
    kind: 'add',
    index: 'two',
    alias: 'both',
    filter: null,
    indexRouting: null,
    searchRouting: null,
    isWriteIndex: null,
    isHidden: null,
  } as const;

  test('change together or not at all', () => {
    const next = updateAliases(state, [add, { kind: 'remove', index: 'one', alias: 'both', mustExist: true }], context);
    expect(next.metadata.indices.get('one')?.aliases.size).toBe(0);
    expect(next.metadata.indices.get('two')?.aliases.has('both')).toBe(true);
    const missing = { kind: 'remove', index: 'two', alias: 'nope', mustExist: true } as const;
    expect(() => updateAliases(state, [add, missing], context)).toThrow('aliases [nope] missing');
  });

  test('have one write index, and no name of an index', () => {
    expect(() => updateAliases(state, [{ ...add, isWriteIndex: true }], context)).toThrow(
      'alias [both] has more than one write index [one,two]',
    );
    expect(() => updateAliases(state, [{ ...add, alias: 'one' }], context)).toThrow(
      'Invalid alias name [one]: an index or data stream exists with the same name as the alias',
    );
  });
});

describe('cluster settings', () => {
  const set = (persistent: Record<string, unknown>, state = cluster) =>
    updateClusterSettings(state, { persistent, transient: {} }, context);

  test('that nobody knows are refused with the nearest name', () => {
    expect(() => set({ 'cluster.max_voting_config_exclusion': 1 })).toThrow(
      'persistent setting [cluster.max_voting_config_exclusion], not recognized did you mean [cluster.max_voting_config_exclusions]?',
    );
    expect(() => set({ 'cluster.max_shards_per_node': 'many' })).toThrow(
      'Failed to parse value [many] for setting [cluster.max_shards_per_node]',
    );
  });

  test('are removed by null, also by wildcard', () => {
    const state = set({ cluster: { routing: { allocation: { exclude: { _name: 'x', _ip: 'y' } } } } });
    expect(Object.keys(state.metadata.persistentSettings)).toHaveLength(2);
    expect(set({ 'cluster.routing.allocation.exclude.*': null }, state).metadata.persistentSettings).toEqual({});
    expect(set({ 'cluster.max_shards_per_node': null })).toBe(cluster);
  });
});

describe('voting exclusions', () => {
  test('name nodes that are there or not, ten at most', () => {
    const state = addVotingExclusions(cluster, { nodeIds: [], nodeNames: ['name-b', 'later'] }, testContext());
    expect(state.metadata.coordination.votingConfigExclusions).toEqual([
      { nodeId: 'b', nodeName: 'name-b' },
      { nodeId: '_absent_', nodeName: 'later' },
    ]);
    expect(exclusionsInForce(state)).toBe(true);
    const names = Array.from({ length: 11 }, (_, i) => `n${i}`);
    expect(() => addVotingExclusions(cluster, { nodeIds: [], nodeNames: names }, testContext())).toThrow(
      /exceed the maximum of \[10\]/,
    );
    const joined = withNodes(
      state,
      { joined: [testNode('l', { name: 'later' })], left: [], newManager: null },
      context,
    );
    expect(joined.metadata.coordination.votingConfigExclusions[1]?.nodeId).toBe('l');
    expect(clearVotingExclusions(joined).metadata.coordination.votingConfigExclusions).toEqual([]);
  });
});

describe('a node that joins', () => {
  const model = clusterValueModel(() => context);

  test('again with the same process changes nothing', () => {
    const joined = [testNode('b')];
    expect(model.withNodes(cluster, { joined, left: [], newManager: null })).toBe(cluster);
  });

  test('takes the place of the one that had its address', () => {
    const address = testNode('b').address;
    const joined = [testNode('x', { address })];
    const next = model.withNodes(cluster, { joined, left: [], newManager: null });
    expect([...next.nodes.keys()]).toEqual(['a', 'x']);
  });

  test('of another major version is refused', () => {
    expect(model.refuseJoin(cluster, testNode('x', { version: '1.0.0' }))).toMatch(/major versions differ/);
    expect(model.refuseJoin(cluster, testNode('x', { version: '0.0.9' }))).toMatch(/newer versions/);
    expect(model.refuseJoin(cluster, testNode('x'))).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import { parseLifecyclePolicy } from './lifecycle-policy.ts';

describe('a lifecycle policy', () => {
  test('has its phases in their order, and the actions of each in theirs', () => {
    const phases = parseLifecyclePolicy({
      phases: {
        delete: { min_age: '30d', actions: { delete: {} } },
        warm: {
          min_age: '1d',
          actions: {
            forcemerge: { max_num_segments: 1 },
            allocate: { number_of_replicas: 0, require: { box: 'warm' } },
            readonly: {},
            migrate: { enabled: false },
            set_priority: { priority: 50 },
          },
        },
        hot: { actions: { rollover: { max_docs: 2, max_age: '7d' } } },
      },
      _meta: { owner: 'me' },
    });
    expect(phases.map(({ name, minAgeMs }) => [name, minAgeMs])).toEqual([
      ['hot', 0],
      ['warm', 86_400_000],
      ['delete', 30 * 86_400_000],
    ]);
    expect(phases[0]?.shown.min_age).toBe('0ms');
    expect(phases[1]?.actions).toEqual([
      { kind: 'set_priority', priority: 50 },
      { kind: 'readonly' },
      {
        kind: 'allocate',
        settings: { 'index.routing.allocation.require.box': 'warm', 'index.number_of_replicas': '0' },
      },
      { kind: 'forcemerge', segmentsMax: 1 },
    ]);
    expect(phases[2]?.shown).toEqual({ min_age: '30d', actions: { delete: { delete_searchable_snapshot: true } } });
  });

  test('shrinks, waits for snapshots, and limits the shards of a node', () => {
    const phases = parseLifecyclePolicy({
      phases: {
        warm: {
          actions: {
            forcemerge: { max_num_segments: 1 },
            shrink: { number_of_shards: 1, allow_write_after_shrink: true },
            allocate: { total_shards_per_node: 200 },
          },
        },
        cold: { actions: { freeze: {} } },
        delete: { actions: { delete: {}, wait_for_snapshot: { policy: 'nightly' } } },
      },
      deprecated: true,
    });
    expect(phases.map(({ actions }) => actions)).toEqual([
      [
        { kind: 'allocate', settings: { 'index.routing.allocation.total_shards_per_node': '200' } },
        { kind: 'shrink', to: { shards: 1 }, allowsWrites: true },
        { kind: 'forcemerge', segmentsMax: 1 },
      ],
      [],
      [{ kind: 'wait_for_snapshot', policy: 'nightly' }, { kind: 'delete' }],
    ]);
    const shrink = { max_primary_shard_size: '1kb' };
    expect(parseLifecyclePolicy({ phases: { warm: { actions: { shrink } } } })[0]?.actions).toEqual([
      { kind: 'shrink', to: { shardBytesMax: 1024 }, allowsWrites: false },
    ]);
  });

  test.each([
    [{ phases: { tepid: {} } }, 'Timeseries lifecycle does not support phase [tepid]'],
    [
      { phases: { warm: { actions: { rollover: { max_docs: 1 } } } } },
      'invalid action [rollover] defined in phase [warm]',
    ],
    [
      { phases: { warm: { actions: { shrink: {} } } } },
      'Either [number_of_shards] or [max_primary_shard_size] must be',
    ],
    [
      { phases: { warm: { actions: { shrink: { number_of_shards: 1, max_primary_shard_size: '1gb' } } } } },
      'Cannot set both [number_of_shards] and [max_primary_shard_size]',
    ],
    [
      { phases: { warm: { actions: { shrink: { number_of_shards: 0 } } } } },
      '[number_of_shards] must be greater than 0',
    ],
    [{ phases: { cold: { actions: { searchable_snapshot: {} } } } }, 'non-compliant for [searchable-snapshots]'],
    [{ phases: { frozen: { actions: { searchable_snapshot: {} } } } }, 'non-compliant for [searchable-snapshots]'],
    [{ phases: { cold: { actions: { downsample: {} } } } }, 'action [downsample] in phase [cold] is not supported'],
    [{ phases: { delete: { actions: { wait_for_snapshot: {} } } } }, 'policy name must be specified'],
    [
      { phases: { warm: { actions: { allocate: { total_shards_per_node: -2 } } } } },
      '[total_shards_per_node] must be >= -1',
    ],
    [
      { phases: { hot: { actions: { forcemerge: { max_num_segments: 1 } } } } },
      'without an accompanying [rollover] action',
    ],
    [{ phases: { hot: { actions: { rollover: {} } } } }, 'At least one rollover condition must be set.'],
    [{ phases: { hot: { actions: { rollover: { max_foo: 1 } } } } }, 'failed to parse field [conditions]'],
    [
      { phases: { warm: { actions: { forcemerge: { max_num_segments: 0 } } } } },
      '[max_num_segments] must be a positive',
    ],
    [{ phases: { warm: { actions: { allocate: {} } } } }, 'must contain attributes for action [allocate]'],
    [{ phases: { warm: { actions: { set_priority: { priority: -1 } } } } }, '[priority] must be 0 or greater'],
    [{ phases: { warm: { actions: { readonly: { x: 1 } } } } }, 'unknown field [x]'],
    [{ phases: { warm: { min_age: 'soon' } } }, 'min_age'],
    [{ phases: { warm: { after: '1d' } } }, 'unknown field [after]'],
    [{ phases: [] }, '[phases] must be an object'],
    [{}, '[phases] must be an object'],
    [{ phases: {}, name: 'x' }, 'unknown field [name]'],
  ])('%j is refused', (policy, reason) => {
    let message = '';
    try {
      parseLifecyclePolicy(policy);
    } catch (error) {
      message = String(error);
      expect(error).toMatchObject({ status: 400 });
    }
    expect(message).toContain(reason);
  });
});

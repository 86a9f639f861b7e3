import type { ClusterState } from '@shoal/cluster-state';
import type { ResizeKind } from '@shoal/protocol';
import { describe, expect, test } from 'vitest';
import { sourceShards } from '../reading/resize-source.ts';
import { updateIndexSettings } from '../settings/update-index-settings.ts';
import { clusterOf, copiesOf, testContext, withIndex } from '../value/cluster-states.test-support.ts';
import { setIndexState } from './open-close-index.ts';
import { resizeIndex } from './resize-index.ts';

/** A cluster with an index of so many shards that takes no writes. */
function blocked(shards: number, settings: Readonly<Record<string, unknown>> = {}, mapping: object = {}): ClusterState {
  return withIndex(clusterOf(), 'src', {
    settings: { number_of_shards: shards, 'index.blocks.write': true, refresh_interval: '7s', ...settings },
    mappings: { properties: { a: { type: 'keyword' } }, ...mapping },
    aliases: { al: {} },
  });
}

function resized(state: ClusterState, kind: ResizeKind, settings: object = {}, more: object = {}): ClusterState {
  const body = { index: 'new', settings, mappings: {}, aliases: {}, waitForActiveShards: null, ...more };
  return resizeIndex(state, { ...body, settings: { ...settings } }, { kind, source: 'src' }, testContext());
}

describe('an index made of another one', () => {
  test('has its mapping and settings, and aliases of its own', () => {
    const state = resized(blocked(4), 'shrink', { 'index.number_of_shards': 2 }, { aliases: { b: {} } });
    const index = state.metadata.indices.get('new');
    expect(index?.mapping).toEqual({ properties: { a: { type: 'keyword' } } });
    expect([...(index?.aliases.keys() ?? [])]).toEqual(['b']);
    expect(index?.settings).toMatchObject({
      'index.number_of_shards': '2',
      'index.number_of_replicas': '1',
      'index.refresh_interval': '7s',
      'index.blocks.write': 'true',
      'index.resize.source.name': 'src',
      'index.resize.source.uuid': state.metadata.indices.get('src')?.uuid,
    });
    expect(state.blocks.indices.get('new')).toMatchObject([{ id: 8 }]);
    expect(copiesOf(state, 'new').map((copy) => [copy.state, copy.recoverySource])).toEqual([
      ['INITIALIZING', 'LOCAL_SHARDS'],
      ['UNASSIGNED', 'PEER'],
      ['INITIALIZING', 'LOCAL_SHARDS'],
      ['UNASSIGNED', 'PEER'],
    ]);
  });

  test.each([[{ enabled: false }], [{ excludes: ['a'] }], [{ includes: ['a'] }]])(
    'is refused where documents are not kept whole: %j',
    (source) => {
      expect(() => resized(blocked(1, {}, { _source: source }), 'clone')).toThrow(
        'cannot resize index [src]: its documents are read from [_source], which the mapping leaves parts out of',
      );
    },
  );

  test.each([
    ['shrink', 4, {}, 1, 1024],
    ['shrink', 6, { number_of_shards: 3 }, 3, 768],
    ['split', 2, { number_of_shards: 8 }, 8, 1024],
    ['split', 1, { number_of_shards: 5 }, 5, 640],
    ['split', 1, { number_of_shards: 5, number_of_routing_shards: 10 }, 5, 10],
    ['clone', 3, {}, 3, 768],
  ] as const)('by %s of %i shards with %j has %i, routed over %i slots', (kind, from, settings, shards, slots) => {
    const index = resized(blocked(from), kind, settings).metadata.indices.get('new');
    expect([index?.numberOfShards, index?.routingNumShards]).toEqual([shards, slots]);
  });

  test('that was closed before it had its documents begins again with them', () => {
    const clone = resized(blocked(2), 'clone', { number_of_replicas: 0 });
    const state = setIndexState(clone, ['new'], 'close', testContext());
    expect(copiesOf(state, 'new').map((copy) => copy.recoverySource)).toEqual(['LOCAL_SHARDS', 'LOCAL_SHARDS']);
  });

  test.each([
    ['shrink', { number_of_shards: 3 }, 'the number of source shards [4] must be a multiple of [3]'],
    [
      'shrink',
      { number_of_shards: 8 },
      'the number of target shards [8] must be less that the number of source shards [4]',
    ],
    ['split', {}, 'Validation Failed: 1: index.number_of_shards is required for split operations;'],
    ['split', { number_of_shards: 6 }, 'the number of source shards [4] must be a factor of [6]'],
    [
      'split',
      { number_of_shards: 2 },
      'the number of source shards [4] must be less that the number of target shards [2]',
    ],
    [
      'split',
      { number_of_shards: 12 },
      'the number of routing shards [1024] must be a multiple of the target shards [12]',
    ],
    [
      'clone',
      { number_of_shards: 2 },
      'the number of target shards (2) must be the same as the number of source shards (4)',
    ],
    ['clone', { number_of_routing_shards: 8 }, 'cannot provide index.number_of_routing_shards on resize'],
    ['clone', { 'index.resize.source.name': 'x' }, 'private index setting [index.resize.source.name] can not be set'],
    ['clone', { foo: 1 }, 'unknown setting [index.foo]'],
  ] as const)('by %s is refused with %j', (kind, settings, reason) => {
    expect(() => resized(blocked(4), kind, settings)).toThrow(reason);
  });

  test('is refused while the source takes writes, is closed, or is not there', () => {
    const writable = updateIndexSettings(
      blocked(1),
      { indices: ['src'], settings: { 'index.blocks.write': null }, preserveExisting: false },
      testContext(),
    );
    expect(() => resized(writable, 'clone')).toThrow(
      expect.objectContaining({
        type: 'illegal_state_exception',
        message: expect.stringContaining('index src must be read-only to resize index'),
      }),
    );
    const closed = setIndexState(blocked(1), ['src'], 'close', testContext());
    expect(() => resized(closed, 'clone')).toThrow(expect.objectContaining({ type: 'index_closed_exception' }));
    expect(() => resized(clusterOf(), 'clone')).toThrow(expect.objectContaining({ type: 'index_not_found_exception' }));
  });

  test('is refused under a name that is taken', () => {
    const state = resized(blocked(1), 'clone');
    expect(() => resized(state, 'clone')).toThrow(
      expect.objectContaining({ type: 'resource_already_exists_exception' }),
    );
    expect(() => resized(blocked(1), 'clone', {}, { index: 'al' })).toThrow('already exists as alias');
  });
});

test.each([
  [4, 1, [[0, 1, 2, 3]]],
  [
    4,
    2,
    [
      [0, 1],
      [2, 3],
    ],
  ],
  [2, 4, [[0], [0], [1], [1]]],
  [2, 2, [[0], [1]]],
])('shards of %i to %i take their documents from %j', (source, target, expected) => {
  expect(Array.from({ length: target }, (_, shard) => sourceShards(shard, { source, target }))).toEqual(expected);
});

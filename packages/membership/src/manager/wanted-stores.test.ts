import type { ShardRouting, UnassignedInfo } from '@shoal/cluster-state';
import { expect, test } from 'vitest';
import { type WantedStore, wantedStores } from './wanted-stores.ts';

const info = (reason: UnassignedInfo['reason']): UnassignedInfo => ({
  reason,
  atMs: 0,
  failedAllocations: 0,
  details: null,
  allocationStatus: 'no_attempt',
  lastNodeId: null,
});

const copy = (parts: Partial<ShardRouting>): ShardRouting => ({
  index: 'lib',
  indexUuid: 'u',
  shard: 0,
  isPrimary: false,
  state: 'UNASSIGNED',
  nodeId: null,
  relocatingNodeId: null,
  allocationId: null,
  recoverySource: 'PEER',
  unassigned: info('CLUSTER_RECOVERED'),
  ...parts,
});

const primary = (parts: Partial<ShardRouting> = {}): ShardRouting =>
  copy({ isPrimary: true, recoverySource: 'EXISTING_STORE', ...parts });
const on = (nodeId: string, state: ShardRouting['state']): Partial<ShardRouting> => {
  return { nodeId, state, allocationId: `on ${nodeId}` };
};

function wanted(...copies: readonly ShardRouting[]): WantedStore | undefined {
  const [store, ...more] = wantedStores({ routing: { version: 1, indices: new Map([['lib', [copies]]]) } });
  expect(more).toEqual([]);
  return store;
}

test('a shard whose copies lie on disks somewhere is asked for, all of it at once', () => {
  expect(wanted(primary(), copy({}))).toEqual({
    indexUuid: 'u',
    shard: 0,
    isPrimaryMissing: true,
    holders: new Set(),
  });
});

test.each(['INITIALIZING', 'STARTED'] as const)(
  'what is known of its replicas is kept while the primary is %s, but for the node that has it',
  (state) => {
    const store = wanted(primary(on('a', state)), copy({}));
    expect(store).toMatchObject({ isPrimaryMissing: false, holders: new Set(['a']) });
  },
);

test('a node on which a replica recovers is not asked: what lay there is given up', () => {
  const store = wanted(primary(on('a', 'STARTED')), copy(on('b', 'INITIALIZING')), copy({}));
  expect(store?.holders).toEqual(new Set(['a', 'b']));
});

test('copies that never were anywhere are not looked for', () => {
  const fresh = { unassigned: info('INDEX_CREATED') };
  expect(wanted(primary({ ...fresh, recoverySource: 'EMPTY_STORE' }), copy(fresh))).toBe(undefined);
  expect(wanted(primary(on('a', 'STARTED')), copy(fresh))).toBe(undefined);
  expect(wanted(primary({ recoverySource: 'SNAPSHOT' }))).toBe(undefined);
});

test('a shard that lacks nothing is not asked for', () => {
  expect(wanted(primary(on('a', 'STARTED')), copy(on('b', 'STARTED')))).toBe(undefined);
});

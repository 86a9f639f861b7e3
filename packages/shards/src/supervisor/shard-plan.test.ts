import { describe, expect, test } from 'vitest';
import { clusterState, indexMetadata, LOCAL_NODE, routing } from './cluster-states.test-support.ts';
import { FollowedAssignments } from './followed-assignments.ts';
import { type LocalCopy, planShards } from './shard-plan.ts';

const KEY = 'uuid-books/0';

function plan(copy: Parameters<typeof routing>[0] | null, local: LocalCopy | null, primaryTerms: number[] = [1]) {
  const state = clusterState({
    indices: [indexMetadata({ primaryTerms })],
    routings: copy === null ? [] : [routing(copy)],
  });
  const assigned = new FollowedAssignments(LOCAL_NODE);
  assigned.follow(state);
  return planShards([KEY], assigned.all, new Map(local === null ? [] : [[KEY, local]]));
}

const open: LocalCopy = { allocationId: 'a1', primaryTerm: 1, isPrimary: true, hasShell: false, phase: 'open' };
const replica: LocalCopy = { ...open, isPrimary: false, hasShell: true };
const PEER = { recoverySource: 'PEER', isPrimary: false } as const;

describe('a copy that the state assigns to this node', () => {
  test('is created again for an empty store', () => {
    expect(plan({}, null)).toMatchObject([{ kind: 'open', bootstrap: 'create' }]);
  });

  test('is opened from disk for an existing store', () => {
    expect(plan({ recoverySource: 'EXISTING_STORE' }, null)).toMatchObject([{ kind: 'open', bootstrap: 'existing' }]);
  });

  test('is reported failed when the state believes it started and it is not here', () => {
    expect(plan({ state: 'STARTED' }, null)).toMatchObject([{ kind: 'reportFailed' }]);
  });

  test('comes from its primary when it is a replica, and says by itself when it has everything', () => {
    expect(plan(PEER, null)).toMatchObject([{ kind: 'open', bootstrap: 'peer' }]);
    expect(plan(PEER, replica).map(({ kind }) => kind)).toEqual(['refreshMetadata']);
    expect(plan({ ...PEER, state: 'STARTED' }, null)).toMatchObject([{ kind: 'reportFailed' }]);
  });

  test('that follows another one enters its terms as it is, while it opens too', () => {
    const kinds = (local: LocalCopy, copy = {}) => plan({ ...PEER, ...copy }, local, [2]).map(({ kind }) => kind);
    expect(kinds(replica)).toEqual(['enterTerm', 'refreshMetadata']);
    expect(kinds({ ...replica, phase: 'opening' })).toEqual([]);
    const promoted = { recoverySource: 'EXISTING_STORE', isPrimary: true, state: 'STARTED' } as const;
    expect(kinds(replica, promoted)).toEqual(['enterTerm', 'refreshMetadata']);
  });

  test('that failed as a replica is opened again when it is to lead with what is on its disk', () => {
    const again = { recoverySource: 'EXISTING_STORE', isPrimary: true } as const;
    expect(plan({ ...PEER }, { ...replica, phase: 'failed' })).toMatchObject([{ kind: 'reportFailed' }]);
    expect(plan(again, { ...replica, phase: 'failed' }, [2])).toMatchObject([
      { kind: 'close' },
      { kind: 'open', bootstrap: 'existing' },
    ]);
  });

  test('is reported started until the state shows it', () => {
    expect(plan({}, open).map((action) => action.kind)).toEqual(['refreshMetadata', 'reportStarted']);
    expect(plan({ state: 'STARTED' }, open).map((action) => action.kind)).toEqual(['refreshMetadata']);
  });

  test('says by itself when it has begun another history, when it was forced to lead', () => {
    const forced = { recoverySource: 'EXISTING_STORE', isForced: true } as const;
    expect(plan(forced, open).map((action) => action.kind)).toEqual(['refreshMetadata']);
  });

  test('is left alone while it opens', () => {
    expect(plan({}, { ...open, phase: 'opening' })).toEqual([]);
  });

  test('is never tried again under the allocation that failed', () => {
    expect(plan({}, { ...open, phase: 'failed' })).toMatchObject([{ kind: 'reportFailed' }]);
  });

  test('is closed before another allocation of it is opened', () => {
    const actions = plan({ allocationId: 'a2', recoverySource: 'EXISTING_STORE' }, open);
    expect(actions).toMatchObject([
      { kind: 'close', key: KEY },
      { kind: 'open', bootstrap: 'existing' },
    ]);
  });

  test('is told when its primary term grew, and stays open', () => {
    expect(plan({ state: 'STARTED' }, open, [2])).toMatchObject([
      { kind: 'enterTerm', assignment: { primaryTerm: 2 } },
      { kind: 'refreshMetadata' },
    ]);
  });

  test.each([false, true])(
    'is opened again from its store when its index was opened or closed, followed by others or not (%s)',
    (hasShell) => {
      const again = { recoverySource: 'EXISTING_STORE', state: 'INITIALIZING' } as const;
      expect(plan(again, { ...open, hasShell }, [2])).toMatchObject([
        { kind: 'close' },
        { kind: 'open', bootstrap: 'existing', assignment: { primaryTerm: 2 } },
      ]);
    },
  );

  test.each(['opening', 'failed'] as const)(
    'is opened again from its store when its term grew and it is %s',
    (phase) => {
      expect(plan({ state: 'STARTED' }, { ...open, phase }, [2])).toMatchObject([
        { kind: 'close' },
        { kind: 'open', bootstrap: 'existing', assignment: { primaryTerm: 2 } },
      ]);
    },
  );
});

test('a copy that the state does not assign here is closed', () => {
  expect(plan(null, open)).toEqual([{ kind: 'close', key: KEY }]);
  expect(plan({ nodeId: 'another' }, open)).toEqual([{ kind: 'close', key: KEY }]);
});

import { describe, expect, test } from 'vitest';
import { clusterState, indexMetadata, LOCAL_NODE, routing } from './cluster-states.test-support.ts';
import { assignmentsOf, type LocalCopy, planShards } from './shard-plan.ts';

const KEY = 'uuid-books/0';

function plan(copy: Parameters<typeof routing>[0] | null, local: LocalCopy | null, primaryTerms: number[] = [1]) {
  const state = clusterState({
    indices: [indexMetadata({ primaryTerms })],
    routings: copy === null ? [] : [routing(copy)],
  });
  return planShards(assignmentsOf(state, LOCAL_NODE), new Map(local === null ? [] : [[KEY, local]]));
}

const open: LocalCopy = { allocationId: 'a1', primaryTerm: 1, phase: 'open' };

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

  test('is reported failed when it should come from another node', () => {
    expect(plan({ recoverySource: 'PEER', isPrimary: false }, null)).toMatchObject([{ kind: 'reportFailed' }]);
  });

  test('is reported started until the state shows it', () => {
    expect(plan({}, open).map((action) => action.kind)).toEqual(['refreshMetadata', 'reportStarted']);
    expect(plan({ state: 'STARTED' }, open).map((action) => action.kind)).toEqual(['refreshMetadata']);
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
      { kind: 'lead', assignment: { primaryTerm: 2 } },
      { kind: 'refreshMetadata' },
    ]);
  });

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

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusterState, indexMetadata } from '../supervisor/cluster-states.test-support.ts';
import { planIndexFolders } from './index-folder-plan.ts';

const index = (uuid: string) => indexMetadata({ name: `index-${uuid}`, uuid });
const folders = new Set(['x']);

describe('the folder of an index', () => {
  test('goes when the index is buried', () => {
    const state = clusterState({ indices: [], graveyard: ['x'] });
    expect(planIndexFolders(folders, state, state)).toEqual({ remove: ['x'], dangling: [] });
  });

  test('goes when the index was there and is not any more', () => {
    const plan = planIndexFolders(folders, clusterState({ indices: [index('x')] }), clusterState({ indices: [] }));
    expect(plan).toEqual({ remove: ['x'], dangling: [] });
  });

  test('stays when nobody knows the index', () => {
    const state = clusterState({ indices: [] });
    expect(planIndexFolders(folders, state, state)).toEqual({ remove: [], dangling: ['x'] });
  });

  test('stays when the node came into another cluster', () => {
    const before = clusterState({ indices: [index('x')], clusterUuid: 'old' });
    const plan = planIndexFolders(folders, before, clusterState({ indices: [], clusterUuid: 'new' }));
    expect(plan).toEqual({ remove: [], dangling: ['x'] });
  });

  test.each([{ clusterManagerId: null }, { isRecovered: false }])('stays while the state is not sure: %j', (doubt) => {
    const before = clusterState({ indices: [index('x')] });
    const plan = planIndexFolders(folders, before, clusterState({ indices: [], graveyard: ['x'], ...doubt }));
    expect(plan).toEqual({ remove: [], dangling: [] });
  });

  test('of an index that exists is never removed, whatever else is known', () => {
    const uuids = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'));
    fc.assert(
      fc.property(uuids, uuids, uuids, uuids, (onDisk, before, now, buried) => {
        const plan = planIndexFolders(
          new Set(onDisk),
          clusterState({ indices: before.map(index) }),
          clusterState({ indices: now.map(index), graveyard: buried }),
        );
        expect(plan.remove.filter((uuid) => now.includes(uuid))).toEqual([]);
        const known = new Set([...before, ...buried]);
        expect(plan.remove.every((uuid) => known.has(uuid) && onDisk.includes(uuid))).toBe(true);
      }),
    );
  });
});

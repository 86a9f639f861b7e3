import { BY_SCORE } from '@shoal/query';
import { describe, expect, test } from 'vitest';
import { TopList } from '../../collect/deep-page/ranked-list.ts';
import { RankLists, type StoredList } from './ranked-list-store.ts';

/** List of `count` entries, four bytes each. */
function list(contextId: number, count: number, more: Partial<StoredList> = {}): Omit<StoredList, 'id'> {
  const entries = new TopList({ columns: [], scores: null, ords: new Uint32Array(count) });
  const matches = { entries, sort: [BY_SCORE], total: count, maxScore: null, isPartial: false };
  return { contextId, identity: null, outlivesSearch: false, matches, ...more };
}

const ofPoint = (identity: string | null): Partial<StoredList> => ({ identity, outlivesSearch: true });

describe('the lists that a shard keeps', () => {
  test('are found by their number, in their own context alone, until it ends', () => {
    const lists = new RankLists(100);
    const id = lists.add(list(1, 5));
    expect(lists.get(1, id).matches.entries.count).toBe(5);
    expect(() => lists.get(2, id)).toThrow('No ranked hits found');
    lists.dropContext(1);
    expect(() => lists.get(1, id)).toThrow('No ranked hits found');
    expect(lists.roomBytes).toBe(100);
  });

  test('of a point in time are found again by the same search', () => {
    const lists = new RankLists(100);
    lists.add(list(1, 5, ofPoint('a')));
    expect(lists.find(1, 'a')?.matches.entries.count).toBe(5);
    expect(lists.find(1, 'b')).toBeNull();
    expect(lists.find(2, 'a')).toBeNull();
  });

  test('of points in time give way, the one that was not used for longest first', () => {
    const lists = new RankLists(100);
    for (const identity of ['a', 'b', null]) lists.add(list(1, 8, ofPoint(identity)));
    lists.find(1, 'a');
    lists.add(list(2, 8));
    expect([lists.find(1, 'a') !== null, lists.find(1, 'b') !== null]).toEqual([true, false]);
  });

  test('of a search that is under way do not: another one is refused', () => {
    const lists = new RankLists(100);
    const id = lists.add(list(1, 20));
    expect(() => lists.add(list(2, 10, ofPoint('a')))).toThrow('Data too large');
    expect(lists.get(1, id).matches.entries.count).toBe(20);
    expect(lists.roomBytes).toBe(20);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ReconfigurationInput, reconfigure } from './reconfiguration.ts';
import { isQuorum, votingConfig } from './voting-config.ts';

function config(input: Partial<ReconfigurationInput> & { live: ReadonlySet<string> }): readonly string[] {
  return reconfigure({ excluded: new Set(), manager: 'n1', current: ['n1'], autoShrink: true, ...input });
}

function ids(count: number): Set<string> {
  return new Set(Array.from({ length: count }, (_, index) => `n${index + 1}`));
}

describe('the voting configuration', () => {
  test.each([
    [1, 1],
    [2, 1],
    [3, 3],
    [4, 3],
    [5, 5],
  ])('of %i live nodes has %i voters', (live, voters) => {
    expect(config({ live: ids(live) })).toHaveLength(voters);
  });

  test('prefers the manager, then live nodes, then those that vote already', () => {
    expect(config({ live: ids(4), manager: 'n4', current: ['n2', 'n3', 'n4'] })).toEqual(['n2', 'n3', 'n4']);
    expect(config({ live: new Set(['n1', 'n3', 'n4']), current: ['n1', 'n2', 'n3'] })).toEqual(['n1', 'n3', 'n4']);
  });

  test('never shrinks from three to one by itself', () => {
    expect(config({ live: ids(2), current: ['n1', 'n2', 'n3'] })).toEqual(['n1', 'n2', 'n3']);
  });

  test('shrinks by exclusions', () => {
    const excluded = new Set(['n2', 'n3']);
    expect(config({ live: ids(3), current: ['n1', 'n2', 'n3'], excluded })).toEqual(['n1']);
  });

  test('keeps its size without auto-shrink', () => {
    expect(config({ live: ids(3), current: ['n1', 'n2', 'n3', 'n4', 'n5'], autoShrink: false })).toHaveLength(5);
  });

  test('stays when the live nodes would have no quorum in the better one', () => {
    const current = ['n1', 'n2', 'n3', 'n4', 'n5'];
    expect(config({ live: new Set(['n1']), current })).toEqual(current);
  });

  test('is the present one, or one in which the live nodes that are not excluded have a quorum', () => {
    const someIds = fc.uniqueArray(fc.constantFrom('n1', 'n2', 'n3', 'n4', 'n5', 'n6'));
    fc.assert(
      fc.property(someIds, someIds, someIds, fc.boolean(), (liveIds, currentIds, excludedIds, autoShrink) => {
        const live = new Set<string>([...liveIds, 'n1']);
        const excluded = new Set<string>(excludedIds);
        const current = votingConfig(currentIds);
        const next = reconfigure({ live, excluded, manager: 'n1', current, autoShrink });
        expect(reconfigure({ live, excluded, manager: 'n1', current: next, autoShrink })).toEqual(next);
        if (next === current) return;
        expect(isQuorum(new Set([...live].filter((id) => !excluded.has(id))), next)).toBe(true);
        expect(next.some((id) => excluded.has(id))).toBe(false);
      }),
    );
  });
});

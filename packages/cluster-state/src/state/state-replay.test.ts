import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleState, mutated, stateMutations } from './cluster-state.test-support.ts';
import { writeStateDiff } from './cluster-state-diff.ts';
import { StateReplay } from './state-replay.ts';

test('a replay of differences reaches the last state in the order of its keys, and leaves the first as it was', () => {
  fc.assert(
    fc.property(fc.array(stateMutations, { maxLength: 6 }), (rounds) => {
      const base = mutated(exampleState(), [], 1);
      const replayed = new StateReplay(base);
      let last = base;
      for (const [round, mutations] of rounds.entries()) {
        const next = mutated(last, mutations, 100 * (round + 1));
        replayed.apply(writeStateDiff(last, next));
        last = next;
        expect(replayed.stateUuid).toBe(next.stateUuid);
      }
      const reached = replayed.finish();
      expect(reached).toEqual(last);
      for (const keysOf of [keysOfNodes, keysOfIndices, keysOfRouting]) expect(keysOf(reached)).toEqual(keysOf(last));
      expect(base).toEqual(mutated(exampleState(), [], 1));
    }),
    { numRuns: 100 },
  );
});

type State = ReturnType<typeof exampleState>;
const keysOfNodes = ({ nodes }: State): readonly string[] => [...nodes.keys()];
const keysOfIndices = ({ metadata }: State): readonly string[] => [...metadata.indices.keys()];
const keysOfRouting = ({ routing }: State): readonly string[] => [...routing.indices.keys()];

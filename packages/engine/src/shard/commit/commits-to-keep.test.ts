import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Commit } from './commit-file.ts';
import { commitsToKeep } from './commits-to-keep.ts';

const commitOf = (generation: number, maxSeqNo: number, globalCheckpoint: number): Commit => ({
  ...{ generation, maxSeqNo, localCheckpoint: maxSeqNo, globalCheckpoint },
  ...{
    translogGeneration: 1,
    generations: [],
    trimmedSeqNo: -1,
    nextSegment: 0,
    segments: [],
    syncId: null,
    deletes: [],
    leases: new Map(),
    trims: [],
    restartedFrom: null,
  },
});

test('of commits the newest stays, and the newest that holds nothing above the global checkpoint, as long as there is one', () => {
  const steps = fc.array(fc.tuple(fc.nat(5), fc.nat(7)), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(steps, (rows) => {
      let kept: readonly Commit[] = [commitOf(0, -1, -1)];
      let [max, global] = [-1, -1];
      for (const [i, [more, confirmed]] of rows.entries()) {
        max += more;
        global = Math.min(max, global + confirmed);
        const newest = commitOf(i + 1, max, global);
        const before = [...kept, newest];
        kept = commitsToKeep(before);
        expect(kept.at(-1)).toBe(newest);
        expect(kept.length).toBeLessThanOrEqual(6);
        // The first commit of a shard is empty, so that there always is a safe one.
        expect(kept[0]).toBe(before.filter(({ maxSeqNo }) => maxSeqNo <= global).at(-1));
      }
    }),
  );
});

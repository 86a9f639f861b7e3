import { runSteps } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packState } from '../bytes/packed-state.test-support.ts';
import { unpackState } from '../bytes/state-bytes.ts';
import { exampleState, mutated, stateMutations } from './cluster-state.test-support.ts';
import { readClusterState, writeClusterState } from './cluster-state-codec.ts';
import { applyStateDiffInSteps, baseOfDiff, writeStateDiff } from './cluster-state-diff.ts';

describe('a cluster state', () => {
  test('comes back from bytes as it went in', () => {
    fc.assert(
      fc.property(stateMutations, (mutations) => {
        const state = mutated(exampleState(), mutations, 1);
        expect(readClusterState(unpackState(packState(writeClusterState(state))))).toEqual(state);
      }),
      { numRuns: 60 },
    );
  });

  test('is reached by its diff from any other, which keeps the parts that did not change', () => {
    fc.assert(
      fc.property(stateMutations, stateMutations, (before, after) => {
        const base = mutated(exampleState(), before, 1);
        const target = mutated(base, after, 100);
        const diff = unpackState(packState(writeStateDiff(base, target)));
        expect(baseOfDiff(diff)).toBe(base.stateUuid);
        const applied = runSteps(applyStateDiffInSteps(base, diff));
        expect(applied).toEqual(target);
        for (const [name, index] of target.metadata.indices) {
          const old = base.metadata.indices.get(name);
          if (old === index) expect(applied.metadata.indices.get(name)).toBe(old);
          if (old?.mapping === index.mapping) expect(applied.metadata.indices.get(name)?.mapping).toBe(old.mapping);
        }
        if (target.nodes === base.nodes) expect(applied.nodes).toBe(base.nodes);
        if (target.routing === base.routing) expect(applied.routing).toBe(base.routing);
      }),
      { numRuns: 100 },
    );
  });

  test('with an unknown shard state or with routing of no index is refused', () => {
    const state = mutated(exampleState(), [], 1);
    const value = writeClusterState(state);
    expect(() => readClusterState({ ...value, version: -1 })).toThrow(/version/);
    expect(() => readClusterState({ ...value, nodes: 'x' })).toThrow(/nodes/);
    expect(() => readClusterState({ ...value, routing: [{ index: 'ghost', shards: [] }] })).toThrow(/ghost|routing/);
    expect(() => readClusterState(null)).toThrow(/map/);
    expect(() => unpackState(new Uint8Array([1, 2, 3]))).toThrow(/packed state/);
  });
});

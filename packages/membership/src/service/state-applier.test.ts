import { emptyClusterState } from '@shoal/cluster';
import { createWorld } from '@shoal/simulation';
import { expect, test } from 'vitest';
import { StateApplier } from './state-applier.ts';

const state = emptyClusterState('c');

test('who waits for a state is told nothing when the node closes', async () => {
  const world = createWorld({ seed: 1 });
  const applier = new StateApplier(world.node('n').runtime, state);
  const waiting = applier.waitFor(() => false, 60_000);
  applier.close();
  expect(await waiting).toBe(null);
});

test('on a closed node there is nothing to wait for: who asks again and again would never rest', async () => {
  const world = createWorld({ seed: 1 });
  const applier = new StateApplier(world.node('n').runtime, state);
  applier.close();
  await expect(applier.waitFor(() => false, 60_000)).rejects.toMatchObject({ type: 'node_closed_exception' });
  expect(await applier.waitFor(() => true, 60_000)).toBe(state);
});

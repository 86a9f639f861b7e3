import type { ClusterState } from '@shoal/cluster-state';
import { ShoalError } from '@shoal/core';
import { expect, test } from 'vitest';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { indexOf, nodeOf, stateOf } from '../coordinator.test-support.ts';
import { ANY_COPY, CopyOrder } from '../copies/copy-order.ts';
import { askUntilCurrent } from './ask-until-current.ts';

const SHARD = { index: 'lib', indexUuid: 'uuid-lib', number: 0 };
const ending = new ShoalError('shard_not_found_exception', 404, 'no such shard');

/** A cluster whose next state comes so long after the one before; its shard is on `old` until the last of them, then on `new`. */
function cluster(states: number, everyMs: number) {
  const clock = { now: 0, monotonicMs: () => clock.now, wallMs: () => clock.now };
  const stateAt = (version: number): ClusterState =>
    stateOf({
      indices: [indexOf('lib')],
      nodes: ['old', 'new'].map(nodeOf),
      version,
      place: () => (version < states ? 'old' : 'new'),
    });
  let state = stateAt(1);
  const context = {
    runtime: { clock },
    cluster: {
      state: () => state,
      waitForState: async (_: unknown, waitMs: number) => {
        clock.now += Math.min(waitMs, everyMs);
        if (everyMs > waitMs) return null;
        state = stateAt(state.version + 1);
        return state;
      },
    },
    reads: ANY_COPY,
    copies: new CopyOrder(clock),
  } as unknown as CoordinatorContext;
  return { clock, context };
}

async function ask({ context }: ReturnType<typeof cluster>) {
  const nodes: string[] = [];
  const outcome = await askUntilCurrent(context, SHARD, null, async ({ nodeId }) => {
    nodes.push(nodeId);
    if (nodeId === 'old') throw ending;
    return 'here';
  });
  return { nodes, outcome };
}

test('states that say nothing of the shard, however many, keep no search from the one that does', async () => {
  const { nodes, outcome } = await ask(cluster(20, 10));
  expect(outcome).toMatchObject({ kind: 'answered', response: 'here' });
  expect(nodes).toEqual([...Array<string>(19).fill('old'), 'new']);
});

test.each([
  ['that never end', 100, 1_500],
  ['that do not come', 1_000, 500],
])('states %s are not waited for longer than a moment', async (_, everyMs, endsAtMs) => {
  const slow = cluster(Number.POSITIVE_INFINITY, everyMs);
  const { outcome } = await ask(slow);
  expect(outcome).toMatchObject({ kind: 'failed', nodeId: 'old', error: { status: 503, causedBy: ending } });
  expect(slow.clock.now).toBe(endsAtMs);
});

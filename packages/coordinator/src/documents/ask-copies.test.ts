import { CancelSource, ShoalError } from '@shoal/core';
import { expect, test } from 'vitest';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { indexOf, nodeOf, stateOf } from '../coordinator.test-support.ts';
import { ANY_COPY, CopyOrder, type ReadCopy, type ReadPreference } from '../copies/copy-order.ts';
import { askCopies } from './ask-copies.ts';

const SHARD = { index: 'lib', indexUuid: 'uuid-lib', number: 0 };
const STATES = { n1: 'STARTED', n2: 'STARTED', n3: 'INITIALIZING', n4: 'STARTED' } as const;

/** A shard whose primary is on n1, with a copy on n2, one that is being built on n3, and one of a node that is gone. */
function cluster(reads: ReadPreference = ANY_COPY) {
  const state = stateOf({ indices: [indexOf('lib')], nodes: ['n1', 'n2', 'n3'].map(nodeOf) });
  const [primary] = state.routing.indices.get('lib')?.[0] ?? [];
  if (primary === undefined) throw new Error('no primary');
  const copies = Object.entries(STATES).map(([nodeId, stands]) => ({
    ...primary,
    isPrimary: nodeId === 'n1',
    state: stands,
    nodeId,
    allocationId: `on ${nodeId}`,
  }));
  const clock = { now: 0, monotonicMs: () => clock.now, wallMs: () => clock.now };
  const routed = { ...state, routing: { ...state.routing, indices: new Map([['lib', [copies]]]) } };
  const context = {
    cluster: { state: () => routed },
    reads,
    copies: new CopyOrder(clock),
  } as unknown as CoordinatorContext;
  return { clock, context };
}

type Answer = (nodeId: string) => string | ShoalError;

async function asked({ context, clock }: ReturnType<typeof cluster>, answer: Answer, signal = new CancelSource()) {
  const nodes: string[] = [];
  const outcome = await askCopies(context, SHARD, signal.flag, async ({ nodeId }: ReadCopy) => {
    nodes.push(nodeId);
    const said = answer(nodeId);
    clock.now += nodeId === 'n1' ? 20 : 5;
    if (typeof said !== 'string') throw said;
    return said;
  });
  return { nodes, outcome };
}

const down = new ShoalError('node_not_connected_exception', 500, 'down');
const broken = new ShoalError('translog_corrupted_exception', 500, 'broken');
const wrong = new ShoalError('query_shard_exception', 400, 'wrong');

test('copies that serve take turns until one of them is known to be quicker', async () => {
  const shard = cluster();
  const nodes: string[] = [];
  for (let n = 0; n < 6; n++) nodes.push(...(await asked(shard, () => 'here')).nodes);
  expect(new Set(nodes.slice(0, 2))).toEqual(new Set(['n1', 'n2']));
  expect(nodes.slice(2, 4)).toEqual(['n2', 'n2']);
});

test.each([down, broken, new ShoalError('circuit_breaking_exception', 429, 'full')])(
  'what a copy answers with %s is asked of the next',
  async (error) => {
    for (const bad of ['n1', 'n2']) {
      const { outcome } = await asked(cluster(), (nodeId) => (nodeId === bad ? error : 'here'));
      expect(outcome).toMatchObject({
        kind: 'answered',
        copy: { nodeId: bad === 'n1' ? 'n2' : 'n1' },
        response: 'here',
      });
    }
  },
);

test('a copy that failed is asked last for a while', async () => {
  const shard = cluster();
  while ((await asked(shard, (nodeId) => (nodeId === 'n2' ? down : 'here'))).nodes.length < 2);
  expect((await asked(shard, () => 'here')).nodes).toEqual(['n1']);
});

test('what is wrong with the request is asked once', async () => {
  const { nodes, outcome } = await asked(cluster(), () => wrong);
  expect([nodes.length, outcome]).toMatchObject([1, { kind: 'failed', error: wrong }]);
});

test('nobody is asked after a failure when nobody waits any more', async () => {
  const cancel = new CancelSource();
  const { nodes } = await asked(
    cluster(),
    () => {
      cancel.cancel('gone');
      return broken;
    },
    cancel,
  );
  expect(nodes).toHaveLength(1);
});

test('the last failure is told when every copy failed', async () => {
  const { nodes, outcome } = await asked(cluster(), () => broken);
  expect(new Set(nodes)).toEqual(new Set(['n1', 'n2']));
  expect(outcome).toMatchObject({ kind: 'failed', nodeId: nodes[1], error: broken });
});

test.each([
  [{ copies: { kind: 'nodes', nodes: new Set(['n2']), only: true }, shards: null }, ['n2']],
  [{ copies: { kind: 'nodes', nodes: new Set(['n3']), only: true }, shards: null }, []],
  [{ copies: { kind: 'adaptive' }, shards: new Set([1]) }, []],
] as const)('a preference rules copies out: %j', async (reads, wanted) => {
  const { nodes, outcome } = await asked(cluster(reads), () => 'here');
  expect([nodes, outcome.kind]).toEqual([[...wanted], wanted.length > 0 ? 'answered' : 'missing']);
});

import type { ClusterService } from '@shoal/membership';
import { FREE_CONTEXT, FREE_CONTEXTS, FREED_CONTEXTS_MAX, type ShardTarget } from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { ContextReleases } from './context-releases.ts';

interface Sent {
  readonly nodeId: string;
  readonly action: string;
  readonly count: number;
}

/** Releases of a coordinator whose timers run when they are told to. */
function startReleases() {
  const sent: Sent[] = [];
  const timers: (() => void)[] = [];
  const cluster = {
    async send(nodeId: string, codec: { readonly name: string }, request: { readonly contexts?: readonly unknown[] }) {
      sent.push({ nodeId, action: codec.name, count: request.contexts?.length ?? 1 });
      throw new Error('the node is gone');
    },
  };
  const runtime = { sched: { after: (_ms: number, fn: () => void) => timers.push(fn) }, log: { debug: () => {} } };
  // Only what is used of them.
  const releases = new ContextReleases(runtime as unknown as Runtime, cluster as unknown as ClusterService);
  const tick = (): void => {
    for (const fn of timers.splice(0)) fn();
  };
  return { releases, sent, timers, tick };
}

const target: ShardTarget = { index: 'a', indexUuid: 'u', shard: 0, allocationId: 'x', stateVersion: 1 };
const open = (nodeId: string, contextId: number) => ({ nodeId, target, contextId });

test('contexts of several searches are let go of in one message a node', () => {
  const { releases, sent, timers, tick } = startReleases();
  releases.add([open('n1', 1), open('n2', 2)]);
  releases.add([open('n1', 3)]);
  releases.add([]);
  expect([sent.length, timers.length]).toEqual([0, 1]);
  tick();
  expect(sent).toEqual([
    { nodeId: 'n1', action: FREE_CONTEXTS.name, count: 2 },
    { nodeId: 'n2', action: FREE_CONTEXT.name, count: 1 },
  ]);
  tick();
  expect([sent.length, timers.length]).toEqual([2, 0]);
});

test('as many as a message names do not wait, and later ones wait anew', () => {
  const { releases, sent, tick } = startReleases();
  releases.add(Array.from({ length: FREED_CONTEXTS_MAX }, (_, i) => open('n1', i)));
  expect(sent).toEqual([{ nodeId: 'n1', action: FREE_CONTEXTS.name, count: FREED_CONTEXTS_MAX }]);
  releases.add([open('n1', 0)]);
  tick();
  expect(sent.map(({ count }) => count)).toEqual([FREED_CONTEXTS_MAX, 1]);
});

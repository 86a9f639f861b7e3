import { createWorld } from '@shoal/simulation';
import { startTransport } from '@shoal/transport';
import { expect, test } from 'vitest';
import { causeOf } from './failure-cause.ts';

const identity = {
  nodeId: 'n1',
  ephemeralId: 'n1-1',
  name: 'n1',
  clusterName: 'c',
  version: '0.1.0',
  roles: [],
  kind: 'node',
  attributes: {},
  httpAddress: null,
} as const;

test('a node whose socket opens and says nothing is silent: it has refused nothing', async () => {
  const world = createWorld({ seed: 1 });
  await world.settle(world.node('mute').runtime.net.listen({ host: 'mute', port: 9_300 }, () => undefined));
  const { runtime } = world.node('n1');
  const transport = await world.settle(startTransport(runtime, { identity, bind: { host: 'n1', port: 9_300 } }));
  const options = { kind: 'node', expectNodeId: 'n2', connectTimeoutMs: 1_000 } as const;
  const dialled = transport.connect({ host: 'mute', port: 9_300 }, options).catch((error: unknown) => error);
  expect(causeOf(await world.settle(dialled))).toBe('timeout');
});

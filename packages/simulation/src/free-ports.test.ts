import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { FreePorts } from './free-ports.ts';

test('no port is drawn twice, though nobody listens on those drawn before', async () => {
  const runtime = createNodeRuntime({ log: createRecordingLog() });
  // Sixteen draws of twenty numbers: some come up again, but for one run of thousands.
  const random = { ...runtime.random, below: (limit: number) => runtime.random.below(Math.min(limit, 20)) };
  const ports = new FreePorts({ net: runtime.net, random }, 9);
  const drawn: number[] = [];
  for (let i = 0; i < 16; i++) drawn.push(await ports.draw());
  expect(new Set(drawn).size).toBe(16);
});

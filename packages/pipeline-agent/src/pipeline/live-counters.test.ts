import { writeFileSync } from 'node:fs';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../agent-plugins/src/plugin-instance.test-support.ts';
import { testAgent } from '../agent/agent.test-support.ts';

/** Tries until somebody opens the gate. */
const PATIENT = `export const plugin = { kind: 'output', name: 'patient', version: '1.0.0', concurrency: 'each', options: {},
  create: (_, context) => ({ receive: async () => {
    context.metrics.increment('tries');
    await globalThis.shoalGate;
    context.metrics.increment('tries');
  } }) };`;

test('what an output counts shows while it still works on the batch, and counts once', async () => {
  const folder = await temporaryFolder();
  writeFileSync(`${folder}/shoal-output-patient.mjs`, PATIENT);
  let open = (): void => {};
  Reflect.set(globalThis, 'shoalGate', new Promise<void>((resolve) => (open = resolve)));
  const runtime = createNodeRuntime({ log: createSilentLog() });
  const { core } = testAgent(
    {
      'path.plugins': folder,
      'pipeline.workers': 1,
      'config.string': 'input { generator { count => 3 } } filter { mutate { } } output { patient { } }',
    },
    runtime,
  );
  await core.start();
  const { pipeline } = core.pipelines[0]!;
  const tries = () => pipeline.stats.outputs[0]?.metrics.get('tries');
  while (tries() !== 1 || pipeline.stats.durationMs === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(pipeline.stats.filters[0]?.in).toBe(3);
  expect(pipeline.ledger()).toMatchObject({ out: 0, inFlight: 3, isBalanced: true });
  open();
  await core.allEnded;
  expect(tries()).toBe(2);
  expect(pipeline.stats.filters[0]?.in).toBe(3);
  expect(pipeline.ledger()).toMatchObject({ out: 3, inFlight: 0, isBalanced: true });
});

import { expect, test } from 'vitest';
import { event, start } from '../output-under-test.test-support.ts';
import { nullOutput } from './null.ts';

test('the null output takes events, leaves them as they are, and runs once in each worker', async () => {
  const { output, context } = await start(nullOutput, {});
  const events = [event({ a: 1 }), event({ a: 2 })];
  await output.receive(events);
  expect(events.map(({ isCancelled }) => isCancelled)).toEqual([false, false]);
  expect([context.counts.size, context.deadLettered.length]).toEqual([0, 0]);
  expect(nullOutput).toMatchObject({ concurrency: 'each' });
});

import { expect, test } from 'vitest';
import { plainOf, start } from '../input-under-test.test-support.ts';
import { heartbeatInput } from './heartbeat.ts';

test('heartbeat: as many hearts as threads, each counts for itself', async () => {
  const options = { threads: 2, count: 2, interval: 0.01, message: 'sequence' };
  const { sink, input } = await start(heartbeatInput, options);
  await input.finished;
  expect(sink.events.map((event) => event.fields.get('clock')).sort()).toEqual([0, 0, 1, 1]);
});

test('heartbeat under ECS', async () => {
  const { sink, input } = await start(heartbeatInput, { count: 1, message: 'sequence' }, { ecs: 'v8' });
  await input.finished;
  expect(plainOf(sink)).toEqual({ host: { name: 'tester' }, event: { sequence: 0 } });
});

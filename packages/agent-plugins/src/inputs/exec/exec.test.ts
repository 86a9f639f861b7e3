import { expect, test } from 'vitest';
import { metadataOf, plainOf, start } from '../input-under-test.test-support.ts';
import { execInput } from './exec.ts';

test('exec: the whole output is one event', async () => {
  const { sink } = await start(execInput, { command: 'printf "a\\nb"; exit 3', interval: 60 });
  await sink.until(1);
  expect(sink.messages()).toEqual(['a\nb']);
  expect(sink.events[0]?.fields.get('command')).toContain('printf');
  expect(sink.events[0]?.metadata.get('exit_status')).toBe(3);
});

test('exec under ECS', async () => {
  const { sink } = await start(execInput, { command: 'sleep 0.1; printf a; exit 3', interval: 60 }, { ecs: 'v8' });
  await sink.until(1);
  expect(plainOf(sink)).toEqual({
    message: 'a',
    event: { original: 'a' },
    host: { name: 'tester' },
    process: { command_line: 'sleep 0.1; printf a; exit 3', exit_code: 3 },
  });
  const elapsed = Number(metadataOf(sink, '[input][exec][process][elapsed_time]'));
  expect(elapsed).toBeGreaterThanOrEqual(100_000);
  expect(elapsed).toBeLessThan(30_000_000);
});

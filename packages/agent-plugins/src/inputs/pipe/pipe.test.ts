import { expect, test } from 'vitest';
import { plainOf, start } from '../input-under-test.test-support.ts';
import { pipeInput } from './pipe.ts';

test('each line of the command is an event, and of the last one too', async () => {
  const { sink } = await start(pipeInput, { command: "printf 'one\\ntwo\\nthree'" });
  await sink.until(3);
  expect(sink.messages()).toEqual(['one', 'two', 'three']);
  expect(plainOf(sink)).toEqual({ message: 'one', host: 'tester', command: "printf 'one\\ntwo\\nthree'" });
});

test('fields are those of ECS where that is asked for', async () => {
  const { sink } = await start(pipeInput, { command: 'echo x' }, { ecs: 'v8' });
  await sink.until(1);
  expect(plainOf(sink)).toMatchObject({ host: { name: 'tester' }, process: { command_line: 'echo x' } });
});

test('a command is ended with what it started when the input stops', async () => {
  const { sink, input } = await start(pipeInput, { command: 'sleep 1000 & echo x; wait' });
  await sink.until(1);
  // The output of the command stays open for as long as anything that it started lives.
  await input.stop();
  expect(sink.messages()).toEqual(['x']);
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../plugin-instance.test-support.ts';
import { event, start } from '../output-under-test.test-support.ts';
import { pipeOutput } from './pipe.ts';

test('pipe: lines to the standard input of a command', async () => {
  const path = join(await temporaryFolder(), 'out');
  const { output } = await start(pipeOutput, { command: `cat >> ${path}`, message_format: '%{message}' });
  await output.receive([event({ message: 'a' }), event({ message: 'b' })]);
  await output.stop?.();
  expect(await readFile(path, 'utf8')).toBe('a\nb\n');
});

test('pipe: the whole event as JSON where no format is given', async () => {
  const path = join(await temporaryFolder(), 'out');
  const { output } = await start(pipeOutput, { command: `cat >> ${path}` });
  await output.receive([event({ message: 'a', n: 1 })]);
  await output.stop?.();
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(text)).toMatchObject({ message: 'a', n: 1 });
});

test('pipe: a command that ended is started again for its event', async () => {
  const path = join(await temporaryFolder(), 'out');
  const { output, context } = await start(pipeOutput, {
    command: `head -n 1 >> ${path}`,
    message_format: '%{message}',
  });
  await output.receive([event({ message: 'a' })]);
  // The command has read its line and ends; only then does a write fail.
  await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toBe('a\n'));
  const lines = (): Promise<number> => readFile(path, 'utf8').then((text) => text.split('\n').length - 1);
  for (let n = 0; (await lines()) < 2; n++) await output.receive([event({ message: `b${n}` })]);
  expect(context.counts.get('failures')).toBeUndefined();
});

test.each([0, -1])('pipe: a ttl of %i keeps commands', async (ttl) => {
  const scheduled: number[] = [];
  const real = createNodeRuntime({ log: createSilentLog() });
  const sched = {
    ...real.sched,
    after: (ms: number, run: () => void) => {
      scheduled.push(ms);
      return real.sched.after(ms, run);
    },
  };
  const { output } = await start(pipeOutput, { command: 'cat', ttl }, { runtime: { ...real, sched } });
  await output.stop?.();
  expect(scheduled).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../plugin-instance.test-support.ts';
import { event, start } from '../output-under-test.test-support.ts';
import { execOutput } from './exec.ts';

function recording() {
  const log = createRecordingLog();
  const lines = () => log.lines.map(({ level, message, fields }) => [level, message, fields.stdout]);
  return { lines, runtime: createNodeRuntime({ log }) };
}

test('exec runs a command for each event, one after the other', async () => {
  const path = join(await temporaryFolder(), 'out');
  const { output } = await start(execOutput, { command: `echo %{n} >> ${path}` });
  await output.receive([event({ n: 1 }), event({ n: 2 })]);
  expect(readFileSync(path, 'utf8')).toBe('1\n2\n');
});

test('what a command prints is logged, unless it is quiet', async () => {
  const { lines, runtime } = recording();
  const { output } = await start(execOutput, { command: 'echo hello' }, { runtime });
  await output.receive([event({})]);
  const { output: quiet } = await start(execOutput, { command: 'echo hello', quiet: true }, { runtime });
  await quiet.receive([event({})]);
  expect(lines()).toEqual([['info', 'a command printed', 'hello']]);
});

test('a command that fails is counted and logged, and the next is run', async () => {
  const { lines, runtime } = recording();
  const { output, context } = await start(execOutput, { command: 'cat; echo %{n}; exit %{n}' }, { runtime });
  await output.receive([event({ n: 3 }), event({ n: 0 })]);
  expect(lines()).toEqual([
    ['warn', 'a command failed', '3'],
    ['info', 'a command printed', '0'],
  ]);
  expect(context.counts.get('failures')).toBe(1);
});

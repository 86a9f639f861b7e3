import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeFolders, temporaryFolder } from '../../plugin-instance.test-support.ts';
import { event, start } from '../output-under-test.test-support.ts';
import { pipeOutput } from './pipe.ts';

test('pipe: lines to the standard input of a command', async () => {
  onTestFinished(removeFolders);
  const path = join(await temporaryFolder(), 'out');
  const { output } = await start(pipeOutput, { command: `cat >> ${path}`, message_format: '%{message}' });
  await output.receive([event({ message: 'a' }), event({ message: 'b' })]);
  await output.stop?.();
  expect(await readFile(path, 'utf8')).toBe('a\nb\n');
});

import { expect, test } from 'vitest';
import { testAgent, writeFile } from '../agent/agent.test-support.ts';

test('what an input cannot open is told with its place', async () => {
  const { core } = testAgent({ 'config.string': 'input {\n  unstartable { }\n}' });
  await expect(core.start()).rejects.toThrow('config.string:2:3: unstartable: port taken\n');
});

test('a configuration without an input ends, and says why', async () => {
  const { core, runtime, log } = testAgent({ 'path.config': 'empty.conf' });
  await writeFile(runtime, 'empty.conf', '# nothing\n');
  await core.start();
  await core.allEnded;
  const warnings = log.lines.filter(({ level }) => level === 'warn');
  expect(warnings.map(({ message }) => message)).toContain('the configuration has no input: no event will come');
});

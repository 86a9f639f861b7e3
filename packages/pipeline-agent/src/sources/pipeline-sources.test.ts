import { messageOf } from '@shoal/core';
import { expect, test } from 'vitest';
import { testAgent, writeFile } from '../agent/agent.test-support.ts';
import { AGENT_SETTINGS } from '../settings/agent-settings.ts';
import { readPipelineSources } from './pipeline-sources.ts';

const RUN = "config.string: 'input { heartbeat { } } output { null { } }'";

async function refusal(
  files: Readonly<Record<string, string>>,
  settings: Record<string, unknown> = {},
): Promise<string> {
  const { core, runtime } = testAgent(settings);
  for (const [name, text] of Object.entries(files)) await writeFile(runtime, name, text);
  return core.start().then(
    () => 'started',
    (error: unknown) => messageOf(error),
  );
}

test('pipelines.yml is a list of pipelines with ids of their own', async () => {
  const start = (text: string): Promise<string> => refusal({ 'pipelines.yml': text });
  expect(await start('')).toContain('expected a list of pipelines');
  expect(await start('pipeline.id: a')).toContain('expected a list of pipelines');
  expect(await start('- just text')).toContain('a pipeline is a map of settings');
  expect(await start(`- pipeline.id: a\n  ${RUN}\n- pipeline.id: a\n  ${RUN}`)).toContain(
    'two pipelines have the id [a]',
  );
  expect(await start(`- pipeline.id: ../a\n  ${RUN}`)).toContain('letters, digits, _ . - only');
  expect(await start('- pipeline.id: a')).toContain('neither path.config nor config.string');
  expect(await start(`- ${RUN}\n  path.config: x`)).toContain('has both path.config and config.string');
  expect(await start(`- ${RUN}\n  queue.type: persistent`)).toContain('must be one of [memory, persisted]');
  expect(await start('- {')).toContain('pipelines.yml: ');
  expect(await start(`- pipeline: { id: nested, batch.size: 3 }\n  ${RUN}`)).toBe('started');
});

test('one way to say what runs is enough, and there has to be one', async () => {
  expect(await refusal({})).toContain('give a configuration with -f, with -e, or in');
  const both = { 'path.config': 'p.conf', 'config.string': 'input { heartbeat { } }' };
  expect(await refusal({}, both)).toContain('both -f (path.config) and -e (config.string)');
  expect(await refusal({}, { 'path.config': 'p.conf' })).toContain('[p.conf] does not exist');
  expect(await refusal({}, { 'path.config': 'p*.conf' })).toContain('no configuration file matches');
});

test('a folder is all of its files in their order, without what editors leave', async () => {
  const files = {
    'conf/2.conf': 'filter { mutate { add_field => { "a" => "2" } } }',
    'conf/1.conf': 'input { generator { count => 1 } } filter { mutate { add_field => { "a" => "1" } } }',
    'conf/1.conf~': 'input { nothing { } }',
    'conf/.hidden': 'input { nothing { } }',
    'pipelines.yml': 'this is not read',
  };
  const { core, runtime, log } = testAgent({ 'path.config': 'conf' });
  await runtime.disk.mkdir('conf');
  for (const [name, text] of Object.entries(files)) await writeFile(runtime, name, text);
  await core.start();
  const plan = core.pipelines[0]?.pipeline.plan;
  expect(plan?.filters.map((step) => step.kind === 'plugin' && step.plugin.position.file)).toEqual([
    'conf/1.conf',
    'conf/2.conf',
  ]);
  expect(log.lines.some(({ message }) => message.startsWith('pipelines.yml is not used'))).toBe(true);
});

test('a source takes the variables along that its texts name, and no others', async () => {
  const { runtime, log } = testAgent({});
  const environment = { GREETING: 'hello', GREETING_TWO: 'and', OTHER: 'unused' };
  const start = async (text: string) => {
    const settings = AGENT_SETTINGS.parse({ 'config.string': text, 'path.data': 'data' });
    const [source] = await readPipelineSources({ runtime: { ...runtime, log }, settings, environment, hostName: 'h' });
    return source?.environment;
  };
  expect(await start(`input { generator { message => "\${GREETING:x}" } }`)).toEqual({ GREETING: 'hello' });
  expect(await start('input { generator { message => "GREETING" } }')).toEqual({});
});

test('as many pipelines as there may be start in the order in which they are configured, past those that cannot', async () => {
  const { core, runtime, log } = testAgent({});
  const ids = Array.from({ length: 40 }, (_, i) => `p${i}`);
  const broken = new Set(['p3', 'p20']);
  const pipelines = ids.map((id) => {
    const output = broken.has(id) ? 'unopened' : 'null';
    return { 'pipeline.id': id, 'config.string': `input { heartbeat { } } output { ${output} { } }` };
  });
  await writeFile(runtime, 'pipelines.yml', JSON.stringify(pipelines));
  await core.start();
  expect(core.pipelines.map(({ id }) => id)).toEqual(ids.filter((id) => !broken.has(id)));
  expect(core.failedIds).toEqual(['p3', 'p20']);
  expect(log.lines.filter(({ message }) => message === 'pipeline not started')).toHaveLength(2);
});

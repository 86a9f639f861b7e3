/**
 * What agent.yml and pipelines.yml set, as the process obeys it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AgentFolder, until } from './agent-process.test-support.ts';

const folders: AgentFolder[] = [];
const newFolder = (): AgentFolder => {
  const folder = new AgentFolder();
  folders.push(folder);
  return folder;
};
afterAll(async () => {
  for (const folder of folders.splice(0)) await folder.end();
});

const EVERY_SETTING = `
node.name: the-agent
path:
  data: own-data
  logs: own-logs
  queue: own-queue
  dead_letter_queue: own-letters
  plugins: [own-plugins]
config:
  reload: { automatic: true, interval: 1h }
  support_escapes: true
  field_reference.escape_style: percent
  test_and_exit: false
  debug: false
pipeline:
  id: named
  workers: 3
  batch: { size: 17, delay: 5 }
  ordered: "false"
  unsafe_shutdown: false
  reloadable: false
  recoverable: true
  ecs_compatibility: disabled
  separate_logs: false
queue:
  type: persisted
  page_capacity: 1mb
  max_bytes: 8mb
  max_events: 1000
  compression: speed
  drain: true
  checkpoint: { acks: 10, writes: 1, interval: 500, retry: true }
dead_letter_queue:
  enable: true
  max_bytes: 2mb
  flush_interval: 1000
  storage_policy: drop_older
  retain.age: 2d
api:
  enabled: true
  http: { host: 127.0.0.1, port: 9650-9699 }
  auth.type: none
  environment: production
log: { level: debug, format: plain }
metric.collect: true
xpack.monitoring.enabled: false
`;

describe.concurrent('settings in files', () => {
  test('hold, all of them', async () => {
    const folder = newFolder();
    folder.write('agent.yml', EVERY_SETTING);
    folder.write(
      'p.conf',
      `input { generator { count => 40 message => "a\\tb" } }
       filter { if [sequence] == 7 { mutate { add_field => { "[@metadata][go]" => "x" } } } }
       output { if [sequence] == 7 { broken { } } else { file { path => "${folder.path}/out.txt" codec => line { format => "%{message}" } } } }`,
    );
    folder.write(
      'shoal-output-broken.mjs',
      `export const plugin = { kind: 'output', name: 'broken', version: '1.0.0', options: {}, create: () => ({ receive: async () => { throw new Error('no'); } }) };`,
    );
    const agent = folder.start(['-f', 'p.conf', '--path.data', 'own-data', '--api.http.port', '9650-9699']);
    await agent.listening();
    expect(agent.url).toMatch(/:96[5-9]\d$/);
    await until(() => folder.lines('out.txt').length === 39, agent, 'writes');
    expect(folder.lines('out.txt')[0]).toBe('a\tb');
    expect((await agent.get('/')).name).toBe('the-agent');
    const info = (await agent.get('/_node/pipelines')).pipelines.named;
    expect(info).toMatchObject({ workers: 3, batch_size: 17, batch_delay: 5, dead_letter_queue_enabled: true });
    const stats = await agent.pipeline('named');
    expect(stats.queue).toMatchObject({ type: 'persisted', capacity: { max_queue_size_in_bytes: 8 * 1024 * 1024 } });
    expect(stats.dead_letter_queue).toMatchObject({
      max_queue_size_in_bytes: 2 * 1024 * 1024,
      storage_policy: 'drop_older',
    });
    expect(readdirSync(join(folder.path, 'own-queue/named')).some((name) => name.startsWith('page.'))).toBe(true);
    expect(readdirSync(join(folder.path, 'own-letters/named'))).toHaveLength(1);
    expect(existsSync(join(folder.path, 'own-data/uuid'))).toBe(true);
    expect(folder.lines('own-logs/shoal-agent-plain.log').join('\n')).toMatch(
      /^\[[^\]]+\]\[WARN \] a setting is known and has no effect/m,
    );
    expect(agent.logged('has no effect').map(({ message }) => /setting=(\S+)/.exec(message ?? '')?.[1])).toEqual(
      expect.arrayContaining(['config.debug', 'metric.collect', 'xpack.monitoring.enabled', 'queue.checkpoint.retry']),
    );
    await agent.end();
  });

  const failure = async (files: Readonly<Record<string, string>>, args: readonly string[]): Promise<string> => {
    const folder = newFolder();
    for (const [name, text] of Object.entries(files)) folder.write(name, text);
    const agent = folder.start(args);
    expect(await agent.exit()).toBe(1);
    return agent.logText();
  };
  const RUN = 'input { heartbeat { } } output { null { } }';

  test('are refused with the nearest known name when they do not exist', async () => {
    const wrong = { 'agent.yml': 'pipeline.workrs: 5' };
    expect(await failure(wrong, ['-e', RUN])).toContain(
      'unknown setting [pipeline.workrs] did you mean [pipeline.workers]?',
    );
    const list = { 'pipelines.yml': `- pipeline.id: a\n  queue.typ: memory\n  config.string: '${RUN}'\n` };
    expect(await failure(list, [])).toContain('did you mean [queue.type]?');
  });

  test('are refused with their name when their value is none, or in a place where they cannot stand', async () => {
    expect(await failure({ 'agent.yml': 'queue.compression: strong' }, ['-e', RUN])).toContain(
      'for setting [queue.compression], must be one of [none, speed, balanced, size]',
    );
    const list = { 'pipelines.yml': `- pipeline.id: a\n  node.name: b\n  config.string: '${RUN}'\n` };
    expect(await failure(list, [])).toContain('[node.name] is a setting of the agent, not of a pipeline');
  });
});

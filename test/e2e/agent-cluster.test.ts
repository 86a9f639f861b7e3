/**
 * The agent against a real node: every action of the bulk API, what the cluster refuses, and a cluster that goes and comes back.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { NodeProcesses } from '../support/node-processes.test-support.ts';
import { type Answer, call, shoalBinary } from '../support/shoal-process.test-support.ts';

const NODE = 'solo';
const WITHIN_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'shoal-agent-cluster-'));
const source = join(folder, 'actions.ndjson');
const refused = join(folder, 'refused.txt');
let nodes: NodeProcesses;
let agent: ChildProcess;
let api = '';
const log: string[] = [];

/** Two pipelines: one indexes what is appended to a file, the other one reads its dead letters. */
function writeConfigurations(url: string): void {
  mkdirSync(join(folder, 'settings'));
  writeFileSync(
    join(folder, 'index.conf'),
    `input { file { path => "${source}" start_position => "beginning" stat_interval => "50 ms" codec => "json" } }
     filter { mutate { rename => { "action" => "[@metadata][action]" "id" => "[@metadata][id]" } remove_field => ["log", "host", "event", "@version"] } }
     output {
       elasticsearch {
         hosts => ["${url}"] index => "things" retry_initial_interval => 1 retry_max_interval => 1
         action => "%{[@metadata][action]}" document_id => "%{[@metadata][id]}"
       }
     }`,
  );
  writeFileSync(
    join(folder, 'letters.conf'),
    `input { dead_letter_queue { path => "${join(folder, 'data', 'dead_letter_queue')}" pipeline_id => "index" } }
     output { file { path => "${refused}" codec => line { format => "%{[@metadata][dead_letter_queue][reason]}" } } }`,
  );
  writeFileSync(
    join(folder, 'settings', 'pipelines.yml'),
    `- pipeline.id: index\n  path.config: ${join(folder, 'index.conf')}\n  dead_letter_queue.enable: true\n  dead_letter_queue.flush_interval: 1000\n` +
      `- pipeline.id: letters\n  path.config: ${join(folder, 'letters.conf')}\n`,
  );
}

async function startAgent(): Promise<void> {
  const settings = ['--path.settings', join(folder, 'settings'), '--path.data', join(folder, 'data')];
  agent = spawn(process.execPath, [shoalBinary, 'agent', ...settings, '-w', '1', '--api.http.port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  endWithTests(agent);
  if (agent.stderr !== null) createInterface({ input: agent.stderr }).on('line', (line) => log.push(line));
  const [message] = (await once(agent, 'message')) as [{ readonly http: string }];
  api = `http://${message.http}`;
}

function send(...actions: readonly Readonly<Record<string, unknown>>[]): void {
  appendFileSync(source, actions.map((action) => `${JSON.stringify(action)}\n`).join(''));
}

async function until(look: () => Promise<Answer>, accept: (answer: Answer) => boolean): Promise<Answer> {
  const startedMs = performance.now();
  for (;;) {
    const answer = await look();
    if (accept(answer)) return answer;
    if (performance.now() - startedMs > WITHIN_MS)
      throw new Error(`still ${answer.text}\n${log.slice(-20).join('\n')}`);
    await pause(50);
  }
}

const document = (id: string): Promise<Answer> => call(nodes.url(NODE), 'GET', `/things/_doc/${id}`);
const stats = async () => (await call(api, 'GET', '/_node/stats/pipelines/index')).body.pipelines.index;

beforeAll(async () => {
  nodes = await NodeProcesses.plan([NODE]);
  nodes.startAll();
  await nodes.waitFor(NODE, '/_cluster/health', ({ body }) => body?.status === 'green');
  writeConfigurations(nodes.url(NODE));
  writeFileSync(source, '');
  await startAgent();
});

afterAll(async () => {
  const ended = once(agent, 'exit');
  agent.kill('SIGTERM');
  // A second one ends it even while it has events for a cluster that is not there.
  setTimeout(() => agent.kill('SIGTERM'), 5_000).unref();
  await ended;
  await nodes.destroy();
  rmSync(folder, { recursive: true, force: true });
});

describe('an agent that writes to a cluster', () => {
  test('indexes, creates, updates and deletes', async () => {
    send(
      { action: 'index', id: 'a', size: 1, name: 'first' },
      { action: 'create', id: 'b', size: 2 },
      { action: 'index', id: 'c', size: 3 },
    );
    await until(
      () => document('c'),
      ({ status }) => status === 200,
    );
    send({ action: 'update', id: 'a', size: 10 }, { action: 'delete', id: 'b' }, { action: 'index', id: 'd' });
    await until(
      () => document('d'),
      ({ status }) => status === 200,
    );
    expect((await document('a')).body._source).toMatchObject({ size: 10, name: 'first' });
    expect((await document('b')).status).toBe(404);
  });

  test('hands what the mapping refuses to the dead letter queue, with the reason, and goes on', async () => {
    send({ action: 'index', id: 'e', size: 'no number' }, { action: 'index', id: 'f', size: 6 });
    await until(
      () => document('f'),
      ({ status }) => status === 200,
    );
    expect((await document('e')).status).toBe(404);
    await until(
      () => call(api, 'GET', '/_node/stats/pipelines/letters'),
      ({ body }) => body.pipelines.letters.events.out === 1,
    );
    expect(existsSync(refused) ? readFileSync(refused, 'utf8') : '').toMatch(
      /status 400, action index, index things: (mapper|document)_parsing_exception: .*\[size\]/,
    );
    expect((await stats()).ledger).toMatchObject({ in: 8, out: 7, dead_lettered: 1, balanced: true });
  });

  test('waits for a cluster that was killed, and loses nothing', async () => {
    const wave = (name: string, count: number): void =>
      send(...Array.from({ length: count }, (_, i) => ({ action: 'index', id: `${name}-${i}`, wave: name })));
    wave('before', 500);
    await nodes.kill(NODE);
    wave('without', 1_000);
    const failure = (line: string): boolean => line.includes('a bulk request failed');
    for (let look = 0; look < 400 && log.filter(failure).length < 2; look++) await pause(50);
    // Once a request, however many events are in it.
    expect(log.filter(failure).length).toBeGreaterThan(1);
    expect(log.filter((line) => line.includes('is sent again'))).toEqual([]);
    nodes.start(NODE);
    wave('after', 500);
    const waves = async (): Promise<Answer> => {
      await nodes.waitFor(NODE, '/_cluster/health', ({ body }) => body?.status === 'yellow');
      await call(nodes.url(NODE), 'POST', '/things/_refresh');
      return call(nodes.url(NODE), 'GET', '/things/_count?q=_exists_:wave');
    };
    await until(waves, ({ body }) => body?.count === 2_000);
    // The last answers are on their way when the cluster has counted their documents.
    const { body } = await until(
      () => call(api, 'GET', '/_node/stats/pipelines/index'),
      (answer) => answer.body.pipelines.index.ledger.in_flight === 0,
    );
    expect(body.pipelines.index.ledger).toMatchObject({ in: 2_008, out: 2_007, dead_lettered: 1, balanced: true });
  });
});

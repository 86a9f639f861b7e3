/**
 * `shoal up --agent`: what the nodes are asked becomes documents of the same cluster, and nothing else does.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';

const LOGS = '/shoal-logs-*';
const WITHIN_MS = 120_000;
/** Far longer than the agent takes to see a new line, and to index it. */
const QUIET_MS = 3_000;

const folder = mkdtempSync(join(tmpdir(), 'shoal-up-agent-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface AgentEvents {
  readonly in: number;
  readonly out: number;
}

async function eventsOf(cluster: RunningCluster): Promise<AgentEvents> {
  return (await call(agentUrl(cluster), 'GET', '/_node/stats/events')).body.events;
}

function agentUrl(cluster: RunningCluster): string {
  return cluster.agent?.http ?? '';
}

/** Asks a node as a browser would, or as whoever `agent` is. */
async function ask(url: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const response = await fetch(url + path, { headers });
  await response.arrayBuffer();
  return response.status;
}

async function until<T>(look: () => Promise<T>, accept: (value: T) => boolean): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const value = await look();
    if (accept(value)) return value;
    if (performance.now() - startedMs > WITHIN_MS) throw new Error(`still ${JSON.stringify(value)}`);
    await pause(50);
  }
}

function isAlive(pid: number): boolean {
  // One that ended and was not waited for yet is a zombie: its command line is empty.
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return spawnSync('kill', ['-0', String(pid)]).status === 0;
  }
}

describe('a cluster with an agent', () => {
  let cluster: RunningCluster;
  beforeAll(async () => {
    cluster = await startUp(['--nodes', '2', '--ephemeral', '--no-sample', '--agent', '--agent-port', '0']);
  });
  afterAll(() => cluster?.end());

  test('tells where the agent answers', async () => {
    expect(Object.keys(cluster.pids)).toEqual(['coordinator-1', 'data-1', 'data-2']);
    expect(cluster.agent).toMatchObject({
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: expect.any(Number),
    });
    expect((await call(agentUrl(cluster), 'GET', '/')).body).toMatchObject({
      name: 'agent',
      status: expect.any(String),
    });
  });

  test('indexes each request with its fields, at whichever node it came in', async () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
    const headers = { 'user-agent': firefox, referer: 'http://example.org/"x"' };
    expect(await ask(cluster.http[1] ?? '', '/_cat/nodes?v&h=name', headers)).toBe(200);
    expect(await ask(cluster.url, '/no-such-index/_search', { 'user-agent': 'a "b" \\ \u00ff' })).toBe(404);
    const search = { query: { bool: { must: [{ match_phrase: { agent: 'Firefox' } }] } } };
    const found = await until(
      async () => {
        await call(cluster.url, 'POST', `${LOGS}/_refresh`);
        return call(cluster.url, 'POST', `${LOGS}/_search`, search);
      },
      ({ body }) => body.hits?.hits.length > 0,
    );
    expect(found.body.hits.hits[0]._index).toMatch(/^shoal-logs-\d{4}\.\d\d\.\d\d$/);
    expect(found.body.hits.hits[0]._source).toMatchObject({
      '@timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      clientip: '127.0.0.1',
      verb: 'GET',
      request: '/_cat/nodes?v&h=name',
      path: '/_cat/nodes',
      query: 'v&h=name',
      status: 200,
      bytes: expect.any(Number),
      referrer: 'http://example.org/\\"x\\"',
      agent: firefox,
      user_agent: { name: 'Firefox', os: 'Linux' },
      node: 'data-1',
    });
    const refused = await until(
      () => call(cluster.url, 'GET', `${LOGS}/_search?q=status:404`),
      ({ body }) => body.hits.hits.length > 0,
    );
    expect(refused.body.hits.hits[0]._source).toMatchObject({ path: '/no-such-index/_search', node: 'coordinator-1' });
    expect(refused.body.hits.hits[0]._source.tags).toBeUndefined();
  });

  test('the index has the types that searches need, and one shard, with a copy on the other node', async () => {
    const { body } = await call(cluster.url, 'GET', LOGS);
    const [index] = Object.values(body) as {
      mappings: { properties: Record<string, unknown> };
      settings: { index: Record<string, string> };
    }[];
    expect(index?.mappings.properties).toMatchObject({
      '@timestamp': { type: 'date' },
      status: { type: 'long' },
      bytes: { type: 'long' },
      verb: { fields: { keyword: { type: 'keyword' } } },
      path: { fields: { keyword: { type: 'keyword' } } },
      node: { fields: { keyword: { type: 'keyword' } } },
    });
    expect(index?.settings.index).toMatchObject({ number_of_shards: '1', number_of_replicas: '1' });
  });

  test('is still when nobody asks: it never feeds itself', async () => {
    // The agent is asked, not the nodes: that writes no access log.
    await until(
      async () => {
        const before = await eventsOf(cluster);
        await pause(QUIET_MS);
        return { before, after: await eventsOf(cluster) };
      },
      ({ before, after }) => before.in === after.in,
    );
    const { out } = await eventsOf(cluster);
    const { body } = await call(agentUrl(cluster), 'GET', '/_node/stats/pipelines');
    const pipeline = body.pipelines['access-logs'];
    expect(pipeline.events.out).toBe(out);
    expect(pipeline.ledger).toMatchObject({ balanced: true, out, in_flight: 0 });
    expect(pipeline.ledger.dropped['own-requests']).toBeGreaterThan(0);
    await call(cluster.url, 'POST', `${LOGS}/_refresh`);
    expect((await call(cluster.url, 'GET', `${LOGS}/_count?q=agent:access`)).body.count).toBe(0);
    expect((await call(cluster.url, 'GET', `${LOGS}/_count`)).body.count).toBe(out);
  });

  test('ends with the nodes', async () => {
    await cluster.end();
    expect(isAlive(cluster.agent?.pid ?? 0)).toBe(false);
    for (const pid of Object.values(cluster.pids)) expect(isAlive(pid)).toBe(false);
  });
});

describe('an agent beside a cluster', () => {
  const args = ['--nodes', '1', '--no-sample', '--agent', '--agent-port', '0', '--data', join(folder, 'my [data]')];

  test('goes on where it was, and a log that was renamed meanwhile is read to its end', async () => {
    const small = ['--set', 'http.access_log.max_size=4kb'];
    let cluster = await startUp([...args, ...small]);
    const count = async (): Promise<number> => {
      await call(cluster.url, 'POST', `${LOGS}/_refresh`);
      return (await call(cluster.url, 'GET', `${LOGS}/_count?q=agent:probe`)).body.count ?? 0;
    };
    for (let i = 0; i < 40; i++) await ask(cluster.url, `/_count?i=${i}`, { 'user-agent': 'probe' });
    await until(count, (found) => found === 40);
    expect((await call(cluster.url, 'GET', '/_cluster/health')).body.status).toBe('green');
    await cluster.end();
    cluster = await startUp(args);
    for (let i = 0; i < 10; i++) await ask(cluster.url, `/_count?i=${i}`, { 'user-agent': 'probe' });
    await until(count, (found) => found >= 50);
    expect(await count()).toBe(50);
    await cluster.end();
  });

  test('that cannot start is told, and the cluster stands', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo; // It listens on TCP.
    const cluster = await startUp([...args.slice(0, -1), join(folder, 'other'), '--agent-port', String(port)]);
    other.close();
    expect(cluster.agent?.error).toContain(`127.0.0.1:${port}`);
    expect(cluster.agent?.http).toBeUndefined();
    expect((await call(cluster.url, 'GET', '/_cluster/health')).body.status).toBe('green');
    await cluster.end();
  });

  test('ends with `shoal up` even when that was killed, and it has events for nodes that are gone', async () => {
    const cluster = await startUp(args);
    for (const pid of Object.values(cluster.pids)) {
      await ask(cluster.url, '/_count', { 'user-agent': 'last' });
      process.kill(pid, 'SIGKILL');
    }
    await until(
      () => call(agentUrl(cluster), 'GET', '/_node/stats/pipelines'),
      ({ body }) => body.pipelines['access-logs'].ledger.in_flight > 0,
    );
    const closed = once(cluster.process, 'close');
    cluster.process.kill('SIGKILL');
    await closed;
    await until(
      async () => [cluster.agent?.pid ?? 0, ...Object.values(cluster.pids)].some(isAlive),
      (alive) => !alive,
    );
  });
});

/**
 * `shoal restart --rolling` under load: nobody who tries once more is refused, nothing that was acknowledged is lost, and each is there once.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { call, type RunningCluster, runShoal, shoalBinary, startUp } from '../support/shoal-process.test-support.ts';

let cluster: RunningCluster;
const folders: string[] = [];
afterEach(async () => {
  await cluster?.end();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function start(replicas: number): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'shoal-rolling-'));
  folders.push(data);
  cluster = await startUp(['--nodes', '3', '--no-sample', '--data', data]);
  const settings = { number_of_shards: 3, number_of_replicas: replicas };
  await call(cluster.url, 'PUT', '/acked', { settings });
  await call(cluster.url, 'GET', '/_cluster/health?wait_for_status=green&timeout=60s');
  return data;
}

/** Clients of all data nodes: each asks its own node, and once more the next one when that failed. */
class Clients {
  readonly acked: string[] = [];
  readonly failed: string[] = [];
  /** First tries that failed, and were made good by the second. */
  retried = 0;
  #isOver = false;
  readonly #running: Promise<void>[] = [];

  constructor() {
    // The first address is the coordinator's.
    const urls = cluster.http.slice(1);
    for (const at of urls.keys()) {
      const others = [...urls.slice(at), ...urls.slice(0, at)];
      for (let client = 0; client < 2; client++) this.#running.push(this.#write(others, `${at}-${client}`));
      this.#running.push(this.#search(others));
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #write(urls: readonly string[], client: string): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const id = `${client}-${n}`;
      // A second try finds what the first one wrote, when its answer was lost.
      const isWritten = ({ status }: { status: number }, isSecond: boolean): boolean =>
        status === 201 || (isSecond && status === 409);
      if (await this.#ask(urls, 'PUT', `/acked/_create/${id}`, { client, n }, isWritten)) this.acked.push(id);
    }
  }

  async #search(urls: readonly string[]): Promise<void> {
    const isWhole = ({ status, body }: { status: number; body: { _shards?: { failed: number } } }): boolean =>
      status === 200 && body._shards?.failed === 0;
    while (!this.#isOver) await this.#ask(urls, 'POST', '/acked/_search', { size: 1 }, isWhole);
  }

  async #ask(
    urls: readonly string[],
    method: string,
    path: string,
    body: object,
    // biome-ignore lint/suspicious/noExplicitAny: answers of two shapes.
    isGood: (answer: any, isSecond: boolean) => boolean,
  ): Promise<boolean> {
    let why = '';
    for (const [attempt, url] of urls.slice(0, 2).entries()) {
      try {
        const answer = await call(url, method, path, body);
        if (isGood(answer, attempt > 0)) return true;
        why += ` ${answer.status} ${answer.text.slice(0, 300)}`;
      } catch (error) {
        why += ` ${String((error as Error).cause ?? error)}`;
      }
      if (attempt === 0) this.retried++;
    }
    this.failed.push(`${method} ${path}:${why}`);
    return false;
  }
}

async function pids(data: string): Promise<Readonly<Record<string, string>>> {
  const { body } = await call(cluster.url, 'GET', '/_nodes/process');
  const nodes = Object.values(body.nodes) as readonly { name: string; process: { id: number } }[];
  return Object.fromEntries(nodes.map(({ name, process }) => [name, `${data} ${process.id}`]));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // No such process: that is the answer.
    return false;
  }
}

function restart(data: string, ...more: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [shoalBinary, 'restart', '--rolling', '--data', data, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithTests(child);
  return child;
}

/** Resolves with what the text matched when the command has said it. */
async function said(child: ChildProcess, text: RegExp): Promise<string> {
  let all = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      all += chunk;
      const match = text.exec(all);
      if (match !== null) resolve(match[1] ?? match[0]);
    });
    child.once('close', () => reject(new Error(`it ended without saying ${text}: ${all}`)));
  });
}

describe('a rolling restart of three nodes', { timeout: 240_000 }, () => {
  test('fails no request of clients that try once more, and loses and doubles no write', async () => {
    const data = await start(1);
    const before = await pids(data);
    const clients = new Clients();
    const run = await runShoal(['restart', '--rolling', '--data', data]);
    await clients.end();
    expect([run.status, run.stderr]).toEqual([0, '']);
    const after = await pids(data);
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
    for (const name of Object.keys(before)) expect([name, after[name]]).not.toEqual([name, before[name]]);
    expect(clients.failed).toEqual([]);
    // There was something to make good: the nodes were away.
    expect(clients.retried).toBeGreaterThan(0);
    expect(clients.acked.length).toBeGreaterThan(100);
    await call(cluster.url, 'POST', '/acked/_refresh');
    expect((await call(cluster.url, 'GET', '/acked/_count')).body).toMatchObject({
      count: clients.acked.length,
      _shards: { failed: 0 },
    });
    const missing: string[] = [];
    for (let at = 0; at < clients.acked.length; at += 500) {
      const ids = clients.acked.slice(at, at + 500);
      const { body } = await call(cluster.url, 'POST', '/acked/_mget', { ids });
      for (const doc of body.docs) if (!doc.found || doc._version !== 1) missing.push(JSON.stringify(doc));
    }
    expect(missing).toEqual([]);
    // Nothing of the cluster was set, and so nothing has to be taken back.
    expect((await call(cluster.url, 'GET', '/_cluster/settings')).body).toEqual({ persistent: {}, transient: {} });
    const why = await runShoal(['why', '--url', cluster.url]);
    expect([why.status, why.stdout.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/^green {2}cluster shoal, 4 nodes/),
    ]);
  });

  test('is refused, before it begins, where an index has its only copy on one of them', async () => {
    const data = await start(0);
    const before = await pids(data);
    const refused = await runShoal(['restart', '--rolling', '--data', data]);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/\[data-\d\] has the only copy of shards of \[acked\]/);
    expect(await pids(data)).toEqual(before);
    const elsewhere = await runShoal(['restart', '--rolling', '--data', `${data}-none`]);
    expect([elsewhere.status, elsewhere.stderr]).toEqual([1, expect.stringContaining('no [shoal up] runs on')]);
    const all = await runShoal(['restart', '--rolling', '--data', data, '--force']);
    expect([all.status, all.stderr]).toEqual([0, '']);
    expect((await call(cluster.url, 'GET', '/_cluster/health')).body.status).toBe('green');
  });

  test('that is killed leaves no node away, and one that is interrupted ends after its node', async () => {
    const data = await start(1);
    const before = await pids(data);
    const killed = restart(data);
    const victim = await said(killed, /(data-\d): restarts/);
    const runs = () => isRunning(cluster.pids[victim] ?? 0);
    await expect.poll(runs, { timeout: 60_000, interval: 20 }).toBe(false);
    killed.kill('SIGKILL');
    await once(killed, 'close');
    const isBack = async () => (await pids(data))[victim] ?? before[victim];
    await expect.poll(isBack, { timeout: 60_000 }).not.toBe(before[victim]);
    const green = '/_cluster/health?wait_for_nodes=4&wait_for_status=green&timeout=120s';
    expect((await call(cluster.url, 'GET', green)).body).toMatchObject({ status: 'green', number_of_nodes: 4 });

    const interrupted = restart(data);
    await said(interrupted, /coordinator-1: restarts/);
    interrupted.kill('SIGINT');
    const [status] = await once(interrupted, 'close');
    expect(status).toBe(130);
    expect((await call(cluster.url, 'GET', green)).body).toMatchObject({ status: 'green', number_of_nodes: 4 });
    expect((await call(cluster.url, 'GET', '/_cluster/settings')).body).toEqual({ persistent: {}, transient: {} });
  });
});

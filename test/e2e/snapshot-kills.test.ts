/**
 * kill -9 while a snapshot is made and while one is restored: nothing that was acknowledged is lost, and the repository stays
 * readable, with what was in it before and for what comes after.
 */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { NodeProcesses } from '../support/node-processes.test-support.ts';
import { type Answer, call } from '../support/shoal-process.test-support.ts';

const NAMES = ['a', 'b', 'c'] as const;
const FEW = 60;
const MANY = 900;
/** Far below what a disk does, so that a kill finds the work unfinished. */
const PACE = '150kb';
const WITHIN_MS = 240_000;

let nodes: NodeProcesses;
afterEach(() => nodes?.destroy());

type Victims = 'manager' | 'holder' | 'all';

const ask = (method: string, path: string, body?: unknown): Promise<Answer> => call(nodes.url('a'), method, path, body);

function startAll(names: readonly string[]): void {
  for (const name of names) nodes.start(name, ['--set', `path.repo=${join(nodes.folder, 'repos')}`]);
}

/** Documents that do not pack well. */
async function write(index: string, from: number, to: number): Promise<void> {
  const words = (n: number): string =>
    Array.from({ length: 120 }, (_, k) => Math.sin(n * 131 + k).toString(36)).join(' ');
  const lines = Array.from(
    { length: to - from },
    (_, i) => `{"index":{"_id":"${from + i}"}}\n{"n":${from + i},"t":"${words(from + i)}"}\n`,
  );
  const { body } = await ask('POST', `/${index}/_bulk?refresh=true`, lines.join(''));
  expect(body.errors).toBe(false);
}

/** Kills them by their pids, and starts them again. */
async function crash(victims: Victims, index: string): Promise<void> {
  const manager = (await ask('GET', '/_cat/master?h=node')).text.trim();
  const holders = (await ask('GET', `/_cat/shards/${index}?h=node`)).text.trim().split(/\s+/);
  const holder = holders.find((name) => name !== manager) ?? manager;
  const killed = victims === 'all' ? NAMES : [victims === 'manager' ? manager : holder];
  await Promise.all(killed.map((name) => nodes.kill(name)));
  startAll(killed);
  await nodes.waitForGreen('a', WITHIN_MS);
}

async function countOf(index: string): Promise<number> {
  await ask('POST', `/${index}/_refresh`);
  return (await ask('GET', `/${index}/_count`)).body.count;
}

async function restored(snapshot: string, as: string): Promise<number> {
  const body = { rename_pattern: '.+', rename_replacement: as };
  const { status } = await ask('POST', `/_snapshot/slow/${snapshot}/_restore`, body);
  expect(status).toBe(200);
  await nodes.waitForGreen('a', WITHIN_MS);
  return countOf(as);
}

test.each<Victims>(['manager', 'all'])(
  'a snapshot in whose midst these are killed: %s',
  async (victims) => {
    nodes = await NodeProcesses.plan(NAMES);
    startAll(NAMES);
    await nodes.waitForGreen('a', WITHIN_MS);
    await ask('PUT', '/books', { settings: { number_of_shards: 3 } });
    await write('books', 0, FEW);
    const settings = { location: 'slow', max_snapshot_bytes_per_sec: PACE, max_restore_bytes_per_sec: '100mb' };
    expect((await ask('PUT', '/_snapshot/slow', { type: 'fs', settings })).body).toEqual({ acknowledged: true });
    const first = await ask('PUT', '/_snapshot/slow/before?wait_for_completion=true');
    expect(first.body.snapshot.state).toBe('SUCCESS');
    await write('books', FEW, MANY);
    await ask('PUT', '/_snapshot/slow/during');
    await nodes.waitFor('a', '/_snapshot/slow/_current', ({ body }) => body?.snapshots?.length === 1);
    await crash(victims, 'books');

    const ended = await nodes.waitFor(
      'a',
      '/_snapshot/slow/during',
      ({ status, body }) => status === 200 && body.snapshots[0].state !== 'IN_PROGRESS',
      WITHIN_MS,
    );
    expect(await countOf('books')).toBe(MANY);
    expect(await restored('before', 'old')).toBe(FEW);
    // A shard whose node was killed may be missing, which the snapshot then says.
    if (ended.body.snapshots[0].state === 'SUCCESS') expect(await restored('during', 'middle')).toBe(MANY);
    const last = await ask('PUT', '/_snapshot/slow/after?wait_for_completion=true', { indices: 'books' });
    expect(last.body.snapshot).toMatchObject({ state: 'SUCCESS', shards: { total: 3, failed: 0 } });
    expect(await restored('after', 'new')).toBe(MANY);
    expect((await ask('POST', '/_snapshot/slow/_verify')).status).toBe(200);
    expect((await ask('DELETE', '/_snapshot/slow/during')).body).toEqual({ acknowledged: true });
    expect((await ask('POST', '/_snapshot/slow/_cleanup')).status).toBe(200);
    expect(await restored('before', 'again')).toBe(FEW);
  },
  2 * WITHIN_MS,
);

test.each<Victims>(['holder', 'all'])(
  'a restore in whose midst these are killed: %s',
  async (victims) => {
    nodes = await NodeProcesses.plan(NAMES);
    startAll(NAMES);
    await nodes.waitForGreen('a', WITHIN_MS);
    await ask('PUT', '/books', { settings: { number_of_shards: 3 } });
    await write('books', 0, MANY);
    const settings = { location: 'slow', max_restore_bytes_per_sec: PACE };
    expect((await ask('PUT', '/_snapshot/slow', { type: 'fs', settings })).body).toEqual({ acknowledged: true });
    const made = await ask('PUT', '/_snapshot/slow/whole?wait_for_completion=true');
    expect(made.body.snapshot).toMatchObject({ state: 'SUCCESS', failures: [] });
    await ask('DELETE', '/books');
    await ask('POST', '/_snapshot/slow/whole/_restore');
    await nodes.waitFor('a', '/_cat/shards/books?h=state', ({ text }) => text.includes('INITIALIZING'));
    await crash(victims, 'books');
    expect(await countOf('books')).toBe(MANY);
    expect((await ask('GET', '/_snapshot/slow/whole')).body.snapshots[0].state).toBe('SUCCESS');
    expect(await restored('whole', 'again')).toBe(MANY);
  },
  2 * WITHIN_MS,
);

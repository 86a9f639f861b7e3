import { afterEach, beforeEach, expect, test } from 'vitest';
import { startShoal } from '../start/start-shoal.ts';
import type { ShoalCluster } from './shoal-cluster.ts';

const DAY_MS = 86_400_000;

let cluster: ShoalCluster;
beforeEach(async () => {
  cluster = await startShoal({ nodes: 2 });
});
afterEach(() => cluster.close());

async function ask(
  method: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<{ readonly _scroll_id: string }> {
  return (await cluster.fetch(path, { method, body })).json();
}

async function scrollStatus(scroll_id: string): Promise<number> {
  return (await cluster.fetch('/_search/scroll', { method: 'POST', body: { scroll_id, scroll: '20m' } })).status;
}

test('the clock of a cluster is lived through: a scroll ends when its time is over, and not before', async () => {
  await ask('PUT', '/events/_doc/1', { n: 1 });
  const { _scroll_id: id } = await ask('POST', '/events/_search?scroll=20m', {});
  const before = cluster.clock.now();
  await cluster.clock.advance('18m');
  expect(cluster.clock.now() - before).toBeGreaterThanOrEqual(18 * 60_000);
  expect(await scrollStatus(id)).toBe(200);
  await cluster.clock.advance('25m');
  expect(await scrollStatus(id)).toBe(404);
});

test('what would take too long to live through is refused, with what there is instead', async () => {
  const before = cluster.clock.now();
  await expect(cluster.clock.advance('1d')).rejects.toThrow('at most 6h at once, and not [1d]: clock.set(time)');
  expect(cluster.clock.now()).toBe(before);
  await cluster.clock.set(before + 30 * DAY_MS);
  expect(cluster.clock.now()).toBe(before + 30 * DAY_MS);
});

import type { CoordinatorSettings } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import { FETCH_PHASE, QUERY_PHASE, RANK_QUERY, RANK_ROUND, shardBatch } from '@shoal/protocol';
import { describe, expect, test } from 'vitest';
import { indexOf, nodeOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const DOCS = 90;
/** With it even a page of few documents is beyond what shards may send at once. */
const LARGE = 20_000;
const RAISED = { 'index.max_result_window': '2147483647' };

/** Documents over shards on 2 nodes; `n` repeats, so that ties are broken by shard and position. */
async function spread(shards = 3, settings: Partial<CoordinatorSettings> = {}): Promise<TestNode> {
  const state = {
    indices: [indexOf('big', { shards, settings: RAISED })],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_: string, shard: number) => `n${1 + (shard % 2)}`,
  };
  const node = testNode(state, settings);
  const parts = Array.from({ length: DOCS }, (_, i) => [{ index: { _id: `d${i}` } }, { n: i % 7, i }]);
  await node.ask('POST', '/big/_bulk', lines(...parts.flat()));
  node.cluster.sent.length = 0;
  return node;
}

interface Answer {
  readonly hits: {
    readonly total: unknown;
    readonly hits: readonly { readonly _id: string; readonly sort: unknown }[];
  };
  readonly _shards: { readonly total: number; readonly failed: number; readonly failures: readonly unknown[] };
}

async function search(node: TestNode, body: object): Promise<Answer> {
  return (await node.ask('POST', '/big/_search', { sort: [{ n: 'asc' }], ...body })).json;
}

const shown = ({ hits }: Answer): unknown => hits.hits.map(({ _id, sort }) => [_id, sort]);
const actions = (node: TestNode): ReadonlySet<string> => new Set(node.cluster.sent.map(({ action }) => action));

describe('a page that is beyond what shards may send at once', () => {
  test('is the same as one that is not', async () => {
    const node = await spread();
    const all = await search(node, { size: DOCS });
    expect(actions(node)).toContain(QUERY_PHASE.name);
    node.cluster.sent.length = 0;
    const deep = await search(node, { from: 10, size: LARGE });
    expect(shown(deep)).toEqual((shown(all) as unknown[]).slice(10));
    expect(deep.hits.total).toEqual(all.hits.total);
    const phases = [RANK_QUERY, RANK_ROUND, FETCH_PHASE];
    // n1 has one of the shards, n2 two of them.
    expect(actions(node)).toEqual(new Set(phases.flatMap((phase) => [phase.name, shardBatch(phase).name])));
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
  });

  test('leaves out a shard that is lost between its rounds, and says so', async () => {
    const node = await spread();
    const all = await search(node, { size: DOCS });
    node.cluster.intercept = ({ action, target }) => {
      if (action !== RANK_ROUND.name || target.shard !== 1) return;
      throw new ShoalError('search_context_missing_exception', 404, 'No ranked hits found for id [1/1]');
    };
    const deep = await search(node, { from: 1, size: LARGE });
    expect(deep._shards).toMatchObject({ total: 3, failed: 1 });
    expect(deep._shards.failures).toHaveLength(1);
    const lost = await Promise.all(all.hits.hits.map(({ _id }) => node.cluster.holds('big', 1, _id)));
    const kept = all.hits.hits.filter((_, i) => !lost[i]);
    expect(shown(deep)).toEqual(kept.slice(1).map(({ _id, sort }) => [_id, sort]));
    await Promise.resolve();
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
  });

  test('is whole when what a shard kept gave way to other searches once', async () => {
    const node = await spread();
    const all = await search(node, { size: DOCS });
    let refusals = 1;
    node.cluster.intercept = ({ action, target }) => {
      if (action !== RANK_ROUND.name || target.shard !== 1 || refusals-- <= 0) return;
      throw new ShoalError('search_context_missing_exception', 404, 'No ranked hits found for id [1/1]');
    };
    const deep = await search(node, { from: 1, size: LARGE });
    expect(deep._shards).toMatchObject({ total: 3, failed: 0 });
    expect(shown(deep)).toEqual((shown(all) as unknown[]).slice(1));
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
  });

  test('is refused when it has more entries itself than fit in memory', async () => {
    const node = await spread(3, { searchBytesMax: 12 * 50 });
    const { status, json } = await node.ask('POST', '/big/_search', { from: 10, size: LARGE });
    expect([status, json.error.type]).toEqual([429, 'circuit_breaking_exception']);
    expect((await search(node, { from: 50, size: LARGE })).hits.hits).toHaveLength(DOCS - 50);
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
  });

  test('of one shard is sent by it alone, with its documents', async () => {
    const node = await spread(1);
    const all = await search(node, { size: DOCS });
    node.cluster.sent.length = 0;
    const deep = await search(node, { from: 50, size: LARGE * 3 });
    expect(shown(deep)).toEqual((shown(all) as unknown[]).slice(50));
    expect(node.cluster.sent.map(({ action }) => action)).toEqual([RANK_QUERY.name]);
  });

  test('is refused by an index that does not allow it, before any shard is asked', async () => {
    const node = testNode({ indices: [indexOf('big', { shards: 3 })], nodes: [nodeOf('n1')] });
    const { status, json } = await node.ask('POST', '/big/_search', { from: 10_000, size: 10 });
    expect(status).toBe(400);
    expect(json.error.root_cause[0].reason).toContain('Result window is too large');
    expect(node.cluster.sent).toEqual([]);
  });
});

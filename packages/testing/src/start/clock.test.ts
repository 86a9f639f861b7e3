import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShoalNode } from './shoal-node.ts';
import { startShoal } from './start-shoal.ts';

const DAY_MS = 86_400_000;

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any shape.
type Json = any;

let node: ShoalNode;
beforeEach(async () => {
  node = await startShoal();
});
afterEach(() => node.close());

async function ask(method: string, path: string, body?: object): Promise<Json> {
  return (
    await node.fetch(path, { method, ...(body === undefined ? {} : { body: body as Record<string, unknown> }) })
  ).json();
}

async function foundSince(from: string): Promise<number> {
  return (await ask('POST', '/events/_search', { query: { range: { at: { gte: from } } } })).hits.total.value;
}

describe('the clock of a node', () => {
  test('is moved on for `now` in date math', async () => {
    await ask('PUT', '/events/_doc/1', { at: new Date(node.clock.now()).toISOString() });
    expect(await foundSince('now-1h')).toBe(1);
    await node.clock.advance('2h');
    expect([await foundSince('now-1h'), await foundSince('now-3h')]).toEqual([0, 1]);
  });

  test('is set for what pipelines stamp and indices are made at', async () => {
    await node.clock.set('2030-01-02T03:04:05Z');
    const processors = [{ set: { field: 'at', value: '{{_ingest.timestamp}}' } }];
    await ask('PUT', '/_ingest/pipeline/stamp', { processors });
    await ask('PUT', '/events/_doc/1?pipeline=stamp', {});
    expect((await ask('GET', '/events/_source/1')).at).toMatch(/^2030-01-02T03:04:/);
    const made = Number((await ask('GET', '/events')).events.settings.index.creation_date);
    expect(new Date(made).getUTCFullYear()).toBe(2030);
    await node.clock.set(0);
    expect(node.clock.now()).toBeLessThan(DAY_MS);
  });

  test('ends scrolls whose time is over, and nothing before', async () => {
    await ask('PUT', '/events/_doc/1', { n: 1 });
    const { _scroll_id: scroll_id } = await ask('POST', '/events/_search?scroll=10m&size=1', {});
    await node.clock.advance('9m');
    expect((await ask('POST', '/_search/scroll', { scroll_id, scroll: '1m' })).hits.hits).toEqual([]);
    await node.clock.advance('1d');
    expect((await ask('POST', '/_search/scroll', { scroll_id })).error.root_cause[0].type).toBe(
      'search_context_missing_exception',
    );
  });

  test('leaves the node well, however far it is moved', async () => {
    await ask('PUT', '/events/_doc/1', { n: 1 });
    await node.clock.advance('1d');
    expect(await ask('GET', '/_cluster/health')).toMatchObject({ status: 'yellow', active_shards: 1 });
    expect((await ask('POST', '/events/_search', {})).hits.total.value).toBe(1);
  });

  test('takes no time that is none', () => {
    expect(() => node.clock.advance(-1)).toThrow('time goes forward');
    expect(() => node.clock.advance('soon')).toThrow('soon');
    expect(() => node.clock.set('yesterday')).toThrow('no time');
  });
});

import type { MappingJson } from '@shoal/schema';
import { beforeEach, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;

async function index(mapping: MappingJson): Promise<void> {
  node = testNode({ indices: [indexOf('lib', { mapping })] });
  await node.ask('PUT', '/lib/_doc/1?refresh', { a: 'x', ab: '1', b: 'hello', o: { x: 1, y: 2 } });
}

describe('an index that keeps no source', () => {
  beforeEach(() => index({ _source: { enabled: false }, properties: { b: { type: 'text' } } }));

  test('shows none, and finds its documents', async () => {
    expect((await node.ask('GET', '/lib/_doc/1')).json).not.toHaveProperty('_source');
    const missing = await node.ask('GET', '/lib/_source/1');
    expect([missing.status, missing.json.error.reason]).toEqual([404, 'Source not found [lib]/[1]']);
    const body = { query: { match: { b: 'hello' } }, highlight: { fields: { b: {} } } };
    const { hits } = (await node.ask('POST', '/lib/_search', body)).json.hits;
    expect(hits).toEqual([{ _index: 'lib', _id: '1', _score: expect.any(Number) }]);
  });

  test.each([
    ['/lib/_update/1', { doc: { a: 'y' } }, '[1]: document source missing'],
    ['/_reindex', { source: { index: 'lib' }, dest: { index: 'other' } }, "[lib][1] didn't store _source"],
    ['/lib/_search', { fields: ['a'] }, 'Unable to retrieve the requested [fields] since _source is disabled'],
  ])('refuses what needs it: %s', async (path, body, reason) => {
    const { status, text } = await node.ask('POST', path, body);
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe('an index that keeps a part of the source', () => {
  const rule = { includes: ['a*', 'o.x'], excludes: ['ab'] };
  beforeEach(() => index({ _source: rule }));

  test('shows that part, and indexes all', async () => {
    const kept = { a: 'x', o: { x: 1 } };
    expect((await node.ask('GET', '/lib/_doc/1')).json._source).toEqual(kept);
    const { hits } = (await node.ask('POST', '/lib/_search', { query: { term: { 'o.y': 2 } } })).json.hits;
    expect(hits).toMatchObject([{ _source: kept }]);
  });

  test('updates what it kept', async () => {
    await node.ask('POST', '/lib/_update/1?refresh', { doc: { a2: 'z' } });
    const { total } = (await node.ask('POST', '/lib/_search', { query: { term: { 'o.y': 2 } } })).json.hits;
    expect(total.value).toBe(0);
    expect((await node.ask('GET', '/lib/_doc/1')).json._source).toEqual({ a: 'x', a2: 'z', o: { x: 1 } });
  });
});

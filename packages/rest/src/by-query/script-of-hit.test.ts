/** Scripts of `_update_by_query` and `_reindex`. */
import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

async function nodeWith(count: number): Promise<TestNode> {
  const node = testNode({ indices: [indexOf('lib', { shards: 2 }), indexOf('copy'), indexOf('other')] });
  const documents = Array.from({ length: count }, (_, n) => [{ index: { _id: String(n) } }, { n }]).flat();
  await node.ask('POST', '/lib/_bulk', lines(...documents));
  return node;
}

const sourcesOf = async (node: TestNode, index: string): Promise<Record<string, unknown>> => {
  const { json } = await node.ask('POST', `/${index}/_search?size=100`, { query: { match_all: {} } });
  const hits: readonly { readonly _id: string; readonly _source: unknown }[] = json.hits.hits;
  return Object.fromEntries(hits.map((hit) => [hit._id, hit._source]));
};

describe('a script of _update_by_query', () => {
  test('changes, deletes or leaves each document', async () => {
    const node = await nodeWith(5);
    const source = `if (ctx._source.n == params.gone) ctx.op = 'delete';
      else if (ctx._source.n < 2) ctx.op = 'noop';
      else ctx._source.n *= 10`;
    const target = '/lib/_update_by_query?refresh=true';
    const { json } = await node.ask('POST', target, { script: { source, params: { gone: 3 } } });
    expect(json).toMatchObject({ total: 5, updated: 2, deleted: 1, noops: 2, failures: [] });
    expect(await sourcesOf(node, 'lib')).toEqual({ 0: { n: 0 }, 1: { n: 1 }, 2: { n: 20 }, 4: { n: 40 } });
  });

  test.each([
    ["ctx._id = 'x'", 'Modifying [_id] not allowed'],
    ["ctx.op = 'bogus'", 'Operation type [bogus] not allowed, only [noop, index, delete] are allowed'],
    ['ctx.junk = 3', 'Invalid fields added to context [junk]'],
    ['x', 'compile error'],
    ['ctx._source.n.foo()', 'runtime error'],
    [1, 'Script value should be a String or a Map'],
    [{ id: 'x' }, 'unable to find script [x] in cluster state'],
  ])('%j changes nothing', async (script, reason) => {
    const node = await nodeWith(2);
    const { status, json } = await node.ask('POST', '/lib/_update_by_query', { script });
    expect([status, json.error.reason]).toEqual([reason.startsWith('unable') ? 404 : 400, reason]);
    expect(await sourcesOf(node, 'lib')).toEqual({ 0: { n: 0 }, 1: { n: 1 } });
  });
});

describe('a script of _reindex', () => {
  const copy = (source: string): object => ({
    source: { index: 'lib' },
    dest: { index: 'copy' },
    script: { source },
  });

  test('may send copies elsewhere, under other ids', async () => {
    const node = await nodeWith(3);
    const source = "ctx._id = 'z' + ctx._id; ctx._version = null; if (ctx._source.n > 0) ctx._index = 'other'";
    const { json } = await node.ask('POST', '/_reindex?refresh=true', copy(source));
    expect(json).toMatchObject({ total: 3, created: 3, failures: [] });
    expect(await sourcesOf(node, 'copy')).toEqual({ z0: { n: 0 } });
    expect(await sourcesOf(node, 'other')).toEqual({ z1: { n: 1 }, z2: { n: 2 } });
  });

  test('is an object', async () => {
    const node = await nodeWith(1);
    const { status, json } = await node.ask('POST', '/_reindex', { ...copy(''), script: 'x' });
    expect([status, json.error.type]).toEqual([400, 'x_content_parse_exception']);
  });
});

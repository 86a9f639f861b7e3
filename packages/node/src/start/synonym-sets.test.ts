import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const cluster = new TestCluster();
let nodes: readonly TestNode[] = [];

beforeAll(async () => {
  nodes = [await cluster.start('one'), await cluster.start('two')];
  await call(nth(0), 'GET', '/_cluster/health?wait_for_nodes=2');
});

afterAll(() => cluster.close());

function nth(n: number): TestNode {
  const node = nodes[n];
  if (node === undefined) throw new Error(`no node ${n}`);
  return node;
}

const ask = (method: string, path: string, body?: unknown) => call(nth(1), method, path, body);

const indexWith = (filter: object) => ({
  settings: {
    number_of_shards: 4,
    number_of_replicas: 0,
    analysis: {
      filter: { mine: { type: 'synonym_graph', ...filter } },
      analyzer: { searched: { tokenizer: 'standard', filter: ['mine'] } },
    },
  },
  mappings: { properties: { t: { type: 'text', analyzer: 'standard', search_analyzer: 'searched' } } },
});

async function found(): Promise<readonly string[]> {
  const { body } = await ask('POST', '/drinks/_search?size=20', { query: { match: { t: 'tea' } } });
  return [...new Set<string>(body.hits.hits.map((hit: { _source: { t: string } }) => hit._source.t))].sort();
}

describe('a synonym set', () => {
  test('is put, listed in order, and read a page at a time', async () => {
    const rules = [
      { id: 'z', synonyms: 'tea, chai' },
      { id: 'a', synonyms: 'coffee => brew' },
    ];
    const created = await call(nth(0), 'PUT', '/_synonyms/drinks', { synonyms_set: rules });
    expect(created).toMatchObject({ status: 201, body: { result: 'created' } });
    expect(created.body.reload_analyzers_details).toMatchObject({ _shards: { total: 0 }, reload_details: [] });
    const again = await ask('PUT', '/_synonyms/drinks', { synonyms_set: rules });
    expect(again).toMatchObject({ status: 200, body: { result: 'updated' } });
    expect((await ask('GET', '/_synonyms/drinks')).body).toEqual({ count: 2, synonyms_set: [rules[1], rules[0]] });
    expect((await ask('GET', '/_synonyms/drinks?from=1&size=1')).body).toEqual({ count: 2, synonyms_set: [rules[0]] });
    expect((await ask('PUT', '/_synonyms/animals', { synonyms_set: { synonyms: 'cat, tom' } })).status).toBe(201);
    const sets = [
      { synonyms_set: 'animals', count: 1 },
      { synonyms_set: 'drinks', count: 2 },
    ];
    expect((await ask('GET', '/_synonyms')).body).toEqual({ count: 2, results: sets });
    expect((await ask('GET', '/_synonyms?size=1')).body).toEqual({ count: 2, results: sets.slice(0, 1) });
  });

  test('is what searches of the indices that name it go by, on all nodes, from the moment of its change', async () => {
    const made = await ask('PUT', '/drinks', indexWith({ synonyms_set: 'drinks', updateable: true }));
    expect(made.status).toBe(200);
    for (const word of ['tea', 'chai', 'cha', 'oolong', 'tea', 'chai', 'cha', 'oolong']) {
      await ask('POST', '/drinks/_doc', { t: word });
    }
    await ask('POST', '/drinks/_refresh');
    expect(await found()).toEqual(['chai', 'tea']);
    const changed = await ask('PUT', '/_synonyms/drinks', { synonyms_set: [{ id: 'z', synonyms: 'tea, cha' }] });
    expect(changed.body.reload_analyzers_details._shards).toEqual({ total: 2, successful: 2, failed: 0 });
    const [details] = changed.body.reload_analyzers_details.reload_details;
    expect(details).toMatchObject({ index: 'drinks', reloaded_analyzers: ['searched'] });
    expect(await found()).toEqual(['cha', 'tea']);
    expect(await ask('PUT', '/_synonyms/drinks/r2', { synonyms: 'tea, oolong' })).toMatchObject({ status: 201 });
    expect(await found()).toEqual(['cha', 'oolong', 'tea']);
    expect((await ask('PUT', '/_synonyms/drinks/r2', { synonyms: 'tea, chai' })).body.result).toBe('updated');
    expect(await found()).toEqual(['cha', 'chai', 'tea']);
    expect((await ask('DELETE', '/_synonyms/drinks/z')).body.result).toBe('deleted');
    expect(await found()).toEqual(['chai', 'tea']);
    expect((await ask('GET', '/_synonyms/drinks/r2')).body).toEqual({ id: 'r2', synonyms: 'tea, chai' });
  });

  test('is used by _analyze too', async () => {
    const { body } = await ask('POST', '/drinks/_analyze', { analyzer: 'searched', text: 'tea' });
    expect(body.tokens.map(({ token }: { token: string }) => token).sort()).toEqual(['chai', 'tea']);
  });

  test('stays while an index names it', async () => {
    expect(await ask('DELETE', '/_synonyms/drinks')).toMatchObject({
      status: 400,
      body: {
        error: { reason: 'synonyms set [drinks] cannot be deleted as it is used in the following indices: drinks' },
      },
    });
    await ask('DELETE', '/drinks');
    expect((await ask('DELETE', '/_synonyms/drinks')).body).toEqual({ acknowledged: true });
    expect(await ask('GET', '/_synonyms/drinks')).toMatchObject({
      status: 404,
      body: { error: { type: 'resource_not_found_exception', reason: 'synonyms set [drinks] not found' } },
    });
  });

  test.each([
    [{ synonyms_set: 'none', updateable: true }, 'synonyms set [none] not found'],
    [{ synonyms_set: 'animals' }, "Can't apply [synonyms_set]!"],
    [
      { synonyms_set: 'animals', updateable: true, synonyms: ['a, b'] },
      'cannot have [synonyms.0] beside [synonyms_set]',
    ],
  ])('is refused in a filter %j', async (filter, reason) => {
    const { status, body } = await ask('PUT', '/refused', indexWith(filter));
    expect(status).toBe(400);
    expect(body.error.reason).toContain(reason);
  });

  test.each([
    ['PUT', '/_synonyms/x', {}, 400, 'Required [synonyms_set]'],
    ['PUT', '/_synonyms/x', { synonyms_set: [{ id: 'a' }] }, 400, 'Required [synonyms]'],
    ['PUT', '/_synonyms/x', { synonyms_set: [{ synonyms: 'a => b => c' }] }, 400, 'More than one explicit mapping'],
    ['PUT', '/_synonyms/x', { synonyms_set: [{ synonyms: '=> b' }] }, 400, 'Incorrect syntax for [=> b]'],
    ['PUT', '/_synonyms/x', { synonyms_set: [], more: 1 }, 400, 'unknown field [more]'],
    ['PUT', '/_synonyms/none/r', { synonyms: 'a, b' }, 404, 'synonyms set [none] not found'],
    ['GET', '/_synonyms/animals/none', undefined, 404, 'synonym rule [none] not found on synonyms set [animals]'],
    ['DELETE', '/_synonyms/animals/none', undefined, 404, 'synonym rule [none] not found on synonyms set [animals]'],
    ['GET', '/_synonyms?from=-1', undefined, 400, '[from] must be a positive integer'],
  ])('%s %s %j is refused', async (method, path, sent, status, reason) => {
    const answer = await ask(method, path, sent);
    expect(answer.status).toBe(status);
    expect(answer.body.error.reason).toContain(reason);
  });
});

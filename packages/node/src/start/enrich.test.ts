import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type HttpAnswer, TestCluster, type TestNode } from './node-cluster.test-support.ts';

describe('enrich policies on two nodes', () => {
  const cluster = new TestCluster();
  let [a, b]: TestNode[] = [];

  async function ok(node: TestNode, method: string, path: string, body?: unknown): Promise<HttpAnswer['body']> {
    const answer = await call(node, method, path, body);
    expect([answer.status < 300, answer.body?.error]).toEqual([true, undefined]);
    return answer.body;
  }

  /** What the pipeline of one processor makes of documents. */
  async function enriched(
    processor: object,
    documents: readonly object[],
  ): Promise<readonly Record<string, unknown>[]> {
    const pipeline = { processors: [{ enrich: { target_field: 'found', ...processor } }] };
    const docs = documents.map((_source) => ({ _source }));
    const body = await ok(b!, 'POST', '/_ingest/pipeline/_simulate', { pipeline, docs });
    return body.docs.map((entry: HttpAnswer['body']) => entry.doc?._source ?? entry.error.reason);
  }

  async function executed(name: string, policy: object): Promise<void> {
    await ok(a!, 'PUT', `/_enrich/policy/${name}`, policy);
    expect(await ok(b!, 'POST', `/_enrich/policy/${name}/_execute`)).toEqual({ status: { phase: 'COMPLETE' } });
  }

  beforeAll(async () => {
    a = await cluster.start('a');
    b = await cluster.start('b');
    await call(a, 'GET', '/_cluster/health?wait_for_nodes=2&timeout=20s');
    const properties = {
      email: { type: 'keyword' },
      city: { type: 'keyword' },
      net: { type: 'ip_range' },
      area: { type: 'geo_shape' },
    };
    await ok(a, 'PUT', '/people', { settings: { number_of_shards: 2 }, mappings: { properties } });
    const people = [
      { email: 'ann@x', city: 'Rome', net: '10.0.0.0/8', secret: 1 },
      { email: 'bob@x', city: 'Oslo', net: '192.168.0.0/16', area: 'POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))' },
      { email: ['cid@x', 'ann@x'], city: 'Bonn' },
      { city: 'Nowhere' },
    ];
    const lines = people.flatMap((person) => [{ index: {} }, person]).map((line) => `${JSON.stringify(line)}\n`);
    await ok(a, 'POST', '/people/_bulk?refresh=true', lines.join(''));
  }, 60_000);
  afterAll(() => cluster.close());

  test('are shown as they were put, and cannot be put again', async () => {
    const match = { indices: ['people'], match_field: 'email', enrich_fields: ['city'] };
    await executed('by-email', { match });
    const { policies } = await ok(b!, 'GET', '/_enrich/policy/by-email,none');
    expect(policies).toEqual([{ config: { match: { name: 'by-email', ...match } } }]);
    const again = await call(a!, 'PUT', '/_enrich/policy/by-email', { match });
    expect([again.status, again.body.error.type]).toEqual([400, 'resource_already_exists_exception']);
  });

  test('add the fields that they name, and nothing where nothing is found', async () => {
    const processor = { policy_name: 'by-email', field: 'from' };
    expect(await enriched(processor, [{ from: 'bob@x' }, { from: 'zoe@x' }, { from: ['zoe@x', 'bob@x'] }, {}])).toEqual(
      [
        { from: 'bob@x', found: { email: 'bob@x', city: 'Oslo' } },
        { from: 'zoe@x' },
        { from: ['zoe@x', 'bob@x'], found: { email: 'bob@x', city: 'Oslo' } },
        'field [from] not present as part of path [from]',
      ],
    );
    expect(await enriched({ ...processor, ignore_missing: true }, [{}])).toEqual([{}]);
  });

  test('add a list where several matches are wanted, and change what is there only when they may', async () => {
    const processor = { policy_name: 'by-email', field: 'from', max_matches: 5 };
    const [{ found } = {}] = await enriched(processor, [{ from: 'ann@x' }]);
    expect((found as readonly { city: string }[]).map(({ city }) => city).sort()).toEqual(['Bonn', 'Rome']);
    const kept = { from: 'ann@x', found: 'mine' };
    expect(await enriched({ ...processor, override: false }, [kept])).toEqual([kept]);
  });

  test('look up addresses in ranges', async () => {
    await executed('by-net', { range: { indices: 'people', match_field: 'net', enrich_fields: ['city'] } });
    const found = await enriched({ policy_name: 'by-net', field: 'ip' }, [{ ip: '10.1.2.3' }, { ip: '8.8.8.8' }]);
    expect(found).toEqual([{ ip: '10.1.2.3', found: { net: '10.0.0.0/8', city: 'Rome' } }, { ip: '8.8.8.8' }]);
  });

  test.each([['5,5'], [{ lat: 5, lon: 5 }], [[5, 5]], ['POINT(5 5)'], [[{ lat: 50, lon: 50 }, '5,5']]])(
    'look up the place %j in areas',
    async (at) => {
      const policy = { geo_match: { indices: 'people', match_field: 'area', enrich_fields: ['city'] } };
      if ((await ok(a!, 'GET', '/_enrich/policy/by-area')).policies.length === 0) await executed('by-area', policy);
      const processor = { policy_name: 'by-area', field: 'at' };
      expect(await enriched(processor, [{ at }])).toMatchObject([{ found: { city: 'Oslo' } }]);
      expect(await enriched({ ...processor, shape_relation: 'DISJOINT' }, [{ at: '5,5' }])).toEqual([{ at: '5,5' }]);
    },
  );

  test('count only the documents of their query', async () => {
    const match = {
      indices: 'people',
      match_field: 'email',
      enrich_fields: ['city'],
      query: { term: { city: 'Bonn' } },
    };
    await executed('bonn', { match });
    const cities = await enriched({ policy_name: 'bonn', field: 'from' }, [{ from: 'ann@x' }, { from: 'bob@x' }]);
    expect(cities).toMatchObject([{ found: { city: 'Bonn' } }, { from: 'bob@x' }]);
  });

  test('join a bulk with their source as a loop over both would', async () => {
    const key = fc.integer({ min: 0, max: 12 });
    const round = fc.tuple(fc.uniqueArray(key, { maxLength: 8 }), fc.array(key, { minLength: 1, maxLength: 40 }));
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(round, async ([known, asked]) => {
        const name = `join${runs++}`;
        const put = known.flatMap((k) => [{ index: {} }, { k: String(k), square: k * k }]);
        await ok(a!, 'PUT', `/${name}`, {
          mappings: { properties: { k: { type: 'keyword' }, square: { type: 'long' } } },
        });
        const text = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
        if (put.length > 0) await ok(a!, 'POST', `/${name}/_bulk?refresh=true`, text(put));
        await executed(name, { match: { indices: name, match_field: 'k', enrich_fields: ['square'] } });
        const step = { enrich: { policy_name: name, field: 'k', target_field: 'of' } };
        await ok(a!, 'PUT', `/_ingest/pipeline/${name}`, { processors: [step] });
        const docs = asked.flatMap((k, id) => [{ index: { _id: String(id) } }, { k }]);
        const written = await ok(b!, 'POST', `/${name}-out/_bulk?pipeline=${name}&refresh=true`, text(docs));
        expect(written.errors).toBe(false);
        const { hits } = await ok(a!, 'GET', `/${name}-out/_search?size=100`);
        const squares = new Map(hits.hits.map((hit: HttpAnswer['body']) => [hit._id, hit._source.of?.square]));
        for (const [id, k] of asked.entries()) {
          expect(squares.get(String(id))).toBe(known.includes(k) ? k * k : undefined);
        }
      }),
      { numRuns: 6 },
    );
  });

  test('show what changed in their source when they are executed again', async () => {
    await ok(a!, 'PUT', '/colors/_doc/1?refresh=true', { name: 'red', hex: 'f00' });
    const match = { indices: 'colors', match_field: 'name', enrich_fields: ['hex'] };
    await executed('colors', { match });
    const processor = { policy_name: 'colors', field: 'c' };
    await ok(a!, 'PUT', '/colors/_doc/1?refresh=true', { name: 'red', hex: 'e00' });
    expect(await enriched(processor, [{ c: 'red' }])).toMatchObject([{ found: { hex: 'f00' } }]);
    const { task } = await ok(b!, 'POST', '/_enrich/policy/colors/_execute?wait_for_completion=false');
    const { completed } = await ok(a!, 'GET', `/_tasks/${task}?wait_for_completion=true&timeout=30s`);
    expect(completed).toBe(true);
    await expect
      .poll(() => enriched(processor, [{ c: 'red' }]), { timeout: 20_000 })
      .toMatchObject([{ found: { hex: 'e00' } }]);
    await ok(b!, 'POST', '/_enrich/policy/colors/_execute');
    const { indices } = await ok(a!, 'GET', '/_resolve/index/.enrich-colors-*?expand_wildcards=all');
    expect(indices).toHaveLength(2);
  });

  test('are deleted with their indices, but not while a pipeline uses them', async () => {
    const step = { enrich: { policy_name: 'colors', field: 'c', target_field: 'x' } };
    await ok(a!, 'PUT', '/_ingest/pipeline/colored', { processors: [step] });
    expect((await call(b!, 'DELETE', '/_enrich/policy/colors')).status).toBe(409);
    await ok(a!, 'DELETE', '/_ingest/pipeline/colored');
    expect(await ok(b!, 'DELETE', '/_enrich/policy/colors')).toEqual({ acknowledged: true });
    expect((await ok(a!, 'GET', '/_resolve/index/.enrich-colors-*?expand_wildcards=all')).indices).toEqual([]);
    const refused = await call(a!, 'PUT', '/_ingest/pipeline/colored', { processors: [step] });
    expect(refused.body.error.reason).toBe('no enrich index exists for policy with name [colors]');
    expect((await call(a!, 'POST', '/_enrich/policy/colors/_execute')).status).toBe(404);
  });

  test('count their lookups, and remember them', async () => {
    const processor = { policy_name: 'by-email', field: 'from' };
    const statsOfB = async (): Promise<HttpAnswer['body']> => {
      const { cache_stats: stats, executing_policies: running } = await ok(a!, 'GET', '/_enrich/_stats');
      expect([stats.length, running]).toEqual([2, []]);
      const { nodes } = await ok(b!, 'GET', '/_nodes/_local');
      return stats.find((entry: HttpAnswer['body']) => entry.node_id === Object.keys(nodes)[0]);
    };
    await enriched(processor, [{ from: 'new@x' }]);
    const before = await statsOfB();
    await enriched(processor, [{ from: 'new@x' }]);
    expect(await statsOfB()).toMatchObject({ hits: before.hits + 1, misses: before.misses, count: before.count });
  });

  test.each([
    [{ match: { indices: 'people', match_field: 'email' } }, 'Required [enrich_fields]'],
    [{ match: { indices: 'people', match_field: 'no', enrich_fields: ['city'] } }, 'Could not find the [no] field'],
    [{ range: { indices: 'people', match_field: 'email', enrich_fields: ['city'] } }, 'be a range type'],
    [{ guess: {} }, 'unknown field [guess]'],
  ])('are refused: %j', async (policy, reason) => {
    const { status, body } = await call(a!, 'PUT', '/_enrich/policy/wrong', policy);
    expect([status, body.error.reason]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('are refused for an index that is not there, and a name that no index can have', async () => {
    const match = { indices: 'none', match_field: 'email', enrich_fields: ['city'] };
    expect((await call(a!, 'PUT', '/_enrich/policy/wrong', { match })).status).toBe(404);
    expect((await call(a!, 'PUT', '/_enrich/policy/Wrong', { match })).body.error.reason).toContain(
      'must be lowercase',
    );
  });
});

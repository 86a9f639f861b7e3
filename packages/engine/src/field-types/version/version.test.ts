import { sortValueForHit } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../../collect/aggregations/aggregation-answer.test-support.ts';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { v: { type: 'version' } } };
const VERSIONS = ['1.0.0', '1.0.0-alpha', '1.9.3', '1.10.0', '2.1.0-rc.2+x', 'not a version'];

function context() {
  const docs = VERSIONS.map((v, id) => ({ id: String(id), source: JSON.stringify({ v }) }));
  return memoryContext(MAPPING, [docs.slice(0, 3), [...docs.slice(3), { id: 'none', source: '{}' }]]);
}

async function found(query: unknown): Promise<string[]> {
  const searched = context();
  const { ords } = await runQuery(searched, { query });
  return idsOf(searched, ords)
    .map((id) => VERSIONS[Number(id)] ?? id)
    .sort();
}

describe('a query on a version field', () => {
  test.each([
    [{ term: { v: '1.0.0' } }, ['1.0.0']],
    [{ term: { v: '1.0' } }, []],
    [{ term: { v: { value: '1.0.0-ALPHA', case_insensitive: true } } }, ['1.0.0-alpha']],
    [{ terms: { v: ['1.9.3', 'not a version'] } }, ['1.9.3', 'not a version']],
    [{ match: { v: '1.10.0' } }, ['1.10.0']],
    [{ range: { v: { gt: '1.0.0', lt: '2' } } }, ['1.10.0', '1.9.3']],
    [{ range: { v: { lte: '1.0.0' } } }, ['1.0.0', '1.0.0-alpha']],
    [{ prefix: { v: '1.' } }, ['1.0.0', '1.0.0-alpha', '1.10.0', '1.9.3']],
    [{ wildcard: { v: '*.?.0*' } }, ['1.0.0', '1.0.0-alpha', '2.1.0-rc.2+x']],
    [{ wildcard: { v: { value: '1.?*.0', rewrite: 'scoring_boolean' } } }, ['1.0.0', '1.10.0']],
    [{ regexp: { v: '1\\.[0-9]+\\.[0-9]' } }, ['1.0.0', '1.10.0', '1.9.3']],
    [{ fuzzy: { v: '1.9.0' } }, ['1.0.0', '1.9.3']],
    [{ query_string: { query: 'v:1.1*' } }, ['1.10.0']],
    [{ exists: { field: 'v' } }, [...VERSIONS].sort()],
  ])('%j finds %j', async (query, versions) => {
    expect(await found(query)).toEqual(versions);
  });
});

describe('a version field', () => {
  test.each([
    ['asc', [1, 0, 2, 3, 4, 5]],
    ['desc', [5, 4, 3, 2, 0, 1]],
  ])('sorts %s by precedence, over segments', async (order, ids) => {
    const searched = context();
    const { ords, columns } = await runQuery(searched, { query: { exists: { field: 'v' } }, sort: [{ v: order }] });
    expect(idsOf(searched, ords)).toEqual(ids.map(String));
    expect(ids.map((_, i) => sortValueForHit(columns[0]!, i))).toEqual(ids.map((id) => VERSIONS[id]));
  });

  test('goes on behind a version', async () => {
    const searched = context();
    const { ords } = await runQuery(searched, { sort: [{ v: 'asc' }], search_after: ['1.9.3'] });
    expect(idsOf(searched, ords)).toEqual(['3', '4', '5', 'none']);
  });

  test('shows its values as they were written', async () => {
    const { request } = shardSearch({
      fields: ['v'],
      docvalue_fields: ['v'],
      script_fields: { s: { script: "doc['v'].value" } },
    });
    const page = { ords: Uint32Array.of(4), request };
    const [hit] = await fetchHits(context(), page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
    const shown = ['2.1.0-rc.2+x'];
    expect(JSON.parse(Buffer.from(hit?.fields ?? []).toString())).toEqual({ v: shown, s: shown });
  });

  test('makes buckets in the order of precedence', async () => {
    const aggs = {
      t: { terms: { field: 'v', order: { _key: 'asc' }, exclude: ['not a version'] } },
      c: { composite: { sources: [{ v: { terms: { field: 'v' } } }], after: { v: '1.9.3' }, size: 1 } },
    };
    const docs = VERSIONS.map((v) => ({ v }));
    const { t, c } = await answerOf(MAPPING, [docs, docs], aggs);
    expect(bucketsIn(t).map(({ key }) => key)).toEqual(['1.0.0-alpha', '1.0.0', '1.9.3', '1.10.0', '2.1.0-rc.2+x']);
    expect(c).toMatchObject({ after_key: { v: '1.10.0' }, buckets: [{ key: { v: '1.10.0' }, doc_count: 2 }] });
  });

  test('takes no patterns in terms, and no other parameters', async () => {
    const aggs = { t: { terms: { field: 'v', include: '1.*' } } };
    await expect(runQuery(context(), { size: 0, aggs })).rejects.toThrow('cannot');
    expect(() => memoryContext({ properties: { v: { type: 'version', index: false } } }, [])).toThrow('index');
  });
});

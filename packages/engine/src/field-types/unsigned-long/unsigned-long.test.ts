import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import { sortValueForHit } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import type { FlatSegment } from '../../format/flat-segment.ts';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';
import { mergeInMemory } from '../../write/merge/merge-in-memory.test-support.ts';

const MAX = '18446744073709551615';
const MAPPING = { properties: { u: { type: 'unsigned_long' } } };
const VALUES: Readonly<Record<string, string>> = {
  zero: '0',
  seven: '7',
  high: '9223372036854775808',
  next: '18446744073709551614',
  max: MAX,
};

function context() {
  const docs = Object.entries(VALUES).map(([id, value]) => ({ id, source: `{"u":${value}}` }));
  return memoryContext(MAPPING, [docs.slice(0, 2), [...docs.slice(2), { id: 'none', source: '{}' }]]);
}

async function found(query: unknown): Promise<string[]> {
  const searched = context();
  const { ords } = await runQuery(searched, { query });
  return idsOf(searched, ords).sort();
}

function indexed(source: string, parameters: object = {}): () => unknown {
  const mapping = { properties: { u: { type: 'unsigned_long', ...parameters } } };
  return () =>
    memoryContext(mapping, [[{ id: '1', source }]])
      .searcher.views[0]?.segment.numericColumn('u')
      ?.value(0);
}

describe('a value of an unsigned_long field', () => {
  test.each([
    ['18446744073709551616', 'Value [18446744073709551616] is out of range for unsigned long'],
    ['-1', 'Value [-1] is out of range for unsigned long'],
    ['1.5', 'For input string: [1.5].'],
    ['"1.5"', 'For input string: "1.5"'],
    ['"-1"', 'For input string: "-1"'],
    ['true', 'For input string: "true"'],
  ])('%s is refused', (value, reason) => {
    expect(indexed(`{"u":${value}}`)).toThrow(
      expect.objectContaining({ causedBy: expect.objectContaining({ reason }) }),
    );
    expect(indexed(`{"u":${value}}`, { ignore_malformed: true })()).toBeUndefined();
  });

  test('may be a text, and stand for null', () => {
    expect(indexed('{"u":"12"}')()).toBe(12);
    expect(indexed('{"u":null}', { null_value: '7' })()).toBe(7);
    expect(indexed('{}', { coerce: true })).toThrow('unknown parameter [coerce] on mapper [u] of type [unsigned_long]');
  });
});

describe('a query on an unsigned_long field', () => {
  test.each([
    [{ term: { u: MAX } }, ['max']],
    [{ term: { u: '18446744073709551613' } }, []],
    [{ term: { u: '-1' } }, []],
    [{ term: { u: '7.0' } }, ['seven']],
    [{ term: { u: 7.5 } }, []],
    [{ terms: { u: ['0', MAX, '1.5'] } }, ['max', 'zero']],
    [{ range: { u: { gt: '18446744073709551613.5' } } }, ['max', 'next']],
    [{ range: { u: { gte: '18446744073709551614', lt: MAX } } }, ['next']],
    [{ range: { u: { gt: -5, lte: 7.9 } } }, ['seven', 'zero']],
    [{ range: { u: { gte: '18446744073709551616' } } }, []],
    [{ range: { u: { lt: 0 } } }, []],
    [{ range: { u: { lte: '1e30' } } }, ['high', 'max', 'next', 'seven', 'zero']],
    [{ exists: { field: 'u' } }, ['high', 'max', 'next', 'seven', 'zero']],
  ])('%j finds %j', async (query, ids) => {
    expect(await found(query)).toEqual(ids);
  });

  test('refuses what is no number', async () => {
    await expect(found({ term: { u: 'x' } })).rejects.toThrow('For input string: "x"');
  });
});

describe('an unsigned_long field', () => {
  test.each([
    ['asc', ['zero', 'seven', 'high', 'next', 'max', 'none']],
    ['desc', ['max', 'next', 'high', 'seven', 'zero', 'none']],
  ])('sorts %s, exactly and over segments', async (order, ids) => {
    const searched = context();
    const { ords, columns } = await runQuery(searched, { sort: [{ u: order }] });
    expect(idsOf(searched, ords).filter((id) => id !== 'none' || order === 'asc')).toEqual(
      ids.filter((id) => id !== 'none' || order === 'asc'),
    );
    const shown = idsOf(searched, ords).map((_, i) => String(sortValueForHit(columns[0]!, i)));
    const missing = order === 'asc' ? MAX : '0';
    expect(shown).toEqual(idsOf(searched, ords).map((id) => VALUES[id] ?? missing));
  });

  test('shows its values exactly', async () => {
    const searched = context();
    const { request } = shardSearch({ fields: ['u'], docvalue_fields: ['u'] });
    const page = { ords: Uint32Array.of(1, 4), request };
    const hits = await fetchHits(searched, page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
    expect(hits.map(({ fields }) => Buffer.from(fields ?? []).toString())).toEqual(['{"u":[7]}', `{"u":[${MAX}]}`]);
  });

  test('keeps its values through a merge', () => {
    const { views } = context().searcher;
    const merged = mergeInMemory(
      '_m',
      views.map(({ segment, liveDocs: live }) => ({ segment: segment as FlatSegment, live })),
    );
    const column = merged?.segment.numericColumn('u');
    expect([0, 1, 2, 3, 4].map((at) => String(column?.bigValue(at)))).toEqual(Object.values(VALUES));
  });

  test('is aggregated as doubles', async () => {
    const aggs = {
      s: { stats: { field: 'u' } },
      h: { histogram: { field: 'u', interval: 2 ** 63, min_doc_count: 1 } },
      t: { terms: { field: 'u', size: 2, order: { _key: 'asc' } } },
    };
    const { aggregations } = await runQuery(context(), { size: 0, aggs });
    const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
    const finished = finishAggregations(tree, [readPartials(aggregations!)], new BucketBudget(100));
    const { s, h, t } = JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false })));
    expect(s).toMatchObject({ count: 5, min: 0, max: 2 ** 64, sum: 2 ** 63 + 2 * 2 ** 64 });
    expect(h.buckets).toEqual([
      { key: 0, doc_count: 2 },
      { key: 2 ** 63, doc_count: 1 },
      { key: 2 ** 64, doc_count: 2 },
    ]);
    expect(t.buckets).toEqual([
      { key: 0, doc_count: 1 },
      { key: 7, doc_count: 1 },
    ]);
  });
});

/** Term vectors of documents, against what the postings of the same documents hold. */
import type { TermVectorsRequest } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryContext } from '../query/memory-searcher.test-support.ts';
import { termVectors } from './term-vectors.ts';

const clock = { monotonicMs: () => 0, wallMs: () => 0 };
const SETTINGS = {
  'index.analysis.analyzer.pay.type': 'custom',
  'index.analysis.analyzer.pay.tokenizer': 'whitespace',
  'index.analysis.analyzer.pay.filter': 'delimited_payload',
};
const MAPPING = {
  properties: {
    v: { type: 'text', term_vector: 'with_positions_offsets', copy_to: 'all' },
    y: { type: 'text', term_vector: 'yes' },
    p: { type: 'text', term_vector: 'with_positions_payloads', analyzer: 'pay' },
    t: { type: 'text', fields: { raw: { type: 'keyword' } } },
    k: { type: 'keyword', ignore_above: 3, null_value: 'NN' },
    all: { type: 'text' },
    s: { type: 'keyword', store: true, null_value: 'NN' },
    hidden: { type: 'text', index: false },
    n: { type: 'long' },
    r: { type: 'text', fields: { typed: { type: 'search_as_you_type' } } },
    o: { type: 'nested', properties: { z: { type: 'text', term_vector: 'yes' } } },
  },
};
const ALL: TermVectorsRequest = {
  document: { kind: 'stored', id: '1', version: null, realtime: true },
  fields: null,
  analyzers: new Map(),
  positions: true,
  offsets: true,
  payloads: true,
  termStatistics: false,
  fieldStatistics: false,
  filter: null,
};

async function vectorsOf(source: object, request: Partial<TermVectorsRequest> = {}, others: readonly object[] = []) {
  const docs = [source, ...others].map((doc, i) => ({ id: String(i + 1), source: JSON.stringify(doc) }));
  const context = memoryContext(MAPPING, [docs], undefined, undefined, SETTINGS);
  const asked = { ...ALL, ...request };
  const bytes = asked.document.kind === 'artificial' ? asked.document.source : Buffer.from(JSON.stringify(source));
  return JSON.parse(Buffer.from(await termVectors(context, bytes, asked, clock)).toString());
}

const artificial = (source: object): Partial<TermVectorsRequest> => ({
  document: { kind: 'artificial', source: Buffer.from(JSON.stringify(source)) },
});

describe('term vectors', () => {
  test('of a field that is stored by itself are those of its stored values, null values included', async () => {
    const fields = ['s', 'k'];
    const shown = await vectorsOf({ s: [null, 'a'], k: null }, { fields, positions: false, offsets: false });
    expect(shown).toEqual({ s: { terms: { NN: { term_freq: 1 }, a: { term_freq: 1 } } } });
  });

  test('of runs of words are made of the text of the field that these are of', async () => {
    const shown = await vectorsOf({ r: 'a fox' }, { fields: ['r.typed*'], positions: false, offsets: false });
    expect(Object.keys(shown)).toEqual(['r.typed', 'r.typed._2gram', 'r.typed._index_prefix']);
    expect(shown['r.typed._2gram']).toEqual({ terms: { 'a fox': { term_freq: 1 } } });
  });

  test('are shown without asking for fields whose mapping says so, with the parts that it says', async () => {
    const source = { v: ['b a', 'b'], y: 'x x', p: 'one|1 two', t: 'left out', o: { z: 'nested' } };
    expect(await vectorsOf(source)).toEqual({
      v: {
        terms: {
          a: { term_freq: 1, tokens: [{ position: 1, start_offset: 2, end_offset: 3 }] },
          b: {
            term_freq: 2,
            tokens: [
              { position: 0, start_offset: 0, end_offset: 1 },
              { position: 102, start_offset: 4, end_offset: 5 },
            ],
          },
        },
      },
      y: { terms: { x: { term_freq: 2 } } },
      p: {
        terms: {
          one: { term_freq: 1, tokens: [{ position: 0, payload: 'P4AAAA==' }] },
          two: { term_freq: 1, tokens: [{ position: 1 }] },
        },
      },
    });
  });

  test('of fields by name and pattern are made of the source: no copies, null values or limits', async () => {
    const source = { v: 'copied', t: 'One two', k: [null, 'long one'], n: 5, hidden: 'x' };
    const found = await vectorsOf(source, { fields: ['t*', 'k', 'all', 'n', 'hidden', 'none'], offsets: false });
    expect(found).toEqual({
      t: {
        terms: {
          one: { term_freq: 1, tokens: [{ position: 0 }] },
          two: { term_freq: 1, tokens: [{ position: 1 }] },
        },
      },
      't.raw': { terms: { 'One two': { term_freq: 1, tokens: [{ position: 0 }] } } },
      k: { terms: { 'long one': { term_freq: 1, tokens: [{ position: 0 }] } } },
    });
  });

  test('of an artificial document are those of what would be indexed, but not of new fields', async () => {
    const source = { v: 'copied', all: 'own', k: [null, 'long one'], added: 'new' };
    const found = await vectorsOf({}, { ...artificial(source), positions: false, offsets: false });
    expect(found).toEqual({
      v: { terms: { copied: { term_freq: 1 } } },
      all: { terms: { copied: { term_freq: 1 }, own: { term_freq: 1 } } },
      k: { terms: { NN: { term_freq: 1 } } },
    });
    await expect(vectorsOf({}, artificial({ n: 'x' }))).rejects.toThrow('failed to parse field [n]');
  });

  test('take another analyzer for a field that is named; an unknown one is the default', async () => {
    const request = { fields: ['v', 't'], positions: false, offsets: false };
    const analyzers = new Map([
      ['v', 'keyword'],
      ['t', 'nope'],
    ]);
    expect(await vectorsOf({ v: 'A b', t: 'C d' }, { ...request, analyzers })).toEqual({
      v: { terms: { 'A b': { term_freq: 1 } } },
      t: { terms: { c: { term_freq: 1 }, d: { term_freq: 1 } } },
    });
    expect(await vectorsOf({ y: 'A b' }, { analyzers: new Map([['y', 'keyword']]) })).toEqual({
      y: { terms: { a: { term_freq: 1 }, b: { term_freq: 1 } } },
    });
  });

  test('show statistics of the shard, and their own where it knows nothing of the field', async () => {
    const plain = { positions: false, offsets: false, termStatistics: true, fieldStatistics: true };
    const found = await vectorsOf({}, { ...artificial({ v: 'a b', k: 'x' }), ...plain }, [{ v: 'a a' }, { v: 'a c' }]);
    expect(found).toEqual({
      v: {
        field_statistics: { sum_doc_freq: 3, doc_count: 2, sum_ttf: 4 },
        terms: { a: { doc_freq: 2, ttf: 3, term_freq: 1 }, b: { term_freq: 1 } },
      },
      all: {
        field_statistics: { sum_doc_freq: 3, doc_count: 2, sum_ttf: 4 },
        terms: { a: { doc_freq: 2, ttf: 3, term_freq: 1 }, b: { term_freq: 1 } },
      },
      k: {
        field_statistics: { sum_doc_freq: 1, doc_count: 1, sum_ttf: 1 },
        terms: { x: { doc_freq: 1, ttf: 1, term_freq: 1 } },
      },
    });
  });

  test('keep the most telling terms that pass the filter', async () => {
    const filter = {
      maxNumTerms: 2,
      minTermFreq: 1,
      maxTermFreq: 3,
      minDocFreq: 1,
      maxDocFreq: 9,
      minWordLength: 2,
      maxWordLength: 4,
    };
    const request = { fields: ['y'], positions: false, offsets: false };
    const source = { y: 'aa aa bb cc d eeeee ff ff ff ff' };
    const others = [{ y: 'bb aa' }];
    expect(await vectorsOf(source, { ...request, filter }, others)).toEqual({
      y: { terms: { aa: { term_freq: 2, score: 2 }, cc: { term_freq: 1, score: 1.4054651 } } },
    });
    expect(await vectorsOf(source, { ...request, filter: { ...filter, maxNumTerms: 0 } })).toEqual({
      y: { terms: {} },
    });
    const refused = vectorsOf(source, { ...request, filter: { ...filter, maxNumTerms: -1 } });
    await expect(refused).rejects.toThrow('maxSize must be >= 0');
  });

  test('have the frequencies and positions of the postings', async () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'the', 'é', 'z'), { maxLength: 8 }).map((list) => list.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 3 }), async (values) => {
        const source = { v: values };
        const context = memoryContext(MAPPING, [[{ id: '1', source: JSON.stringify(source) }]]);
        const found = await vectorsOf(source);
        const terms = context.searcher.views[0]?.segment.terms('v') ?? null;
        const indexed: Record<string, number[]> = {};
        for (let ordinal = 0; ordinal < (terms?.size ?? 0); ordinal++) {
          const cursor = terms?.postings(ordinal);
          cursor?.next();
          const into = new Uint32Array(64);
          const count = cursor?.positions(into) ?? 0;
          indexed[Buffer.from(terms?.term(ordinal) ?? '').toString()] = [...into.subarray(0, count)];
        }
        const shown = Object.entries<{ tokens: { position: number }[] }>(found.v?.terms ?? {});
        expect(Object.fromEntries(shown.map(([term, { tokens }]) => [term, tokens.map((t) => t.position)]))).toEqual(
          indexed,
        );
      }),
      { numRuns: 100 },
    );
  });
});

import { describe, expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import type { QueryContext } from '../../phases/context/query-context.ts';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const settings = {
  'index.similarity.my.type': 'BM25',
  'index.similarity.my.k1': '0.5',
  'index.similarity.my.b': '0.2',
  'index.similarity.default.type': 'BM25',
  'index.similarity.default.b': '0',
  'index.similarity.all.type': 'BM25',
  'index.similarity.all.discount_overlaps': 'false',
  'index.similarity.once.type': 'BM25',
  'index.similarity.once.k1': '0',
  'index.analysis.filter.starts.type': 'edge_ngram',
  'index.analysis.filter.starts.min_gram': '1',
  'index.analysis.filter.starts.max_gram': '3',
  'index.analysis.analyzer.starts.tokenizer': 'standard',
  'index.analysis.analyzer.starts.filter.0': 'starts',
};

const starts = { type: 'text', analyzer: 'starts', search_analyzer: 'standard' };
const mapping = {
  properties: {
    plain: { type: 'text' },
    usual: { type: 'text', similarity: 'BM25' },
    mine: { type: 'text', similarity: 'my' },
    flat: { type: 'text', similarity: 'boolean' },
    once: { type: 'text', similarity: 'once' },
    tag: { type: 'keyword', similarity: 'boolean' },
    short: { ...starts, similarity: 'BM25' },
    long: { ...starts, similarity: 'all' },
  },
};

function docOf(id: string, text: string, letters: string): { readonly id: string; readonly source: string } {
  const same = { plain: text, usual: text, mine: text, flat: text, once: text };
  return { id, source: JSON.stringify({ ...same, tag: 'x', short: letters, long: letters }) };
}

const docs = [docOf('1', 'one two three', 'abc'), docOf('2', 'one one', 'a b')];

/** On the kernels, and on the scorers alone. */
const contexts: readonly (readonly [string, QueryContext])[] = [
  ['kernels', memoryContext(mapping, [docs], () => false, createSegmentMemory({ bytesMax: 2 ** 27 }), settings)],
  ['scorers', memoryContext(mapping, [docs], () => false, undefined, settings)],
];

async function scores(context: QueryContext, query: unknown): Promise<readonly number[]> {
  const { ords, columns } = await runQuery(context, { query }, { topN: 10 });
  const [column] = columns;
  const values = column?.kind === 'score' ? [...column.values] : [];
  const byDoc = values.map((value, i) => [ords[i] ?? -1, value] as const);
  return byDoc.sort(([a], [b]) => a - b).map(([, value]) => value);
}

// Scores of the same documents in another server that has these similarities.
describe.each(contexts)('scores on the %s', (_, context) => {
  test.each<[string, unknown, readonly number[]]>([
    [
      'of the similarity that the index has by default',
      { plain: { query: 'one two', boost: 2 } },
      [1.7509373, 0.5013843],
    ],
    ['of BM25', { usual: { query: 'one two', boost: 2 } }, [1.6185137, 0.5312681]],
    ['of other k1 and b', { mine: { query: 'one two', boost: 2 } }, [1.7278988, 0.44110057]],
    ['that are the boost alone', { flat: { query: 'one two', boost: 2 } }, [4, 2]],
    ['of lengths without tokens at the position of others', { short: 'a' }, [0.241631, 0.19856803]],
    ['of lengths with them', { long: 'a' }, [0.16853255, 0.19856803]],
    ['that no frequency changes', { once: 'one' }, [0.18232156, 0.18232156]],
  ])('%s', async (_name, match, expected) => {
    const found = await scores(context, { match });
    expect(found.map((score) => Math.fround(score))).toEqual(expected.map((score) => Math.fround(score)));
  });

  test.each<[unknown, readonly number[]]>([
    [{ term: { tag: { value: 'x', boost: 3 } } }, [3, 3]],
    [{ match_phrase: { flat: { query: 'one two', boost: 3 } } }, [3]],
    [{ match_phrase: { mine: 'one two' } }, [0.8639494]],
    [{ span_term: { flat: 'one' } }, [1, 1]],
  ])('of %j', async (query, expected) => {
    expect(await scores(context, query)).toEqual(expected.map((score) => Math.fround(score)));
  });
});

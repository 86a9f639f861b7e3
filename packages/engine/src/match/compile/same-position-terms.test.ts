import { describe, expect, test } from 'vitest';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';
import { idf } from '../weight/bm25.ts';

const SETTINGS = {
  'index.analysis.analyzer.grams.tokenizer': 'whitespace',
  'index.analysis.analyzer.grams.filter.0': 'two_to_three',
  'index.analysis.filter.two_to_three.type': 'edge_ngram',
  'index.analysis.filter.two_to_three.min_gram': '2',
  'index.analysis.filter.two_to_three.max_gram': '3',
};
const MAPPING = { properties: { text: { type: 'text', analyzer: 'grams', search_analyzer: 'grams' } } };

const docs = [
  ['quick', 'quick fox'],
  ['quill', 'quill fox'],
  ['query', 'fox query'],
  ['other', 'slow box'],
].map(([id = '', text]) => ({ id, source: JSON.stringify({ text }) }));
const context = memoryContext(MAPPING, [docs.slice(0, 2), docs.slice(2)], () => false, PLAIN_MEMORY, SETTINGS);

async function found(query: unknown): Promise<readonly string[]> {
  const result = await runQuery(context, { query }, { topN: 10 });
  return [...idsOf(context, result.ords)].sort();
}

describe('terms that an analyzer puts at one position', () => {
  test('count as one: operator and asks for any of each position', async () => {
    // `quip` is `qu` or `qui`; `query` has no `qui`, and is found.
    expect(await found({ match: { text: { query: 'quip fox', operator: 'and' } } })).toEqual([
      'query',
      'quick',
      'quill',
    ]);
    expect(await found({ match: { text: { query: 'quip slow', operator: 'and' } } })).toEqual([]);
  });

  test('take part in minimum_should_match as one clause', async () => {
    expect(await found({ match: { text: { query: 'quip slow', minimum_should_match: 2 } } })).toEqual([]);
  });

  test('stand in a phrase as alternatives', async () => {
    expect(await found({ match_phrase: { text: 'quip fox' } })).toEqual(['quick', 'quill']);
    expect(await found({ match_phrase: { text: 'fox quip' } })).toEqual(['query']);
    expect(await found({ match_phrase: { text: 'quip' } })).toEqual(['query', 'quick', 'quill']);
  });

  test('score as one term with the document frequency of the most frequent of them', async () => {
    const result = await runQuery(context, { query: { match: { text: 'quip' } } }, { topN: 10 });
    const [column] = result.columns;
    const scores = column?.kind === 'score' ? [...column.values] : [];
    const [best] = idsOf(context, result.ords);
    // Two of `qu`, `qui` in `quick` and `quill`, one in `query`. Lengths count positions (2), the average all terms (4).
    expect(best).not.toBe('query');
    const weight = 2.2 * idf(3, 4);
    const scoreOf = (freq: number): number => weight * (freq / (freq + 1.2 * (0.25 + (0.75 * 2) / 4)));
    expect(scores.map((score) => score.toFixed(4))).toEqual([2, 2, 1].map((freq) => scoreOf(freq).toFixed(4)));
  });
});

import { expect, test } from 'vitest';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const SETTINGS = {
  'index.analysis.analyzer.q.tokenizer': 'whitespace',
  'index.analysis.analyzer.q.filter.0': 'lowercase',
  'index.analysis.analyzer.q.filter.1': 's',
  'index.analysis.filter.s.type': 'synonym_graph',
  'index.analysis.filter.s.synonyms.0': 'ny, new york, big apple',
  'index.analysis.filter.s.synonyms.1': 'dns => domain name system',
};
const MAPPING = { properties: { t: { type: 'text', analyzer: 'whitespace', search_analyzer: 'q' } } };

const texts = [
  ...['in ny city', 'in new york city', 'york new city', 'the big apple city', 'apple big', 'city', 'new city'],
  ...['domain name system', 'name domain system', 'dns', 'new york'],
];
const docs = texts.map((t, i) => ({ id: String(i + 1), source: JSON.stringify({ t }) }));
const context = memoryContext(MAPPING, [docs], () => false, PLAIN_MEMORY, SETTINGS);

/** Ids in order, each with its score of four digits. */
async function found(query: unknown): Promise<Readonly<Record<string, number>>> {
  const result = await runQuery(context, { query }, { topN: 20 });
  const [column] = result.columns;
  const scores = column?.kind === 'score' ? [...column.values] : [];
  return Object.fromEntries(idsOf(context, result.ords).map((id, i) => [id, Number(scores[i]?.toFixed(4))]));
}

const phrase = { 1: 2.5092, 2: 2.2906, 4: 3.0397 };

// Scores are those of a server with Lucene 9.12 for the same documents.
test.each([
  [{ match: { t: 'ny city' } }, { ...phrase, 3: 0.5714, 6: 0.8157, 7: 0.672, 11: 2.4256 }],
  [{ match: { t: { query: 'ny city', operator: 'and' } } }, phrase],
  [
    { match: { t: { query: 'ny city', operator: 'and', auto_generate_synonyms_phrase_query: false } } },
    { ...phrase, 3: 2.6337 },
  ],
  [{ match_phrase: { t: { query: 'ny city', slop: 1 } } }, phrase],
  [{ match: { t: 'dns' } }, { 8: 4.3855, 9: 4.3855 }],
  [{ query_string: { query: 'ny AND city', fields: ['t'] } }, phrase],
  [
    { query_string: { query: 'ny', fields: ['t'], auto_generate_synonyms_phrase_query: false } },
    { 1: 1.9379, 2: 1.7937, 3: 2.0623, 4: 2.5428, 5: 3.4387, 11: 2.4256 },
  ],
  [{ match: { t: { query: 'big apple city', minimum_should_match: '100%' } } }, phrase],
])('%j', async (query, expected) => expect(await found(query)).toEqual(expected));

test('a phrase with synonyms finds each way to say it', async () => {
  expect(Object.keys(await found({ match_phrase: { t: 'ny city' } })).sort()).toEqual(['1', '2', '4']);
});

test.each([{ match_bool_prefix: { t: 'ny ci' } }, { match_phrase_prefix: { t: 'ny ci' } }])(
  '%j is refused: a way through a graph has no last word',
  async (query) => {
    await expect(found(query)).rejects.toThrow('does not take synonyms of several words');
  },
);

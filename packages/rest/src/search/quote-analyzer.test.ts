import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

const analysis = (stopwords: string) => ({
  'index.analysis.analyzer.words.type': 'standard',
  'index.analysis.analyzer.few.type': 'standard',
  'index.analysis.analyzer.few.stopwords': stopwords,
});
const mapping = {
  properties: { t: { type: 'text', analyzer: 'words', search_analyzer: 'few', search_quote_analyzer: 'words' } },
};

test.each([
  [{ match: { t: 'the fox' } }, 3],
  [{ match_phrase: { t: 'the fox' } }, 1],
  [{ match_phrase: { t: { query: 'the fox', analyzer: 'few' } } }, 3],
  [{ match_phrase_prefix: { t: 'the fo' } }, 1],
  [{ multi_match: { query: 'the fox', fields: ['t'], type: 'phrase' } }, 1],
  [{ query_string: { query: '"the fox"', fields: ['t'] } }, 1],
  [{ query_string: { query: 'the fox', fields: ['t'] } }, 3],
])('a text in quotes is cut by the analyzer for quotes: %j', async (query, count) => {
  const { ask } = testNode({ indices: [indexOf('lib', { mapping, settings: analysis('the') })] });
  for (const [id, t] of ['the fox', 'a fox', 'fox'].entries()) await ask('PUT', `/lib/_doc/${id}`, { t });
  const { json } = await ask('POST', '/lib/_search', { query, highlight: { fields: { t: {} } } });
  expect(json.hits.total.value).toBe(count);
  const [first] = json.hits.hits.filter((hit: { _id: string }) => hit._id === '0');
  expect(first.highlight.t[0]).toBe(count === 1 ? '<em>the</em> <em>fox</em>' : 'the <em>fox</em>');
});

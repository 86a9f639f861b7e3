/**
 * Phrases and covering queries as explanations tell them.
 */
import { expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { memoryContext, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { t: { type: 'text', analyzer: 'stop' }, k: { type: 'keyword' } } };

async function told(query: object): Promise<string> {
  const context = memoryContext(MAPPING, [[{ id: '1', source: '{"t":"quick the brown fox","k":"x"}' }]]);
  const { request } = shardSearch({ query, explain: true });
  const clock = { monotonicMs: () => 0, wallMs: () => 0 };
  const [hit] = await fetchHits(context, { ords: Uint32Array.of(0), request }, { isStopped: false }, clock);
  return String(hit?.explanation?.tree).replaceAll('\\', '');
}

test.each([
  ['quick the brown', 't:"quick ? brown"'],
  ['brown fox', 't:"brown fox"'],
  ['the brown fox', 't:"brown fox"'],
])('%s is told as %s', async (text, phrase) => {
  expect(await told({ match_phrase: { t: text } })).toContain(phrase);
});

test('a script that says how many terms a document needs is told as a script', async () => {
  const query = { terms_set: { k: { terms: ['x'], minimum_should_match_script: { source: '1' } } } };
  expect(await told({ bool: { must_not: [query] } })).toContain('minimumNumberMatch=script(Script{');
});

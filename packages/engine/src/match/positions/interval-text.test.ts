import { expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { memoryContext, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { t: { type: 'text', analyzer: 'stop' } } };
const match = (query: string, more: object = {}) => ({ match: { query, ...more } });

/** What the explanation of a document that does not match, or matches, says is looked for. */
async function told(rule: object): Promise<string> {
  const context = memoryContext(MAPPING, [[{ id: '1', source: '{"t":"quick brown quick fox x"}' }]]);
  const { request } = shardSearch({ query: { intervals: { t: rule } }, explain: true });
  const clock = { monotonicMs: () => 0, wallMs: () => 0 };
  const [hit] = await fetchHits(context, { ords: Uint32Array.of(0), request }, { isStopped: false }, clock);
  return String(hit?.explanation?.tree);
}

test.each([
  [match('quick quick'), 't:UNORDERED(quick,quick)'],
  [match('quick quick', { ordered: true }), 't:ORDERED(quick,quick)'],
  [match('quick brown', { ordered: true, max_gaps: 0 }), 't:BLOCK(quick,brown)'],
  [match('brown fox', { max_gaps: 3 }), 't:MAXGAPS/3(UNORDERED(brown,fox))'],
  [match('quick the fox', { max_gaps: 9 }), 't:MAXGAPS/9(UNORDERED(quick,EXTEND(fox,1,0)))'],
  [match('quick', { filter: { before: match('fox') } }), 't:CONTAINED_BY(quick,EXTEND(PRECEDING(fox),2147483647,0))'],
  [
    match('fox', { filter: { after: { wildcard: { pattern: 'qui*' } } } }),
    't:CONTAINED_BY(fox,EXTEND(FOLLOWING(MultiTerm(qui*)),0,2147483647))',
  ],
  [
    match('quick', { filter: { not_overlapping: { prefix: { prefix: 'fo' } } } }),
    't:NON_OVERLAPPING(quick,MultiTerm(fo*))',
  ],
  [{ any_of: { intervals: [match('zz'), match('quick')] } }, 't:or(zz,quick)'],
])('%j is told as %s', async (rule, text) => {
  expect(await told(rule)).toContain(`S, the sloppy frequency of the interval query ${text}`);
});

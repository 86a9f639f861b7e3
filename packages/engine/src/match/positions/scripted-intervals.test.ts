/** Filters of intervals that are scripts. */
import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const context = memoryContext({ properties: { t: { type: 'text' } } }, [
  [
    { id: 'near', source: '{"t":"cold wet day"}' },
    { id: 'far', source: '{"t":"cold and very windy and wet"}' },
  ],
  [{ id: 'late', source: '{"t":"one two three cold wet"}' }],
]);

const scripted = (source: string): object => ({
  intervals: {
    t: { match: { query: 'cold wet', filter: { script: { source } } } },
  },
});

async function matching(source: string): Promise<readonly string[]> {
  return idsOf(context, (await runQuery(context, { query: scripted(source) }, { topN: 10 })).ords).toSorted();
}

describe('a script', () => {
  test.each([
    ['interval.start == 0', ['far', 'near']],
    ['interval.end == 1', ['near']],
    ['interval.start > 2 && interval.end < 5', ['late']],
    ['interval.gaps >= 4', ['far']],
    ['interval.getGaps() == 0', ['late', 'near']],
    ['false', []],
  ])('%s takes what lies so', async (source, ids) => {
    expect(await matching(source)).toEqual(ids);
  });

  test('is told by its text', async () => {
    const { request } = shardSearch({ query: scripted('interval.gaps == 0'), explain: true });
    const clock = { monotonicMs: () => 0, wallMs: () => 0 };
    const [hit] = await fetchHits(context, { ords: Uint32Array.of(0), request }, { isStopped: false }, clock);
    expect(String(hit?.explanation?.tree)).toContain('t:FILTER(interval.gaps == 0)(UNORDERED(cold,wet))');
  });

  test.each(['interval.width == 0', "doc['t']", 'params.n'])('that names %s does not compile', async (source) => {
    await expect(matching(source)).rejects.toThrow('compile error');
  });
});

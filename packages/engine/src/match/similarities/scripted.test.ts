import { parseJson } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const IDF = 'Math.log((field.docCount + 1.0) / (term.docFreq + 1.0)) + 1.0';
const SCRIPTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  whole: { 'script.source': `query.boost * Math.sqrt(doc.freq) * (${IDF}) / Math.sqrt(doc.length)` },
  weighed: {
    'weight_script.source': `query.boost * (${IDF})`,
    'script.source': 'return weight * Math.sqrt(doc.freq) / Math.sqrt(doc.length);',
  },
  counts: {
    'script.source':
      'field.docCount * 1000000 + field.sumDocFreq * 100000 + field.sumTotalTermFreq * 10000 + term.docFreq * 1000 + term.totalTermFreq * 100 + doc.freq * 10 + doc.length',
  },
  negative: { 'script.source': 'doc.length > 2 ? -1 : 1' },
};
const settings = Object.fromEntries(
  Object.entries(SCRIPTS).flatMap(([name, group]) =>
    Object.entries({ type: 'scripted', ...group }).map(([key, value]) => [`index.similarity.${name}.${key}`, value]),
  ),
);
const properties = Object.fromEntries(Object.keys(SCRIPTS).map((name) => [name, { type: 'text', similarity: name }]));
const docs = ['x y y z', 'y'].map((text, id) => {
  const source = JSON.stringify(Object.fromEntries(Object.keys(SCRIPTS).map((name) => [name, text])));
  return { id: String(id), source };
});
const context = memoryContext({ properties }, [docs, [{ id: 'none', source: '{}' }]], () => false, undefined, settings);

/** Scores by document. */
async function scores(query: object): Promise<Readonly<Record<string, unknown>>> {
  const { ords, columns } = await runQuery(context, { query });
  const values = columns[0]?.kind === 'score' ? [...columns[0].values] : [];
  return Object.fromEntries(idsOf(context, ords).map((id, i) => [id, values[i]]));
}

describe('a scripted similarity', () => {
  test.each(['whole', 'weighed'])('scores each term by its script: %s', async (field) => {
    const found = await scores({ match: { [field]: { query: 'x y', boost: 2 } } });
    expect(found).toEqual({ 0: expect.closeTo(2.8196788, 5), 1: 2 });
  });

  test('sees the counts of the field, the term and the document', async () => {
    expect(await scores({ match: { counts: 'x y' } })).toEqual({ 0: 4_903_438, 1: 2_452_311 });
    expect(await scores({ match_phrase: { counts: 'x y' } })).toEqual({ 0: 4_903_428 });
  });

  test('is explained by what its script saw', async () => {
    const { request } = shardSearch({ query: { term: { weighed: 'x' } }, explain: true });
    const page = { ords: Uint32Array.of(0), request };
    const [hit] = await fetchHits(context, page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
    const tree = JSON.stringify(parseJson(hit?.explanation?.tree ?? new Uint8Array(0)));
    expect(tree).toContain('score from ScriptedSimilarity(weightScript=[Script{type=inline');
    for (const input of ['weight', 'query.boost', 'field.sumDocFreq', 'term.totalTermFreq', 'doc.length']) {
      expect(tree).toContain(`"description":"${input}"`);
    }
  });

  test('may give no negative scores', async () => {
    await expect(scores({ term: { negative: 'x' } })).rejects.toThrow('Must be a non-negative score!');
    expect(await scores({ term: { negative: { value: 'y', boost: 1 } } }).catch(() => 'refused')).toBe('refused');
  });
});

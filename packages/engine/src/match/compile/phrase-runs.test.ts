import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: { typed: { type: 'search_as_you_type' }, text: { type: 'text', index_phrases: true } },
};
const SOURCES = [
  { typed: 'quick brown fox jump lazy dog', text: 'quick brown fox jump lazy dog' },
  { typed: 'brown quick', text: ['brown quick', 'brown quick fox'] },
  { typed: ['quick', 'brown fox'], text: 'quick' },
];

/** Best score and ids, best first. */
async function found(query: unknown): Promise<readonly [number | null, string[]]> {
  const searched = memoryContext(MAPPING, [
    SOURCES.map((source, at) => ({ id: String(at), source: JSON.stringify(source) })),
  ]);
  const { ords, maxScore } = await runQuery(searched, { query });
  return [maxScore, idsOf(searched, ords)];
}

describe('phrases are found by their runs', () => {
  test.each([
    [{ match_phrase: { typed: 'quick brown' } }, ['0']],
    [{ match_phrase: { typed: 'quick brown fox jump' } }, ['0']],
    [{ match_phrase: { typed: { query: 'quick fox', slop: 1 } } }, ['0']],
    [{ match_phrase: { typed: 'fox brown' } }, []],
    [{ match_phrase: { text: 'brown quick' } }, ['1']],
    [{ match_phrase: { text: 'quick brown fox' } }, ['0']],
    [{ match_phrase_prefix: { typed: 'quick bro' } }, ['0']],
  ])('%j', async (query, ids) => {
    expect((await found(query))[1]).toEqual(ids);
  });

  test('which score as the terms that they are', async () => {
    const [phrase] = await found({ match_phrase: { text: 'brown quick' } });
    const [term] = await found({ term: { 'text._index_phrase': 'brown quick' } });
    expect(phrase).toBe(term);
  });

  test('but not by those of a field below them', async () => {
    const text = { type: 'text', fields: { typed: { type: 'search_as_you_type' } } };
    const sources = ['the the the', 'the fox', 'a fox and the the'].map((title, at) => ({
      id: String(at),
      source: JSON.stringify({ title, plain: title }),
    }));
    const searched = memoryContext({ properties: { title: text, plain: { type: 'text' } } }, [sources]);
    const own = await runQuery(searched, { query: { match_phrase: { title: 'the the' } } });
    const plain = await runQuery(searched, { query: { match_phrase: { plain: 'the the' } } });
    expect(idsOf(searched, own.ords)).toEqual(['0', '2']);
    expect(own.maxScore).toBe(plain.maxScore);
  });
});

describe('words that are typed', () => {
  test('match in any order, the last one by its beginning; runs of them count more', async () => {
    const fields = ['typed', 'typed._2gram', 'typed._3gram'];
    const query = { multi_match: { query: 'quick brown f', type: 'bool_prefix', fields } };
    expect((await found(query))[1][0]).toBe('0');
    expect((await found(query))[1].sort()).toEqual(['0', '1', '2']);
  });

  test('are found by the beginnings of runs', async () => {
    expect((await found({ term: { 'typed._index_prefix': 'quick b' } }))[1]).toEqual(['0']);
    expect((await found({ prefix: { 'typed._2gram': 'brown q' } }))[1]).toEqual(['1']);
  });
});

describe('the fields of beginnings and pairs', () => {
  const sides = [
    ['typed._index_prefix', 'prefix'],
    ['text._index_phrase', 'phrase'],
  ] as const;
  test.each(sides)('refuse phrases and intervals on %s', async (field, kind) => {
    const refusal = (what: string): string =>
      `Can only use ${what} queries on text fields - not on [${field}] which is of type [${kind}]`;
    await expect(found({ match_phrase: { [field]: 'quick brown' } })).rejects.toThrow(refusal('phrase'));
    await expect(found({ match_phrase_prefix: { [field]: 'q' } })).rejects.toThrow(refusal('phrase prefix'));
    await expect(found({ intervals: { [field]: { match: { query: 'quick' } } } })).rejects.toThrow(refusal('interval'));
  });
  test('find a phrase of one word as their term', async () => {
    expect((await found({ match_phrase: { 'typed._index_prefix': 'fox' } }))[1].sort()).toEqual(['0', '2']);
    expect((await found({ match_phrase: { 'text._index_phrase': 'quick' } }))[1]).toEqual([]);
    expect((await found({ match_phrase: { 'typed._index_prefix': '' } }))[1]).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery, type TestDoc } from '../../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { a: { type: 'text' }, b: { type: 'text' }, k: { type: 'keyword' } } };
const DOCS = [
  { a: 'the one two three', b: 'one four', k: 'x' },
  { a: 'the one two', b: 'four four two', k: 'x' },
  { a: 'the five six', b: 'one', k: 'y' },
  { a: 'the seven two two', b: 'one five', k: 'z' },
  { a: 'the zz', b: 'five two' },
].map((doc, i): TestDoc => ({ id: String(i), source: JSON.stringify(doc) }));
const context = memoryContext(MAPPING, [DOCS.slice(0, 2), DOCS.slice(2)]);

/** Ids and scores, best first. */
async function found(query: object): Promise<readonly (readonly [string, number])[]> {
  const { ords, columns } = await runQuery(context, { query }, { topN: 10 });
  const scores = columns[0]?.kind === 'score' ? columns[0].values : [];
  return idsOf(context, ords).map((id, i): readonly [string, number] => [id, Number(scores[i]?.toFixed(4))]);
}

const common = (query: string, more: object = {}) => found({ common: { a: { query, ...more } } });

// Scores as a server of version 7 gives them.
describe('common', () => {
  test.each<[string, string, object, readonly (readonly [string, number])[]]>([
    [
      'all words where all are common',
      'the one two',
      {},
      [
        ['1', 1.5409],
        ['0', 1.3622],
      ],
    ],
    [
      'any rare word, and adds the common ones',
      'the one two',
      { cutoff_frequency: 0.5 },
      [
        ['1', 1.5409],
        ['0', 1.3622],
        ['3', 0.7714],
      ],
    ],
    [
      'words of up to so many documents',
      'the one two three',
      { cutoff_frequency: 2 },
      [
        ['0', 2.6198],
        ['1', 1.5409],
      ],
    ],
    [
      'all rare words',
      'the one two',
      { cutoff_frequency: 3, low_freq_operator: 'and' },
      [
        ['1', 1.5409],
        ['0', 1.3622],
      ],
    ],
    ['the rare word', 'the two one three', { cutoff_frequency: 1, high_freq_operator: 'and' }, [['0', 2.6198]]],
    [
      'as many rare words as it is told',
      'the one two three',
      { cutoff_frequency: 4, minimum_should_match: 2 },
      [
        ['0', 2.6198],
        ['1', 1.5409],
      ],
    ],
    [
      'as many of both as it is told',
      'the one two three',
      { cutoff_frequency: 2, minimum_should_match: { low_freq: 2, high_freq: 1 } },
      [['0', 2.6198]],
    ],
    ['no fewer rare words than there are', 'one three', { cutoff_frequency: 0.1, minimum_should_match: 2 }, []],
    ['one word, rare or not', 'three', { cutoff_frequency: 3, minimum_should_match: 2 }, [['0', 1.2577]]],
    ['nothing without words', ' ', {}, []],
    ['words as an analyzer cuts them', 'one two', { analyzer: 'keyword' }, []],
  ])('finds %s', async (_, query, more, expected) => {
    expect(await common(query, more)).toEqual(expected);
  });

  test('takes a text alone, and looks into keywords and fields that are not mapped', async () => {
    expect(await found({ common: { a: 'the one' } })).toEqual([
      ['1', 0.9877],
      ['0', 0.8732],
    ]);
    expect(await found({ common: { k: { query: 'x' } } })).toEqual([
      ['0', 0.6931],
      ['1', 0.6931],
    ]);
    expect(await found({ common: { nosuch: { query: 'x y' } } })).toEqual([]);
  });

  test.each([
    [{ a: { query: 'x', analyzer: 'nosuch' } }, '[common] analyzer [nosuch] not found'],
    [{ a: { query: 'x', foo: 1 } }, '[common] query does not support [foo]'],
    [{ a: { query: 'x', minimum_should_match: { x: 1 } } }, 'does not support [x] for [minimum_should_match]'],
    [{ a: {} }, 'text cannot be null'],
    [{}, 'field name is null or empty'],
    [{ a: 'x', b: 'x' }, "[common] query doesn't support multiple fields, found [a] and [b]"],
    [{ a: { query: 'x', low_freq_operator: 'x' } }, 'No enum constant org.elasticsearch.index.query.Operator.X'],
  ])('%j is refused', async (query, reason) => {
    await expect(found({ common: query })).rejects.toThrow(reason);
  });
});

test('type finds all documents of the one type that an index has', async () => {
  expect((await found({ type: { value: '_doc', boost: 2 } })).map(([, score]) => score)).toEqual([2, 2, 2, 2, 2]);
  expect(await found({ type: { value: 'other' } })).toEqual([]);
  await expect(found({ type: {} })).rejects.toThrow('needs to be provided with a value for the type');
});

describe('field_masking_span', () => {
  const masked = (field: string, term: string, as: string) => ({
    field_masking_span: { query: { span_term: { [field]: term } }, field: as },
  });

  test('alone is scored in the field of its words', async () => {
    const one = [
      ['1', 0.8984],
      ['0', 0.7942],
    ];
    expect(await found(masked('a', 'one', 'b'))).toEqual(one);
    expect(await found({ span_term: { a: 'one' } })).toEqual(one);
  });

  test('inside others is scored in the field that it stands for', async () => {
    const clauses = [{ span_term: { a: 'one' } }, masked('b', 'four', 'a')];
    expect(await found({ span_near: { clauses, slop: 3, in_order: false } })).toEqual([
      ['1', 1.6236],
      ['0', 1.0005],
    ]);
  });
});

/** `_validate/query` tells a query as it was asked for, and with `rewrite` as it runs on the shard. */
import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

const mapping = {
  properties: { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } },
};

async function nodeOf() {
  const { ask } = testNode({ indices: [indexOf('lib', { mapping })] });
  const documents = [
    { t: 'the brown fox', u: 'fox', k: 'Red', n: [27, 27] },
    { t: 'a brown fix', u: 'bank bank', k: 'red', n: 35 },
  ];
  for (const [id, document] of documents.entries()) await ask('PUT', `/lib/_doc/${id}`, document);
  await ask('POST', '/lib/_refresh');
  return ask;
}

async function toldAs(query: object, parameters: string): Promise<string> {
  const ask = await nodeOf();
  const { json } = await ask('POST', `/lib/_validate/query?${parameters}`, { query });
  return json.explanations[0].explanation;
}

const NOTHING = 'MatchNoDocsQuery("User requested "match_none" query.")';

describe('a query is told', () => {
  test.each([
    [{ fuzzy: { t: 'fax' } }, 't:fax~1', '(t:fix)^0.6666666 (t:fox)^0.6666666'],
    [{ fuzzy: { k: 'Rod' } }, 'k:Rod~1', '(k:Red)^0.6666666'],
    [
      { function_score: { query: { fuzzy: { k: 'Rod' } }, functions: [] } },
      'function score (k:Rod~1, functions: [])',
      'function score ((k:Red)^0.6666666, functions: [])',
    ],
    [{ match_phrase_prefix: { t: { query: 'bro', slop: 4 } } }, 't:"bro*"~4', 't:brown'],
    [
      {
        span_within: { big: { span_multi: { match: { prefix: { t: 'bro' } } } }, little: { span_term: { t: 'fox' } } },
      },
      'SpanWithin(SpanMultiTermQueryWrapper(t:bro*), t:fox)',
      'SpanWithin(spanOr([t:brown]), t:fox)',
    ],
    [{ match_phrase_prefix: { t: 'brown f' } }, 't:"brown f*"', 't:"brown (fix fox)"'],
    [{ match_phrase_prefix: { t: { query: 'brown zz', slop: 2 } } }, 't:"brown zz*"~2', 't:"brown zz*"~2'],
    [
      { multi_match: { query: 'fox', type: 'cross_fields', fields: ['t', 'u^2'] } },
      'blended(terms:[t:fox, u:fox^2.0])',
      '(t:fox | u:fox)',
    ],
    [{ bool: { must_not: { fuzzy: { t: 'fax' } } } }, '-t:fax~1 #*:*', '-((t:fix)^0.6666666 (t:fox)^0.6666666) #*:*'],
    [{ bool: { should: [{ term: { k: 'a' } }], minimum_should_match: 2 } }, '(k:a)~2', '(k:a)~2'],
    [{ match: { t: { query: 'fox', boost: 0 } } }, '(t:fox)^0.0', '(ConstantScore(t:fox))^0.0'],
    [{ constant_score: { filter: { fuzzy: { t: 'fax' } } } }, 'ConstantScore(t:fax~1)', null],
  ])('as it was asked for, and as it runs: %j', async (query, plain, rewritten) => {
    expect(await toldAs(query, 'explain=true')).toBe(plain);
    if (rewritten !== null) expect(await toldAs(query, 'rewrite=true')).toBe(rewritten);
  });

  test.each([
    [{ terms: { k: [] } }, NOTHING],
    [{ term: { absent: 1 } }, NOTHING],
    [{ exists: { field: 'absent' } }, NOTHING],
    [{ match: { absent: 'a' } }, 'MatchNoDocsQuery("unmapped fields [absent]")'],
    [{ match: { t: '' } }, 'MatchNoDocsQuery("Matching no documents because no terms present")'],
    [
      { match: { n: { query: 'abc', lenient: true } } },
      'MatchNoDocsQuery("failed [n] query, caused by number_format_exception:[For input string: "abc"]")',
    ],
  ])('with the reason why it finds nothing: %j', async (query, text) => {
    expect(await toldAs(query, 'explain=true')).toBe(text);
  });
});

test('an explanation of exclusions alone tells what they are taken from', async () => {
  const ask = await nodeOf();
  const { json } = await ask('POST', '/lib/_explain/0', { query: { bool: { must_not: { term: { k: 'red' } } } } });
  expect(json.explanation.details).toEqual([
    {
      value: 0,
      description: 'match on required clause, product of:',
      details: [
        { value: 0, description: '# clause', details: [] },
        { value: 1, description: '*:*', details: [] },
      ],
    },
  ]);
});

describe('a search', () => {
  test.each([
    // Open on both sides, whatever the relation: any value.
    [{ range: { n: { relation: 'contains' } } }, 2],
    // What is excluded is excluded in both cases.
    [{ regexp: { k: { value: '[^r].*', case_insensitive: true } } }, 0],
    [{ regexp: { k: { value: '[^q-s].*', case_insensitive: true } } }, 1],
  ])('finds of %j: %i', async (query, count) => {
    const ask = await nodeOf();
    const { json } = await ask('POST', '/lib/_count', { query });
    expect(json.count).toBe(count);
  });

  test('scores a choice of intervals as if ranges could be as short as of what finds nothing', async () => {
    const ask = await nodeOf();
    const intervals = [{ match: { query: '' } }, { prefix: { prefix: 'ba' } }];
    const { json } = await ask('POST', '/lib/_search', { query: { intervals: { u: { any_of: { intervals } } } } });
    expect(json.hits.max_score).toBe(0.5);
  });

  test('without a query scores nothing in the groups of collapsed hits', async () => {
    const ask = await nodeOf();
    const { json } = await ask('POST', '/lib/_search', { collapse: { field: 'k', inner_hits: { name: 'same' } } });
    expect(json.hits.hits[0]._score).toBe(1);
    expect(json.hits.hits[0].inner_hits.same.hits.max_score).toBe(0);
  });

  test('counts each number of a document for rare terms', async () => {
    const ask = await nodeOf();
    const { json } = await ask('POST', '/lib/_search', {
      size: 0,
      aggs: { rare: { rare_terms: { field: 'n', max_doc_count: 2 } } },
    });
    expect(json.aggregations.rare.buckets).toEqual([
      { key: 35, doc_count: 1 },
      { key: 27, doc_count: 2 },
    ]);
  });

  test('shows the source that is named among stored fields, even where it was switched off', async () => {
    const ask = await nodeOf();
    const { json } = await ask('POST', '/lib/_search', { _source: false, stored_fields: ['_source'] });
    expect(json.hits.hits[0]._source.k).toBe('Red');
  });
});

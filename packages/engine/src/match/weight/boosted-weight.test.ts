import { parseJson } from '@shoal/core';
import { expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: { t: { type: 'text' }, n: { type: 'long' }, g: { type: 'geo_point' }, r: { type: 'ip_range' } },
};

interface Profile {
  readonly searches: readonly { readonly query: readonly { readonly description: string }[] }[];
}

/** Description of the query in a profile. */
async function textOf(query: object): Promise<string | undefined> {
  const context = memoryContext(MAPPING, [[{ id: '1', source: '{"t":"a b","n":1}' }]]);
  const { profile } = await runQuery(context, { query, profile: true });
  // The test looks at what it expects of it.
  return (parseJson(profile ?? '{}') as Profile).searches[0]?.query[0]?.description;
}

const term = (boost: number) => ({ term: { t: { value: 'a', boost } } });

test.each([
  [term(1), 't:a'],
  [term(2), '(t:a)^2.0'],
  [{ bool: { must: [term(0.5)], should: [{ match: { t: 'a b' } }] } }, '+(t:a)^0.5 (t:a t:b)'],
  [{ bool: { must: [term(3), { match_all: {} }], boost: 2 } }, '(+(t:a)^3.0 +*:*)^2.0'],
  [{ dis_max: { queries: [term(1), term(0)] } }, '(t:a | (ConstantScore(t:a))^0.0)'],
  [{ constant_score: { filter: { range: { n: { gte: 1, lte: 2 } } }, boost: 4 } }, '(ConstantScore(n:[1 TO 2]))^4.0'],
  [
    { multi_match: { query: 'a', fields: ['t^3', 'n'], lenient: true } },
    '((t:a)^3.0 | MatchNoDocsQuery("failed [n] query, caused by number_format_exception:[For input string: "a"]"))',
  ],
  [{ prefix: { t: { value: 'a', boost: 1 } } }, 't:a*'],
  [{ term: { r: '10.0.0.1' } }, 'r:<ranges:[/10.0.0.1 : /10.0.0.1]>'],
])('%j is named with its boost as %s', async (query, text) => expect(await textOf(query)).toBe(text));

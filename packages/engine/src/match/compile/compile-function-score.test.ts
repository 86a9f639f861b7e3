import { expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { t: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } } };

test.each<[string, object]>([
  ['a filter', { functions: [{ filter: { match_phrase_prefix: { k: 'x y' } }, weight: 2 }] }],
  ['a field', { field_value_factor: { field: 'k' } }],
  ['the field of a decay', { gauss: { nope: { origin: 1, scale: 1 } } }],
])('%s of a function that cannot be read is told where no score is asked for too', async (_, functions) => {
  const context = memoryContext(MAPPING, [[{ id: '1', source: JSON.stringify({ t: 'x', k: 'x', n: 1 }) }]]);
  const query = { function_score: { query: { match_all: {} }, ...functions } };
  for (const body of [{ query }, { query: { constant_score: { filter: query } } }, { query, size: 0 }]) {
    await expect(runQuery(context, body)).rejects.toMatchObject({ status: 400 });
  }
});

test.each<[string, object]>([
  ['a script', { script_score: { script: "doc['n'].value" } }],
  ['the value of a field', { field_value_factor: { field: 'n' } }],
  ['one of several functions', { functions: [{ weight: 1 }, { script_score: { script: "_score * doc['n'].value" } }] }],
])('%s is not asked about documents of nested fields, which lack the fields of theirs', async (_, functions) => {
  const mapping = { properties: { n: { type: 'long' }, c: { type: 'nested' } } };
  const docs = [1, 2].map((n) => ({ id: `${n}`, source: JSON.stringify({ n, c: [{ x: 1 }, { x: 2 }] }) }));
  const context = memoryContext(mapping, [docs]);
  const query = {
    function_score: { query: { match_all: {} }, boost_mode: 'replace', score_mode: 'max', ...functions },
  };
  const { ords } = await runQuery(context, { query });
  expect(idsOf(context, ords)).toEqual(['2', '1']);
});

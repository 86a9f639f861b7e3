import { expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

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

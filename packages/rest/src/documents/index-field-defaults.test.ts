import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

const mapping = {
  properties: {
    n: { type: 'long' },
    own: { type: 'long', ignore_malformed: false, coerce: true },
    day: { type: 'date' },
    word: { type: 'keyword', fields: { number: { type: 'long' } } },
  },
};

test('what the index ignores as malformed is not indexed, unless the field says otherwise', async () => {
  const settings = { 'index.mapping.ignore_malformed': 'true' };
  const { ask } = testNode({ indices: [indexOf('lib', { mapping, settings })] });
  const written = await ask('PUT', '/lib/_doc/1', { n: 'x', day: 'never', word: 'y', added: 'z' });
  expect(written.status).toBe(201);
  const found = await ask('POST', '/lib/_search', { query: { term: { word: 'y' } } });
  expect(found.json.hits.total.value).toBe(1);
  const absent = ['n', 'day', 'word.number'].map((field) => ({ exists: { field } }));
  const none = await ask('POST', '/lib/_search', { query: { bool: { should: absent } } });
  expect(none.json.hits.total.value).toBe(0);
  expect((await ask('PUT', '/lib/_doc/2', { own: 'x' })).json.error.type).toBe('mapper_parsing_exception');
});

test('what the index does not coerce is refused, unless the field says otherwise', async () => {
  const settings = { 'index.mapping.coerce': 'false' };
  const { ask } = testNode({ indices: [indexOf('lib', { mapping, settings })] });
  expect((await ask('PUT', '/lib/_doc/1', { n: '5' })).json.error.caused_by.reason).toBe('Long value passed as String');
  expect((await ask('PUT', '/lib/_doc/1', { n: 5.5 })).json.error.caused_by.reason).toContain('has a decimal part');
  expect((await ask('PUT', '/lib/_doc/1', { n: 5, own: '6' })).status).toBe(201);
  const found = await ask('POST', '/lib/_search', { query: { term: { n: '5' } } });
  expect(found.json.hits.total.value).toBe(1);
});

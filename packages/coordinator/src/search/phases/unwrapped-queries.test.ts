import { expect, test } from 'vitest';
import { withUnwrappedQueries } from './unwrapped-queries.ts';

const wrapper = (query: unknown) => ({ wrapper: { query: Buffer.from(JSON.stringify(query)).toString('base64') } });
const opened = (body: unknown): unknown => {
  const bytes = Buffer.from(JSON.stringify(body));
  return JSON.parse(Buffer.from(withUnwrappedQueries(bytes) ?? []).toString());
};
const lookup = { terms: { user: { index: 'i', id: '1', path: 'followers' } } };

test('a wrapper whose query names a document is opened, wherever it stands, and wrappers in it', () => {
  const body = {
    query: { bool: { must: [wrapper(lookup), wrapper({ nested: { query: wrapper(lookup) } })] } },
    size: 1,
  };
  const wanted = { query: { bool: { must: [lookup, { nested: { query: lookup } }] } }, size: 1 };
  expect(opened(body)).toEqual(wanted);
});

test.each([
  ['names no document', { query: wrapper({ term: { a: 1 } }) }],
  ['is no JSON', { query: { wrapper: { query: Buffer.from('{"path":').toString('base64') } } }],
  ['has members of its own beside the query', { query: { wrapper: { ...wrapper(lookup).wrapper, boost: 2 } } }],
])('a wrapper stays that %s', (_, body) => expect(opened(body)).toEqual(body));

test('a body without wrappers is the same bytes', () => {
  const body = Buffer.from('{"query":{"match_all":{}}}');
  expect(withUnwrappedQueries(body)).toBe(body);
  expect(withUnwrappedQueries(null)).toBeNull();
});

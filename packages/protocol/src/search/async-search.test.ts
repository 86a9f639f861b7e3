import { expect, test } from 'vitest';
import { ASYNC_SEARCH, type AsyncSearchRequest, FORGET_ASYNC_SEARCHES } from './async-search.ts';

const REQUEST: AsyncSearchRequest = {
  id: 'abc',
  work: 'get',
  waitMs: 5,
  keepAliveMs: null,
  typedKeys: true,
  showsPartial: false,
};

test('what is asked of an asynchronous search travels as it is', () => {
  for (const request of [REQUEST, { ...REQUEST, work: 'delete' as const, keepAliveMs: 60_000 }]) {
    expect(ASYNC_SEARCH.readRequest(ASYNC_SEARCH.writeRequest(request))).toEqual(request);
  }
  const response = { status: 404, body: new TextEncoder().encode('{}') };
  expect(ASYNC_SEARCH.readResponse(ASYNC_SEARCH.writeResponse(response))).toEqual(response);
});

test('forgetting all searches takes no more than to say so', () => {
  expect(FORGET_ASYNC_SEARCHES.readRequest(FORGET_ASYNC_SEARCHES.writeRequest({}))).toEqual({});
  expect(FORGET_ASYNC_SEARCHES.readResponse(FORGET_ASYNC_SEARCHES.writeResponse({}))).toEqual({});
});

test.each([{ work: 'nope' }, { waitMs: -1 }, { waitMs: 1e12 }])('%j is no request', (wrong) => {
  const message = { ...REQUEST, ...wrong };
  expect(() => ASYNC_SEARCH.readRequest({ message, sections: [] })).toThrow();
});

import { type AsyncContent, AsyncSearch } from '@shoal/coordinator';
import { RawJson } from '@shoal/core';
import { expect, test } from 'vitest';
import { asyncSearchBody } from './async-search-body.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const CONTENT: AsyncContent = {
  status: 200,
  response: { plain: bytes('{"hits":{}}'), typed: bytes('{"hits":{},"typed":1}') },
  error: null,
  shards: bytes('{}'),
};
const VIEW = { isKept: true, typedKeys: false, showsPartial: true };

test('what was found is shown while the search runs, unless it is not wanted then', () => {
  const search = new AsyncSearch('abc', { startedMs: 1, expiresMs: 2 }, () => {});
  const response = new RawJson(bytes('{"hits":{}}'));
  const running = { id: 'abc', is_partial: true, is_running: true };
  const times = { start_time_in_millis: 1, expiration_time_in_millis: 2 };
  expect(asyncSearchBody(search, CONTENT, VIEW)).toEqual({ ...running, ...times, response });
  expect(asyncSearchBody(search, CONTENT, { ...VIEW, showsPartial: false })).toEqual({ ...running, ...times });
  search.finish(CONTENT);
  const ended = { id: 'abc', is_partial: false, is_running: false, ...times, response };
  expect(asyncSearchBody(search, CONTENT, { ...VIEW, showsPartial: false })).toEqual(ended);
});

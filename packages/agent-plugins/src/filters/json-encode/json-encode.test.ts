import { eventFromJson } from '@shoal/agent-event';
import { expect, test } from 'vitest';
import { makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { runFilter } from '../filter-outcome.test-support.ts';
import { jsonEncodeFilter } from './json-encode.ts';

test('json_encode writes a field as text into its target, or into its own place', async () => {
  const a = { b: [1, 'x', null] };
  const run = async (options: object) => (await runFilter(jsonEncodeFilter, { source: 'a', ...options }, { a })).event;
  expect(await run({ target: '[c][d]' })).toEqual({ a, c: { d: '{"b":[1,"x",null]}' } });
  expect(await run({})).toEqual({ a: '{"b":[1,"x",null]}' });
});

test('numbers keep their kind, and what is missing is null', async () => {
  const event = eventFromJson({ a: 12345678901234567890n });
  await makeFilter(jsonEncodeFilter, { source: 'a' }).run(event);
  expect(event.fields.get('a')).toBe('12345678901234567890');
  expect((await runFilter(jsonEncodeFilter, { source: 'none', target: 'a' }, {})).event).toEqual({ a: 'null' });
});

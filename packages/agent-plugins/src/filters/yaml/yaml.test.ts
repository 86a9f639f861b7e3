import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { yamlFilter } from './yaml.ts';

const run = async (message: unknown, options = {}) =>
  (await runFilter(yamlFilter, { source: 'message', remove_field: ['message'], ...options }, { message })).event;

test('yaml puts what a text holds into the event', async () => {
  const text = 'a: 1\nlist: [x, yes, 2.5]\nmap:\n  k: v\n"@timestamp": "2026-01-02T03:04:05Z"\n';
  expect(await run(text)).toEqual({
    a: 1,
    list: ['x', true, 2.5],
    map: { k: 'v' },
    '@timestamp': '2026-01-02T03:04:05.000Z',
  });
});

test('a target takes any value, also in the place of the source', async () => {
  expect(await run('- 1\n- two', { target: '[a][b]' })).toEqual({ a: { b: [1, 'two'] } });
  const { event } = await runFilter(yamlFilter, { source: 'm', target: 'm' }, { m: '{ a: b }' });
  expect(event).toEqual({ m: { a: 'b' } });
});

test.each(["'", 'a: b: c', '{', '*none', 'plain text', '', 5, null])('%j is tagged, and stays', async (message) => {
  expect(await run(message)).toEqual({ message, tags: ['_yamlparsefailure'] });
});

test('aliases that would grow without end are refused', async () => {
  const text = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefgh'.split('').map((n, i) => `${n}: &${n} [${Array(9).fill(`*${'abcdefg'[i]}`).join(',')}]`),
  ].join('\n');
  expect((await run(text)).tags).toEqual(['_yamlparsefailure']);
});

test('an event without the field is left alone', async () => {
  expect((await runFilter(yamlFilter, { source: 'none' }, { a: 1 })).event).toEqual({ a: 1 });
});

import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { kvFilter } from './kv.ts';

type Fields = Record<string, unknown>;

describe('the kv filter', () => {
  const kv = async (message: unknown, options: Fields = {}) => {
    const { event, outcome } = await runFilter(kvFilter, options, { message });
    const { message: _, ...rest } = event;
    return outcome === 'unmatched' ? { outcome, ...rest } : rest;
  };
  test.each([
    ['a=1 b=2', {}, { a: '1', b: '2' }],
    ['a = 1 b= 2', {}, { a: '1', b: '2' }],
    ['a="x y" b=\'z w\' c=(p q) d=[r s] e=<t u>', {}, { a: 'x y', b: 'z w', c: 'p q', d: 'r s', e: 't u' }],
    ['a=[x', {}, { a: '[x' }],
    ['a=1&b=2?c=3', { field_split: '&?' }, { a: '1', b: '2', c: '3' }],
    ['a:1 b:2', { value_split: ':' }, { a: '1', b: '2' }],
    ['a==>1::b==>2', { field_split_pattern: '::', value_split_pattern: '==>' }, { a: '1', b: '2' }],
    ['a=1 a=2 a=2', {}, { a: ['1', '2', '2'] }],
    ['a=1 a=2 a=2', { allow_duplicate_values: false }, { a: ['1', '2'] }],
    ['a= b=1', { whitespace: 'strict', allow_empty_values: true }, { a: '', b: '1' }],
    ['a=1 b=2', { include_keys: ['a'], prefix: 'p_' }, { p_a: '1' }],
    ['a=1 b=2', { exclude_keys: ['a'] }, { b: '2' }],
    ['<A>=(x) b=<y>', { trim_key: '<>', transform_key: 'lowercase', transform_value: 'uppercase' }, { a: 'X', b: 'Y' }],
    ['a=x-y', { remove_char_value: '-' }, { a: 'xy' }],
    ['a="b=1 c=2" d=3', { recursive: true }, { a: { b: '1', c: '2' }, d: '3' }],
    ['a=x\\ y b=1', {}, { a: 'x\\ y', b: '1' }],
    ['a=1', { target: 't', default_keys: { z: '9' } }, { t: { a: '1', z: '9' } }],
    ['a =\t1 b', {}, { a: '\t1' }],
    ['a="x" y b=\'z\'w c="', {}, { a: 'x', b: "'z'w", c: '"' }],
    ['a="x \\" y" b=1\\', {}, { a: 'x \\" y', b: '1\\' }],
    ['a=1\nb=2 c="3"\nd', {}, { a: '1\nb=2', c: '3' }],
    ['a=1\\r\\nb=2', { field_split_pattern: '\\\\r\\\\n' }, { a: '1', b: '2' }],
    ['a=x\\;y;b=2', { field_split_pattern: ';' }, { a: 'x\\;y', b: '2' }],
    [
      'a: 1; b: x; y; c: 2;',
      { field_split_pattern: ';\\s*(?=\\w:)|;$', value_split_pattern: ':\\s+' },
      { a: '1', b: 'x; y', c: '2' },
    ],
    ['a=x>\n<y>', { field_split: ',', trim_value: '<>' }, { a: 'x\ny' }],
    ['k=[1] k=1', { allow_duplicate_values: false }, { k: '1' }],
    ['k=word k=or k=x', { allow_duplicate_values: false }, { k: ['word', 'x'] }],
    ['b=1', { default_keys: { b: '0', a: '9' } }, { a: '9', b: '1' }],
    ['straße=1', { transform_key: 'capitalize' }, { Straße: '1' }],
    ['ßa=1', { transform_key: 'capitalize' }, { Ssa: '1' }],
    ['-=1 b=2', { trim_key: '-', target: 't' }, { t: { '': '1', b: '2' } }],
    ['a=1 a[b=2 c=3', {}, { a: '1', tags: ['_kv_filter_error'], outcome: 'unmatched' }],
    ['a=1 a[b=2', { target: 't' }, { t: { a: '1', 'a[b': '2' } }],
  ])('%s with %j', async (message, options, expected) => expect(await kv(message, options)).toEqual(expected));
  test('default keys stand before those that were found', async () => {
    const { event } = await runFilter(kvFilter, { default_keys: { z: '9' }, target: 't' }, { message: 'a=1' });
    expect(Object.keys(event.t as Fields)).toEqual(['z', 'a']);
  });
  test('a long text without splitters ends in time and is tagged', async () => {
    const message = `a=1 ${'x'.repeat(400_000)}`;
    expect(await kv(message, { timeout_millis: 30 })).toEqual({ outcome: 'unmatched', tags: ['_kv_filter_timeout'] });
  });
  test('no pair is no match and no tag', async () => {
    expect(await kv('hello')).toEqual({ outcome: 'unmatched' });
    expect(await kv(5)).toEqual({ outcome: 'unmatched' });
  });
});

test('kv says once under ECS that its fields go to the top of the event', async () => {
  const log = createRecordingLog();
  const runtime = createNodeRuntime({ log });
  const options = {};
  await runFilter(kvFilter, options, {}, { ecs: 'v8', runtime });
  await runFilter(kvFilter, { ...options, target: 't' }, {}, { ecs: 'v8', runtime });
  await runFilter(kvFilter, options, {}, { runtime });
  expect(log.lines.map((line) => line.level)).toEqual(['info']);
});

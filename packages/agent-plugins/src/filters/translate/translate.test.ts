import { describe, expect, test } from 'vitest';
import { runFilter, testFiles } from '../filter-outcome.test-support.ts';
import { translateFilter } from './translate.ts';

type Fields = Record<string, unknown>;

const file = testFiles();

describe('the translate filter', () => {
  const translate = async (options: Fields, fields: Fields) =>
    (await runFilter(translateFilter, { source: 's', target: 't', ...options }, fields)).event.t;
  test('keys, expressions, replacements, fallback', async () => {
    const dictionary = { '200': 'ok', '404': 'missing' };
    expect(await translate({ dictionary }, { s: 200 })).toBe('ok');
    expect(await translate({ dictionary, fallback: 'no %{s}' }, { s: '1' })).toBe('no 1');
    expect(await translate({ dictionary: { '^2': 'ok' }, regex: true }, { s: '204' })).toBe('ok');
    expect(await translate({ dictionary: { a: '1', b: '2' }, exact: false }, { s: 'abc' })).toBe('12c');
    expect(await translate({ dictionary }, { s: 200, t: 'kept' })).toBe('kept');
    expect(await translate({ dictionary }, { s: ['200', '404'] })).toEqual(['ok', 'missing']);
  });
  test.each([
    ['d.yml', 'a: one\nb:\n  c: 2\n'],
    ['d.json', '{"a":"one"}'],
    ['d.csv', 'a,one\nb,"t,wo"\n'],
  ])('reads %s', async (name, content) => {
    expect(await translate({ dictionary_path: file(name, content) }, { s: 'a' })).toBe('one');
  });
  test('items of an array', async () => {
    const options = { source: 'id', target: 'name', iterate_on: 'l', dictionary: { '1': 'one' } };
    expect((await runFilter(translateFilter, options, { l: [{ id: 1 }, { id: 2 }] })).event.l).toEqual([
      { id: 1, name: 'one' },
      { id: 2 },
    ]);
  });
  test('the default target depends on the names in use', async () => {
    const options = { source: 's', dictionary: { a: 'b' } };
    expect((await runFilter(translateFilter, options, { s: 'a' })).event).toEqual({ s: 'a', translation: 'b' });
    expect((await runFilter(translateFilter, options, { s: 'a' }, { ecs: 'v8' })).event).toEqual({ s: 'b' });
  });
});

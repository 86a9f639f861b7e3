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
    expect(await translate({ dictionary }, { s: ['404', '200'] })).toBe('missing');
    expect(await translate({ dictionary: {}, fallback: 'x' }, { s: 1 })).toBe('x');
    expect(await translate({ fallback: 'x' }, { s: 1 })).toBe('x');
    expect(await translate({ dictionary: { '': 'none' } }, { s: null })).toBe('none');
  });
  test('keys inside a text are replaced in one pass', async () => {
    expect(await translate({ dictionary: { a: 'b', b: 'a' }, exact: false }, { s: 'ab' })).toBe('ba');
    expect(await translate({ dictionary: { 'a.': 'x', a: 1 }, exact: false }, { s: 'a.ab' })).toBe('x1b');
    expect(await translate({ dictionary: {}, exact: false }, { s: 'ab' })).toBeUndefined();
  });
  test('in place an event counts as matched even without a translation', async () => {
    const options = { source: 's', target: 's', dictionary: { a: 'b' }, add_tag: ['seen'] };
    expect((await runFilter(translateFilter, options, { s: 'x' })).event).toEqual({ s: 'x', tags: ['seen'] });
  });
  test.each([
    ['d.yml', 'a: one\nb:\n  c: 2\n'],
    ['d.json', '{"a":"one"}'],
    ['d.csv', 'a,one\nb,"t,wo"\n'],
  ])('reads %s', async (name, content) => {
    expect(await translate({ dictionary_path: file(name, content) }, { s: 'a' })).toBe('one');
  });
  test('YAML as Ruby reads it', async () => {
    const path = file('r.yml', 'a: 1\nb: yes\nc: y\nd: 2026-01-02\na: 2\ne: 010\n');
    const read = (s: string) => translate({ dictionary_path: path }, { s });
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(read))).toEqual([2, true, 'y', '2026-01-02', 8]);
    expect(await translate({ dictionary_path: file('e.yml', ''), fallback: 'x' }, { s: 'a' })).toBe('x');
    const limited = { dictionary_path: path, yaml_dictionary_code_point_limit: 5 };
    await expect(translate(limited, { s: 'a' })).rejects.toThrow('more than 5 code points');
  });
  test('items of the source itself: one result each, null where there is none', async () => {
    const options = { source: 'l', target: 't', iterate_on: 'l', dictionary: { '1': 'one' } };
    expect((await runFilter(translateFilter, options, { l: [1, 2] })).event.t).toEqual(['one', null]);
    expect((await runFilter(translateFilter, options, { l: [2] })).event.t).toEqual([null]);
  });
  test('nested fields of items, and a fallback for items without the field', async () => {
    const options = {
      source: '[a][id]',
      target: '[b][name]',
      iterate_on: 'l',
      dictionary: { '1': 'one' },
      fallback: 'x',
    };
    expect((await runFilter(translateFilter, options, { l: [{ a: { id: 1 } }, { c: 1 }] })).event.l).toEqual([
      { a: { id: 1 }, b: { name: 'one' } },
      { c: 1, b: { name: 'x' } },
    ]);
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

import { writeJsonText } from '@shoal/core';
import { parseMapping } from '@shoal/schema';
import { describe, expect, test } from 'vitest';
import { storedFieldsOf } from './stored-fields.ts';

const stored = (type: string, rest: object = {}) => ({ type, store: true, ...rest });
const mapping = parseMapping({
  properties: {
    tag: stored('keyword', { ignore_above: 3, null_value: 'nil' }),
    title: { type: 'text', fields: { raw: stored('keyword') }, copy_to: 'all' },
    all: stored('text'),
    o: { properties: { n: stored('long'), d: stored('double') } },
    at: stored('date', { format: 'yyyy/MM/dd', ignore_malformed: true }),
    b: stored('boolean'),
    kept: { type: 'keyword' },
  },
});

function fields(source: object | string, ...names: string[]): string | null {
  const text = typeof source === 'string' ? source : JSON.stringify(source);
  const hit = {
    id: '1',
    routing: null,
    version: 1,
    seqNo: 0,
    primaryTerm: 1,
    source: new TextEncoder().encode(text),
    storedApart: null,
  };
  const found = storedFieldsOf(mapping, hit, names);
  return found === null ? null : writeJsonText(found);
}

describe('stored fields of a document', () => {
  test.each([
    [{ tag: 'a' }, 'tag', '{"tag":["a"]}'],
    [{ tag: ['a', 'long', null, 5] }, 'tag', '{"tag":["a","nil","5"]}'],
    [{ title: 'x y' }, 'title.raw', '{"title.raw":["x y"]}'],
    [{ title: 'x y' }, 'all', '{"all":["x y"]}'],
    [{ o: [{ n: '7' }, { n: 8.9 }], 'o.n': 9 }, 'o.n', '{"o.n":[7,8,9]}'],
    ['{"o":{"n":9223372036854775807,"d":1}}', 'o.n', '{"o.n":[9223372036854775807]}'],
    [{ o: { d: 1 } }, 'o.d', '{"o.d":[1.0]}'],
    [{ at: ['2024/01/02', 'bad'] }, 'at', '{"at":["2024/01/02"]}'],
    [{ b: ['true', false] }, 'b', '{"b":[true,false]}'],
  ])('%j: %s', (source, name, expected) => expect(fields(source, name)).toBe(expected));

  test('pass over what is not stored, not mapped, not there, or no field', () => {
    expect(fields({ kept: 'a', other: 1 }, 'kept', 'other', 'tag', '_source', '_routing')).toBeNull();
  });

  test('of nested objects are theirs, and of those around them that include them', () => {
    const nested = { type: 'nested', properties: { s: stored('keyword') } };
    const [own, inParent, inRoot] = [
      nested,
      { ...nested, include_in_parent: true },
      { ...nested, include_in_root: true },
    ];
    const around = { type: 'nested', properties: { own, inParent, inRoot } };
    const within = parseMapping({ properties: { own, inParent, inRoot, around } });
    const values = { own: { s: 'a' }, inParent: { s: 'b' }, inRoot: { s: 'c' } };
    const source = new TextEncoder().encode(JSON.stringify({ ...values, around: values }));
    const names = ['', 'around.'].flatMap((prefix) => ['own.s', 'inParent.s', 'inRoot.s'].map((name) => prefix + name));
    const shown = (path: string) =>
      Object.keys(storedFieldsOf(within, { source, storedApart: null }, names, path) ?? {});
    expect(shown('')).toEqual(['inParent.s', 'inRoot.s', 'around.inRoot.s']);
    expect(shown('around')).toEqual(['around.inParent.s']);
    expect(shown('own')).toEqual(['own.s']);
  });

  test('are never objects', () => {
    expect(() => fields({ o: { n: 1 } }, 'o')).toThrow("field [o] isn't a leaf field");
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonItems, jsonMembers } from './json-spans.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (span: Uint8Array): string => new TextDecoder().decode(span);

describe('values of a JSON text', () => {
  test('are found by their places, as they were written', () => {
    const members = jsonMembers(bytes(' {"a" : 1.0, "b\\"":[1, {"c":"]}"}] ,"d":{ "e":"\\\\"}, "f":null}'));
    expect(members.map(({ name, value }) => [name, text(value)])).toEqual([
      ['a', '1.0'],
      ['b"', '[1, {"c":"]}"}]'],
      ['d', '{ "e":"\\\\"}'],
      ['f', 'null'],
    ]);
    expect(jsonItems(bytes('[ 1e3,"x,]" , [] ]')).map(text)).toEqual(['1e3', '"x,]"', '[]']);
    expect([jsonMembers(bytes('{}')), jsonItems(bytes(' [ ] '))]).toEqual([[], []]);
  });

  test('of any object and list are those that a parser finds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.jsonValue()),
        fc.nat(4),
        (object, list, indent) => {
          const members = jsonMembers(bytes(JSON.stringify(object, null, indent)));
          const found = members.map(({ name, value }) => [name, JSON.parse(text(value))]);
          expect(found).toEqual(Object.entries(JSON.parse(JSON.stringify(object))));
          const items = jsonItems(bytes(JSON.stringify(list, null, indent))).map((item) => JSON.parse(text(item)));
          expect(items).toEqual(JSON.parse(JSON.stringify(list)));
        },
      ),
    );
  });

  test.each([
    '',
    '{',
    '[',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":"x',
    '{"a":1,}',
    '[1,]',
    '[1',
    '{1:2}',
    '[,]',
    'null',
    '{"a":[1',
  ])('are refused where %j breaks off or is none', (broken) => {
    expect(() => jsonMembers(bytes(broken))).toThrow();
    expect(() => jsonItems(bytes(broken))).toThrow();
  });
});

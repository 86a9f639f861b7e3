import { DoubleNumber } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate, simulateOne } from '../simulate.test-support.ts';

type Case = readonly [type: string, options: object, source: object, result: string];

const whole = new DoubleNumber(1);

describe('processors', () => {
  test.each<Case>([
    ['set', { field: 'a.b', value: ['{{x}}', 1] }, { x: 'v' }, '{"x":"v","a":{"b":["v",1]}}'],
    ['set', { field: 'a', value: '{{x}} {{{x}}}' }, { x: '"' }, '{"x":"\\"","a":"\\\\\\" \\""}'],
    ['set', { field: 'a', value: '{{x}}', media_type: 'text/plain' }, { x: '"' }, '{"x":"\\"","a":"\\""}'],
    ['set', { field: 'x', value: 1, override: false }, { x: 2 }, '{"x":2}'],
    ['set', { field: 'x', value: 1, override: false }, { x: null }, '{"x":1}'],
    ['set', { field: 'y', value: '{{x}}', ignore_empty_value: true }, { x: '' }, '{"x":""}'],
    ['set', { field: 'y', copy_from: 'x' }, { x: { a: whole } }, '{"x":{"a":1.0},"y":{"a":1.0}}'],
    ['set', { field: 'y', copy_from: 'z' }, {}, 'field [z] not present as part of path [z]'],
    [
      'set',
      { field: 'l.5', value: 1 },
      { l: [1] },
      '[5] is out of bounds for array with length [1] as part of path [l.5]',
    ],
    [
      'set',
      { field: 'a.b', value: 1 },
      { a: 'x' },
      'cannot set [b] with parent object of type [java.lang.String] as part of path [a.b]',
    ],
    ['append', { field: 'l', value: ['{{x}}', 2] }, { x: 'v', l: 1 }, '{"x":"v","l":[1,"v",2]}'],
    ['append', { field: 'l', value: [1, 3], allow_duplicates: false }, { l: [1] }, '{"l":[1,3]}'],
    ['append', { field: 'l', value: 'v' }, {}, '{"l":["v"]}'],
    ['remove', { field: ['a', '{{b}}'] }, { a: 1, b: 'c', c: 2 }, '{"b":"c"}'],
    ['remove', { field: 'a' }, {}, 'field [a] not present as part of path [a]'],
    ['remove', { field: 'a', ignore_missing: true }, { b: 1 }, '{"b":1}'],
    ['remove', { field: '_index' }, {}, 'cannot remove metadata field [_index]'],
    ['rename', { field: 'a', target_field: 'b.c' }, { a: 1 }, '{"b":{"c":1}}'],
    ['rename', { field: 'a', target_field: 'b' }, { a: 1, b: 2 }, 'field [b] already exists'],
    ['rename', { field: 'a', target_field: 'b' }, {}, "field [a] doesn't exist"],
    ['lowercase', { field: 'a' }, { a: ['X', 'ÄY'] }, '{"a":["x","äy"]}'],
    [
      'lowercase',
      { field: 'a' },
      { a: 1 },
      'field [a] of type [java.lang.Integer] cannot be cast to [java.lang.String]',
    ],
    ['lowercase', { field: 'a' }, { a: null }, 'field [a] is null, cannot process it.'],
    ['lowercase', { field: 'a', ignore_missing: true }, { b: 1 }, '{"b":1}'],
    ['uppercase', { field: 'a', target_field: 'b' }, { a: 'x' }, '{"a":"x","b":"X"}'],
    ['trim', { field: 'a' }, { a: ' \t x\u00a0\n' }, '{"a":"x\u00a0"}'],
    ['fail', { message: 'no {{a}}' }, { a: whole }, 'no 1.0'],
    ['drop', {}, {}, 'dropped'],
    ['join', { field: 'a', separator: '-' }, { a: [1, 'b', whole] }, '{"a":"1-b-1.0"}'],
    ['join', { field: 'a', separator: '-' }, { a: ['b', null] }, 'value [null] in list field [a] cannot be joined'],
    [
      'join',
      { field: 'a', separator: '-' },
      { a: 'x' },
      'field [a] of type [java.lang.String] cannot be cast to [java.util.List]',
    ],
    ['sort', { field: 'a' }, { a: [3, 1, 2] }, '{"a":[1,2,3]}'],
    ['sort', { field: 'a', order: 'desc', target_field: 'b' }, { a: ['x', 'y'] }, '{"a":["x","y"],"b":["y","x"]}'],
    ['sort', { field: 'a' }, { a: null }, 'field [a] is null, cannot sort.'],
    ['convert', { field: 'a', type: 'integer' }, { a: ['1', '0x10', '-3'] }, '{"a":[1,16,-3]}'],
    ['convert', { field: 'a', type: 'integer' }, { a: '2147483648' }, 'unable to convert [2147483648] to integer'],
    ['convert', { field: 'a', type: 'long' }, { a: '9223372036854775807' }, '{"a":9223372036854775807}'],
    ['convert', { field: 'a', type: 'float' }, { a: ['1.10', '12345678.9', '2'] }, '{"a":[1.1,1.2345679E7,2.0]}'],
    ['convert', { field: 'a', type: 'double' }, { a: '1' }, '{"a":1.0}'],
    ['convert', { field: 'a', type: 'boolean' }, { a: 'TRUE' }, '{"a":true}'],
    ['convert', { field: 'a', type: 'boolean' }, { a: 1 }, '[1] is not a boolean value, cannot convert to boolean'],
    ['convert', { field: 'a', type: 'string' }, { a: [whole, { b: [1] }] }, '{"a":["1.0","{b=[1]}"]}'],
    ['convert', { field: 'a', type: 'ip' }, { a: '::ffff:1.2.3.4' }, '{"a":"::ffff:1.2.3.4"}'],
    ['convert', { field: 'a', type: 'ip' }, { a: '1.2.3' }, "'1.2.3' is not an IP string literal."],
    [
      'convert',
      { field: 'a', type: 'auto' },
      { a: ['1', 'true', 'x', '9999999999', '1.5', 3] },
      '{"a":[1,true,"x",9999999999,1.5,3]}',
    ],
    ['convert', { field: 'a', type: 'auto', ignore_missing: true }, { b: 1 }, '{"b":1}'],
    ['dot_expander', { field: 'a.b' }, { 'a.b': 1, a: { b: 2 } }, '{"a":{"b":[2,1]}}'],
    ['dot_expander', { field: 'a.b' }, { 'a.b': 1 }, '{"a":{"b":1}}'],
    ['dot_expander', { field: 'b.c', path: 'a' }, { a: { 'b.c': 1 } }, '{"a":{"b":{"c":1}}}'],
    ['dot_expander', { field: 'a.b', override: true }, { 'a.b': 1, a: { b: 2 } }, '{"a":{"b":1}}'],
    [
      'dot_expander',
      { field: '*' },
      { 'a.b': 1, 'c.d.e': 2, f: 3, '.g': 4 },
      '{"f":3,".g":4,"a":{"b":1},"c":{"d":{"e":2}}}',
    ],
    [
      'dot_expander',
      { field: '*', path: 'a' },
      { a: { 'b.c': 1, d: 2 }, 'e.f': 3 },
      '{"a":{"d":2,"b":{"c":1}},"e.f":3}',
    ],
    [
      'dot_expander',
      { field: 'a.b' },
      { 'a.b': 1, a: 2 },
      'cannot expend [a.b], because [a] is not an object field, but a value field',
    ],
    ['json', { field: 'a' }, { a: '{"x":1.0}' }, '{"a":{"x":1.0}}'],
    ['json', { field: 'a', target_field: 'b' }, { a: '[1]' }, '{"a":"[1]","b":[1]}'],
    [
      'json',
      { field: 'a', add_to_root: true },
      { a: '{"x":{"y":1}}', x: { z: 2 } },
      '{"a":"{\\"x\\":{\\"y\\":1}}","x":{"y":1}}',
    ],
    [
      'json',
      { field: 'a', add_to_root: true, add_to_root_conflict_strategy: 'merge' },
      { a: '{"x":{"y":1}}', x: { z: 2 } },
      '{"a":"{\\"x\\":{\\"y\\":1}}","x":{"z":2,"y":1}}',
    ],
    ['json', { field: 'b', add_to_root: true }, { a: '3' }, 'cannot add non-map fields to root of document'],
    ['json', { field: 'a', add_to_root: true }, { a: '3' }, 'cannot add non-map fields to root of document'],
    ['bytes', { field: 'a' }, { a: ['1kb', '2 MB', '0'] }, '{"a":[1024,2097152,0]}'],
    [
      'bytes',
      { field: 'a' },
      { a: '3' },
      'failed to parse setting [Ingest Field] with value [3] as a size in bytes: unit is missing or unrecognized',
    ],
    ['urldecode', { field: 'a' }, { a: '1%20a+b%C3%A9' }, '{"a":"1 a bé"}'],
    [
      'urldecode',
      { field: 'a' },
      { a: '%zz' },
      'URLDecoder: Illegal hex characters in escape (%) pattern - Error at index 0 in: "zz"',
    ],
    [
      'foreach',
      { field: 'a', processor: { uppercase: { field: '_ingest._value' } } },
      { a: ['x', 'y'] },
      '{"a":["X","Y"]}',
    ],
    [
      'foreach',
      { field: 'a', processor: { append: { field: 'b', value: '{{_ingest._value.c}}' } } },
      { a: [{ c: 1 }] },
      '{"a":[{"c":1}],"b":["1"]}',
    ],
    ['foreach', { field: 'a', processor: { drop: {} } }, { a: [1] }, 'dropped'],
    [
      'foreach',
      { field: 'a', processor: { drop: {} } },
      { a: 1 },
      'field [a] of type [java.lang.Integer] cannot be cast to [java.util.List]',
    ],
    ['pipeline', { name: 'none' }, {}, 'Pipeline processor configured for non-existent pipeline [none]'],
    ['pipeline', { name: 'none', ignore_missing_pipeline: true }, { a: 1 }, '{"a":1}'],
  ])('%s %j makes of %j %s', (type, options, source, result) => {
    expect(simulateOne(type, options, source)).toBe(result);
  });

  test.each([
    [
      'set',
      { field: 'a', value: 1, copy_from: 'b' },
      '[copy_from] cannot set both `copy_from` and `value` in the same processor',
    ],
    [
      'set',
      { field: 'a', value: 1, media_type: 'x' },
      '[media_type] property does not contain a supported media type [x]',
    ],
    ['convert', { field: 'a', type: 'x' }, '[type] type [x] not supported, cannot convert field.'],
    ['sort', { field: 'a', order: 'x' }, '[order] Sort direction [x] not recognized. Valid values are: [asc, desc]'],
    ['foreach', { field: 'a', processor: {} }, '[processor] Must specify exactly one processor type'],
    ['dot_expander', { field: 'a' }, '[field] field does not contain dot'],
    ['set', { field: 'a', value: '{{#x}}' }, "Failed to close 'x' tag"],
  ])('%s %j is refused', (type, options, reason) => {
    expect(() => simulateOne(type, options, {})).toThrow(reason);
  });
});

describe('a run', () => {
  test('goes on behind a failure that is handled or ignored, and ends with one that is not', () => {
    const failing = { fail: { message: 'm' } };
    const after = { set: { field: 'after', value: 1 } };
    expect(simulate([{ fail: { message: 'm', ignore_failure: true } }, after], {})).toBe('{"after":1}');
    expect(simulate([{ fail: { message: 'm', on_failure: [{ set: { field: 'f', value: 1 } }] } }, after], {})).toBe(
      '{"f":1,"after":1}',
    );
    expect(simulate([failing, after], {})).toBe('m');
    expect(simulate([{ fail: { message: 'm', on_failure: [{ fail: { message: 'n' } }] } }], {})).toBe('n');
  });

  test('never makes a document deeper than can be read', () => {
    const deep = (at: string): string => Array.from({ length: 600 }, () => at).join('.');
    const set = { set: { field: deep('a'), value: 1 } };
    expect(simulate([set], {})).toContain('{"a":1}');
    expect(simulate([set, { rename: { field: 'a', target_field: deep('b') } }], {})).toContain(
      'more than [1000] levels',
    );
    expect(simulate([{ set: { field: `${deep('a')}.${deep('a')}`, value: 1 } }], {})).toContain(
      'more than [1000] levels',
    );
  });

  test('of copies of copies ends before memory does', () => {
    const copies = Array.from({ length: 40 }, (_, at) => ({ set: { field: `a${at + 1}.x`, copy_from: `a${at}` } }));
    const both = copies.flatMap((copy, at) => [copy, { set: { field: `a${at + 1}.y`, copy_from: `a${at}` } }]);
    expect(simulate(both, { a0: { z: 1 } })).toBe('the pipeline copies more than [1000000] values of one document');
    const texts = Array.from({ length: 40 }, () => ({ set: { field: 'a', value: '{{a}}{{a}}' } }));
    expect(simulate(texts, { a: 'xxxx' })).toContain('a template gives more than');
  });
});

test('what is set is what is read back, wherever it is put', () => {
  const name = fc.stringMatching(/^[a-z]{1,3}$/);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.jsonValue(), (path, value) => {
      const field = path.join('.');
      const set = [{ set: { field: 'from', value: { v: value } } }, { set: { field, copy_from: 'from.v' } }];
      // Texts with braces would be templates.
      fc.pre(!JSON.stringify(value).includes('{{') && path[0] !== 'from' && !Object.is(value, -0));
      const copied = JSON.parse(simulate(set, {}));
      expect(path.reduce((found, key) => found[key], copied)).toEqual(copied.from.v);
    }),
  );
});

describe('what Elasticsearch takes too', () => {
  test.each([
    ['csv', { field: 'f', target_fields: ['a', '', 'b'] }, 'x,y,z', '{"f":"x,y,z","a":"x","b":"z"}'],
    ['convert', { field: 'f', type: 'INTEGER' }, '5', '{"f":5}'],
    ['json', { field: 'f' }, '', '{"f":null}'],
    ['gsub', { field: 'f', pattern: 'x', replacement: '$1' }, 'abc', '{"f":"abc"}'],
    ['gsub', { field: 'f', pattern: 'b', replacement: '$1' }, 'abc', 'No group 1'],
    ['date', { field: 'f', formats: ['ISO8601'] }, '2020-1-1', 'unable to parse date [2020-1-1]'],
  ])('%s with %j makes of %j: %s', (type, options, f, result) => {
    expect(simulateOne(type, options, { f })).toBe(result);
  });
});

describe('as Elasticsearch does,', () => {
  const json = (text: string) => simulateOne('json', { field: 'a' }, { a: text });

  test('a path that names nothing fails the documents, and not the pipeline', () => {
    expect(simulateOne('trim', { field: '' }, { a: 'x' })).toBe('path cannot be null nor empty');
    expect(simulateOne('rename', { field: 'a', target_field: '_ingest.' }, { a: 'x' })).toBe(
      'path [_ingest.] is not valid',
    );
  });

  test('split keeps what is behind the last separator, and refuses separators when it meets a text', () => {
    const options = { field: 'a', separator: '', preserve_trailing: true };
    expect(simulateOne('split', options, { a: 'abc' })).toBe('{"a":["a","b","c",""]}');
    expect(simulateOne('split', { ...options, preserve_trailing: false }, { a: 'abc' })).toBe('{"a":["a","b","c"]}');
    expect(simulateOne('split', { field: 'a', separator: '(' }, { a: 'abc' })).toBe('Unclosed group near index 1\n(');
    expect(() => simulateOne('gsub', { field: 'a', pattern: '(', replacement: '' }, {})).toThrow(
      '[pattern] Invalid regex pattern. Unclosed group near index 1\n(',
    );
  });

  test('json takes the last of values of one name where it may', () => {
    expect(json('{"x":1,"x":2}')).toContain('Duplicate field');
    const taking = { field: 'a', allow_duplicate_keys: true };
    expect(simulateOne('json', taking, { a: '{"x":1,"y":{"z":1,"z":[2]},"x":2.0}' })).toBe(
      '{"a":{"x":2.0,"y":{"z":[2]}}}',
    );
  });

  test('json reads the first value of a text, and refuses what stands behind it unless it may not', () => {
    const first = (text: string) => simulateOne('json', { field: 'a', strict_json_parsing: false }, { a: text });
    expect(first('{"x":[1,"]"]} and more')).toBe('{"a":{"x":[1,"]"]}}');
    expect(first('12 34')).toBe('{"a":12}');
    expect(first('"x"y')).toBe('{"a":"x"}');
    for (const text of ['{"x":[1,"]"]} and more', '12 34', '"x"y']) {
      expect(json(text)).toContain(`The input ${text} is not valid JSON and the strict_json_parsing parameter is true`);
    }
    expect(json('[1] \n')).toBe('{"a":[1]}');
    expect(json('1,2')).toContain('Expected space separating root-level values');
    expect(json('{"x":1')).toContain('Unexpected end-of-input');
  });

  test('bytes without a larger unit are whole numbers', () => {
    const bytes = (text: string) => simulateOne('bytes', { field: 'a' }, { a: text });
    expect(['-1b', '0b', ' 5 b '].map(bytes)).toEqual(['{"a":-1}', '{"a":0}', '{"a":5}']);
    expect(bytes('1.5b')).toBe('For input string: "1.5"');
    expect(bytes('x kb')).toBe('failed to parse [x kb]');
    expect(bytes('-5kb')).toBe('failed to parse setting [Ingest Field] with value [-5kb] as a size in bytes');
  });

  test('a handler is told no pipeline where none runs in another, and foreach leaves a null behind', () => {
    const fails = {
      fail: { message: 'x', on_failure: [{ set: { field: 'p', value: '{{_ingest.on_failure_pipeline}}' } }] },
    };
    expect(simulate([fails], {})).toBe('{"p":""}');
    const each = { foreach: { field: 'a', processor: { trim: { field: '_ingest._value' } } } };
    const copy = { set: { field: 'v', copy_from: '_ingest._value' } };
    expect(simulate([each, copy], { a: [' x'] })).toBe('{"a":["x"],"v":null}');
  });
});

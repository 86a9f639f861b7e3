import { isShoalError, renderErrorBody } from '@shoal/core';
import { parseMapping } from '@shoal/schema';
import { describe, expect, test } from 'vitest';
import { TextSpan } from '../field-types/contract/indexed-value.ts';
import { DocumentParser } from './document-parser.ts';

function parse(properties: unknown, source: string, root: object = {}) {
  const parser = new DocumentParser(parseMapping({ ...root, properties }));
  const { document, mappingUpdate } = parser.parse('1', new TextEncoder().encode(source));
  const shown = document.values.map((value) => (value instanceof TextSpan ? String(value) : value));
  return { values: document.fields.map((field, i) => [field.path, shown[i]]), mappingUpdate };
}

/** Limits that no document of these tests meets. */
const LIMITS = { totalFieldsLimit: 1_000, nestedObjectsLimit: 10_000, leavesOutFieldsBeyondLimit: false };

function errorOf(run: () => unknown): { type: string; reason: string; cause?: string } {
  try {
    run();
  } catch (error) {
    if (!isShoalError(error)) throw error;
    const { caused_by } = renderErrorBody(error).error as { caused_by?: { type: string; reason: string } };
    return {
      type: error.type,
      reason: error.reason ?? '',
      ...(caused_by ? { cause: `${caused_by.type}: ${caused_by.reason}` } : {}),
    };
  }
  throw new Error('nothing was thrown');
}

describe('values', () => {
  test.each([
    [{ type: 'long' }, '9223372036854775807', 9223372036854775807n],
    [{ type: 'long' }, '"12"', 12],
    [{ type: 'long' }, '1.9', 1],
    [{ type: 'float' }, '0.1', Math.fround(0.1)],
    [{ type: 'double' }, '"1e3"', 1000],
    [{ type: 'boolean' }, '"true"', true],
    [{ type: 'date' }, '"2024-01-01"', Date.UTC(2024, 0, 1)],
    [{ type: 'date' }, '1704067200000', 1704067200000],
    [{ type: 'keyword' }, '12', '12'],
    [{ type: 'keyword', null_value: 'none' }, 'null', 'none'],
    [{ type: 'ip' }, '"1.2.3.4"', `${'\0'.repeat(10)}\xff\xff\x01\x02\x03\x04`],
  ])('%j keeps %s', (declared, json, value) => {
    expect(parse({ f: declared }, `{"f":${json}}`).values).toEqual([['f', value]]);
  });

  test.each([
    [{ type: 'long' }, 'null'],
    [{ type: 'long' }, '[]'],
    [{ type: 'object', enabled: false }, '{"a":1}'],
  ])('%j leaves %s out', (declared, json) => {
    expect(parse({ f: declared }, `{"f":${json}}`)).toEqual({ values: [], mappingUpdate: null });
  });

  test.each([
    [{ type: 'keyword', ignore_above: 2 }, '["abc","ab","abcd"]', [['f', 'ab']]],
    [{ type: 'long', ignore_malformed: true }, '"x"', []],
    [{ type: 'text', fields: { raw: { type: 'keyword', ignore_above: 2 } } }, '"abc"', [['f', 'abc']]],
  ])('%j ignores some of %s, and the document names the field', (declared, json, kept) => {
    const path = declared.type === 'text' ? 'f.raw' : 'f';
    expect(parse({ f: declared }, `{"f":${json}}`)).toEqual({
      values: [...kept, ['_ignored', path]],
      mappingUpdate: null,
    });
  });

  test('of `_doc_count` are indexed without a mapping, and below an object it is a field like others', () => {
    expect(parse({}, '{"_doc_count":[3]}', { dynamic: 'strict' }).values).toEqual([['_doc_count', 3]]);
    expect(parse({}, '{"_doc_count":[]}').values).toEqual([]);
    expect(parse({}, '{"o":{"_doc_count":3}}').mappingUpdate).not.toBeNull();
  });

  test('go to multi-fields and to the targets of copy_to', () => {
    const properties = {
      a: { type: 'text', copy_to: 'all', fields: { raw: { type: 'keyword' } } },
      all: { type: 'text' },
      o: { properties: { n: { type: 'byte' } } },
    };
    expect(parse(properties, '{"a":["x","y"],"o.n":1}').values).toEqual([
      ['a', 'x'],
      ['a.raw', 'x'],
      ['all', 'x'],
      ['a', 'y'],
      ['a.raw', 'y'],
      ['all', 'y'],
      ['o.n', 1],
    ]);
  });
});

describe('a refused document says why', () => {
  const preview = (type: string, value: string) =>
    `failed to parse field [f] of type [${type}] in document with id '1'. Preview of field's value: '${value}'`;
  test.each([
    [
      { type: 'long' },
      '"not a number"',
      preview('long', 'not a number'),
      'illegal_argument_exception: For input string: "not a number"',
    ],
    [
      { type: 'byte' },
      '300',
      preview('byte', '300'),
      'illegal_argument_exception: Value [300] is out of range for a byte',
    ],
    [
      { type: 'long', coerce: false },
      '1.5',
      preview('long', '1.5'),
      'illegal_argument_exception: Value [1.5] has a decimal part',
    ],
    [
      { type: 'long' },
      '{"a":1}',
      preview('long', '{a=1}'),
      "illegal_state_exception: Can't get text on a START_OBJECT",
    ],
    [
      { type: 'ip' },
      '"1.2.3"',
      preview('ip', '1.2.3'),
      "illegal_argument_exception: '1.2.3' is not an IP string literal.",
    ],
    [
      { type: 'date' },
      '"not a date"',
      preview('date', 'not a date'),
      'illegal_argument_exception: failed to parse date field [not a date] with format [strict_date_optional_time||epoch_millis]',
    ],
    [
      { type: 'object' },
      '1',
      'object mapping for [f] tried to parse field [f] as object, but found a concrete value',
      undefined,
    ],
  ])('%j with %s', (declared, json, reason, cause) => {
    expect(errorOf(() => parse({ f: declared }, `{"f":${json}}`))).toEqual({
      type: 'mapper_parsing_exception',
      reason,
      ...(cause === undefined ? {} : { cause }),
    });
  });

  test('when it is no JSON, or names a field twice', () => {
    expect(errorOf(() => parse({}, '{"a": 1'))).toMatchObject({
      reason: 'failed to parse',
      cause: /^json_e_o_f_exception/,
    });
    expect(errorOf(() => parse({}, '{"a":1,"a":2}')).cause).toContain("Duplicate field 'a'");
    expect(errorOf(() => parse({}, '{"_id":"1"}')).reason).toContain('Field [_id] is a metadata field');
  });

  test.each([
    ['0', 'illegal_argument_exception: Field [_doc_count] must be a positive integer.'],
    ['-3', 'illegal_argument_exception: Field [_doc_count] must be a positive integer.'],
    ['1.5', 'illegal_argument_exception: 1.5 cannot be converted to Integer without data loss'],
    [
      '3000000000',
      'illegal_argument_exception: Numeric value (3000000000) out of range of int (-2147483648 - 2147483647)',
    ],
    [
      '"7"',
      'parsing_exception: Failed to parse object: expecting token of type [VALUE_NUMBER] but found [VALUE_STRING]',
    ],
    [
      'null',
      'parsing_exception: Failed to parse object: expecting token of type [VALUE_NUMBER] but found [VALUE_NULL]',
    ],
    [
      'true',
      'parsing_exception: Failed to parse object: expecting token of type [VALUE_NUMBER] but found [VALUE_BOOLEAN]',
    ],
    [
      '{"a":1}',
      'parsing_exception: Failed to parse object: expecting token of type [VALUE_NUMBER] but found [START_OBJECT]',
    ],
    ['[3,4]', 'illegal_argument_exception: Arrays are not allowed for field [_doc_count].'],
  ])('when it says that it stands for %s documents', (value, cause) => {
    const error = errorOf(() => parse({}, `{"_doc_count":${value}}`));
    expect(error).toMatchObject({ type: 'mapper_parsing_exception', cause });
    expect(error.reason).toContain("failed to parse field [_doc_count] of type [_doc_count] in document with id '1'");
  });

  test('when the mapping is strict', () => {
    expect(errorOf(() => parse({}, '{"x":1}', { dynamic: 'strict' }))).toEqual({
      type: 'strict_dynamic_mapping_exception',
      reason: 'mapping set to strict, dynamic introduction of [x] within [_doc] is not allowed',
    });
  });

  test.each(['null', '[]', '[null]', '{}'])('when the mapping is strict and the new field has %s', (json) => {
    const strict = { dynamic: 'strict' };
    const declared = { a: { type: 'keyword' }, o: { type: 'object', properties: {} } };
    expect(errorOf(() => parse(declared, `{"x":${json}}`, strict)).type).toBe('strict_dynamic_mapping_exception');
    expect(errorOf(() => parse(declared, `{"o":{"x":${json}}}`, strict)).reason).toContain('[x] within [o]');
    if (json !== '{}') expect(parse(declared, `{"a":${json},"o":${json}}`, strict).mappingUpdate).toBe(null);
  });

  test('when a value is longer than a term may be', () => {
    const parseOne = (declared: object) =>
      errorOf(() => parse({ f: { type: 'keyword', ...declared } }, `{"f":"é${'x'.repeat(32_766)}"}`));
    expect(parseOne({}).reason).toMatch(
      /^Document contains at least one immense term in field="f" \(whose UTF8 encoding is longer than the max length 32766\).* '\[-61, -87, 120, .*\]\.\.\.', original message: bytes can be at most 32766 in length; got 32768$/,
    );
    expect(parseOne({ index: false }).reason).toBe('DocValuesField "f" is too large, must be <= 32766');
    expect(parse({ f: { type: 'keyword', ignore_above: 9 } }, `{"f":"${'x'.repeat(32_767)}"}`).mappingUpdate).toBe(
      null,
    );
  });
});

describe('new fields', () => {
  const text = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };
  test.each([
    ['"words"', text],
    ['"2024-01-01"', { type: 'date' }],
    ['"2024"', text],
    ['12', { type: 'long' }],
    ['1.5', { type: 'float' }],
    ['1.0', { type: 'float' }],
    ['true', { type: 'boolean' }],
    ['["a"]', text],
  ])('with %s', (json, declared) => {
    expect(parse({}, `{"f":${json}}`).mappingUpdate).toEqual({ properties: { f: declared } });
  });

  test.each(['null', '[]', '[null]'])('are not made of %s', (json) => {
    expect(parse({}, `{"f":${json}}`).mappingUpdate).toBe(null);
  });

  test('may be called __proto__', () => {
    const update = parse({}, '{"__proto__":1}').mappingUpdate;
    expect(JSON.stringify(update)).toBe('{"properties":{"__proto__":{"type":"long"}}}');
  });

  test('below an object whose template declares them are left to it', () => {
    const mapping = { type: 'object', properties: { when: { type: 'date', format: 'yyyy' }, n: { type: 'long' } } };
    const templates = [{ meta: { path_match: 'meta.*', mapping } }];
    const mapped = { properties: { meta: { properties: { a: mapping } } } };
    const source = '{"meta":{"a":[{"when":"2020","n":1},{"n":2}]}}';
    expect(parse({}, source, { dynamic_templates: templates }).mappingUpdate).toEqual({
      properties: { meta: { type: 'object' }, 'meta.a': mapping },
    });
    const known = parse(mapped.properties, source, { dynamic_templates: templates });
    expect(known.mappingUpdate).toBeNull();
    expect(() => parse(mapped.properties, '{"meta":{"a":{"x":1}}}', { dynamic_templates: templates })).toThrow(
      'object mapping for [meta.a.x] tried to parse field [x] as object, but found a concrete value',
    );
  });

  test('are of no dynamic template that is for other types alone', () => {
    const templates = [
      { o: { path_match: ['x*'], unmatch_mapping_type: ['object', 'long'], mapping: { type: 'keyword' } } },
    ];
    const { mappingUpdate } = parse({}, '{"x1":"a","x2":1,"x3":{}}', { dynamic_templates: templates });
    expect(mappingUpdate?.properties).toEqual({
      x1: { type: 'keyword' },
      x2: { type: 'long' },
      x3: { type: 'object' },
    });
  });

  test('follow the first dynamic template that fits', () => {
    const templates = [{ s: { match_mapping_type: 'string', match: 'k_*', mapping: { type: 'keyword' } } }];
    expect(parse({}, '{"k_a":"x","b":"y"}', { dynamic_templates: templates }).mappingUpdate).toEqual({
      properties: { k_a: { type: 'keyword' }, b: text },
    });
  });

  test.each([
    [{ type: 'geo_point' }, { type: 'geo_point' }],
    [{ type: 'flattened' }, { type: 'flattened' }],
    [{ enabled: false }, { type: 'object', enabled: false }],
  ])('below an object that a template makes one value, or leaves out, are not looked for: %j', (declared, added) => {
    const templates = [{ g: { match: 'g*', match_mapping_type: 'object', mapping: declared } }];
    expect(parse({}, '{"g":{"lat":1,"lon":2}}', { dynamic_templates: templates }).mappingUpdate).toEqual({
      properties: { g: added },
    });
  });

  test('under a concrete field are refused', () => {
    expect(errorOf(() => parse({ a: { type: 'long' } }, '{"a.b":1}')).reason).toBe(
      'Could not dynamically add mapping for field [a.b]. Existing mapping for [a] must be of type object but found [long].',
    );
  });
});

describe('nested objects', () => {
  const properties = {
    n: {
      type: 'nested',
      properties: { x: { type: 'long', copy_to: 'all' }, m: { type: 'nested', include_in_root: true } },
    },
    all: { type: 'long' },
  };
  const mapping = parseMapping({ properties });
  const parsed = (source: string, nestedMax?: number) =>
    new DocumentParser(mapping, nestedMax === undefined ? null : { ...LIMITS, nestedObjectsLimit: nestedMax }).parse(
      '1',
      new TextEncoder().encode(source),
    );
  const shown = (source: string) => {
    const { document } = parsed(source);
    const of = (fields: readonly { readonly path: string }[], values: readonly unknown[]) =>
      fields.map(({ path }, i) => [path, values[i]]);
    return {
      root: of(document.fields, document.values),
      nested: document.nested.map(({ path, fields, values }) => [path, ...of(fields, values)]),
    };
  };

  test('are documents in front of the one around them', () => {
    expect(shown('{"n":[{"x":1},{},null,{"x":[2,3],"m":[{},{}]}]}')).toEqual({
      root: [
        ['all', 1],
        ['all', 2],
        ['all', 3],
      ],
      nested: [['n', ['n.x', 1]], ['n'], ['n.m'], ['n.m'], ['n', ['n.x', 2], ['n.x', 3]]],
    });
  });
  test('may be named by dots', () => {
    expect(shown('{"n.x":1}')).toEqual({ root: [['all', 1]], nested: [['n', ['n.x', 1]]] });
    expect(shown('{"n":{"m.y":1}}').nested).toEqual([['n.m'], ['n']]);
  });
  test('bring fields that say where they are', () => {
    const field = { type: 'long' };
    expect(parsed('{"n":{"o":{"a":1},"m":{"y":1}},"z":1}').mappingUpdate).toEqual({
      properties: {
        z: field,
        n: {
          type: 'nested',
          properties: { o: { type: 'object' }, 'o.a': field, m: { type: 'nested', properties: { y: field } } },
        },
      },
    });
  });
  test('are limited in number', () => {
    expect(parsed('{"n":[{"m":{}},{}]}', 3).document.nested).toHaveLength(3);
    expect(() => parsed('{"n":[{"m":{}},{}]}', 2)).toThrow(
      'The number of nested documents has exceeded the allowed limit of [2]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.',
    );
  });
});

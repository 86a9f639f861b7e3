import { describe, expect, test } from 'vitest';
import { mergeMapping, parseMapping, renderMapping } from './mapping-parser.ts';

const lib = {
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 256 } } },
    n: { type: 'long' },
    at: { type: 'date', index: true },
    'a.b': { type: 'keyword' },
  },
};

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing thrown';
}

describe('a mapping', () => {
  test('is printed with what was set, names in order, dotted names unfolded', () => {
    const printed = JSON.stringify(renderMapping(parseMapping(lib)));
    expect(printed).toBe(
      '{"properties":{"a":{"properties":{"b":{"type":"keyword"}}},"at":{"type":"date"},"n":{"type":"long"},' +
        '"title":{"type":"text","fields":{"raw":{"type":"keyword","ignore_above":256}}}}}',
    );
  });

  test('resolves fields and multi-fields by their full path', () => {
    const mapping = parseMapping(lib);
    expect(mapping.field('title.raw')).toMatchObject({ kind: 'keyword', ignoreAbove: 256, isMultiField: true });
    expect(mapping.field('title')).toMatchObject({
      kind: 'text',
      analyzer: 'default',
      hasNorms: true,
      hasPositions: true,
    });
    expect(mapping.field('a.b')).toMatchObject({ kind: 'keyword', hasNorms: false, hasFreqs: false });
    expect(mapping.isObject('a')).toBe(true);
    expect(mapping.isObject('a.b')).toBe(false);
  });

  test('keeps a field named __proto__', () => {
    const mapping = parseMapping(JSON.parse('{"properties":{"__proto__":{"type":"long"}}}'));
    expect(mapping.field('__proto__')?.kind).toBe('long');
    expect(JSON.stringify(mapping.json)).toBe('{"properties":{"__proto__":{"type":"long"}}}');
  });

  test.each([
    [{ properties: { y: { type: 'x' } } }, 'No handler for type [x] declared on field [y]'],
    [{ properties: { y: { type: 'text', foo: 1 } } }, 'unknown parameter [foo] on mapper [y] of type [text]'],
    [{ foo: 'bar' }, 'Root mapping definition has unsupported parameters:  [foo : bar]'],
    [{ properties: { y: {} } }, 'No type specified for field [y]'],
    [{ properties: { y: { type: 'date', format: 'bogus' } } }, 'Invalid format: [bogus]'],
  ])('refuses %j', (json, text) => {
    expect(reasonOf(() => parseMapping(json))).toContain(text);
  });

  test.each([
    ['(a', 'Pattern [(a] of type [regex] is invalid. Cannot create dynamic template [t].'],
    ['(?=a)b', 'Pattern [(?=a)b] of type [regex] is invalid. Cannot create dynamic template [t].'],
  ])('refuses the regex %s in a dynamic template', (match, text) => {
    const template = { match_pattern: 'regex', match, mapping: { type: 'keyword' } };
    expect(reasonOf(() => mergeMapping({}, { dynamic_templates: [{ t: template }] }))).toContain(text);
    // A mapping that has it already stays readable.
    expect(parseMapping({ dynamic_templates: [{ t: template }] }).dynamicTemplates).toEqual([]);
  });

  test('refuses a way of matching that there is not', () => {
    const template = { match_pattern: 'glob', match: 'a', mapping: { type: 'keyword' } };
    const read = () => mergeMapping({}, { dynamic_templates: [{ t: template }] });
    expect(reasonOf(read)).toContain('No matching pattern matched on [glob]');
  });

  test.each(['', ' ', 'a..b'])('refuses a field named [%s] as an illegal argument', (name) => {
    expect(() => parseMapping({ properties: { [name]: { type: 'keyword' } } })).toThrow(
      expect.objectContaining({
        type: 'mapper_parsing_exception',
        causedBy: expect.objectContaining({ type: 'illegal_argument_exception' }),
      }),
    );
  });
});

describe('a mapping of thousands of fields', () => {
  test.each(['f', 'object.f', 'a.b.c.f'])('named %s1, %s2, … is refused as soon as it is read', (prefix) => {
    const names = Array.from({ length: 20_000 }, (_, n) => `${prefix}${n}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'long' }]));
    const limits = { totalFieldsLimit: 1_000, depthLimit: 20, fieldNameLengthLimit: 1_000, nestedFieldsLimit: 50 };
    expect(reasonOf(() => mergeMapping({}, { properties }, limits))).toBe(
      'Limit of total fields [1000] has been exceeded',
    );
  });

  test('keeps what stands in it by its own name and by a dotted one', () => {
    const merged = mergeMapping(
      {},
      {
        properties: { 'a.c': { type: 'long' }, a: { properties: { b: { type: 'keyword' } } }, 'a.d.e': { type: 'ip' } },
      },
    );
    expect(JSON.stringify(merged)).toBe(
      '{"properties":{"a":{"properties":{"b":{"type":"keyword"},"c":{"type":"long"},"d":{"properties":{"e":{"type":"ip"}}}}}}}',
    );
  });
});

describe('an update', () => {
  test('adds fields and multi-fields', () => {
    const merged = mergeMapping(lib, {
      properties: { m: { type: 'keyword' }, title: { type: 'text', fields: { k: { type: 'keyword' } } } },
    });
    const mapping = parseMapping(merged);
    expect([...mapping.fields.keys()]).toEqual(['a.b', 'at', 'm', 'n', 'title', 'title.k', 'title.raw']);
  });

  test.each([
    [{ n: { type: 'text' } }, 'mapper [n] cannot be changed from type [long] to [text]'],
    [
      { n: { type: 'long', doc_values: false } },
      'Mapper for [n] conflicts with existing mapper:\n\tCannot update parameter [doc_values] from [true] to [false]',
    ],
    [{ n: { properties: {} } }, "can't merge a non-object mapping [n] with an object mapping"],
  ])('that conflicts is refused: %j', (properties, text) => {
    expect(reasonOf(() => mergeMapping(lib, { properties }))).toBe(text);
  });

  test('does not change whether a routing is required, and leaving it out changes nothing', () => {
    const routed = mergeMapping({}, { _routing: { required: 'true' }, ...lib });
    expect(routed._routing).toEqual({ required: true });
    expect(mergeMapping(routed, { properties: { z: { type: 'long' } } })._routing).toEqual({ required: true });
    expect(reasonOf(() => mergeMapping(routed, { _routing: { required: false } }))).toBe(
      'Mapper for [_routing] conflicts with existing mapper:\n\tCannot update parameter [required] from [true] to [false]',
    );
    expect(mergeMapping({}, { _routing: { required: false }, ...lib })._routing).toBeUndefined();
  });

  test('may not pass the limit of fields', () => {
    const limits = { totalFieldsLimit: 5, depthLimit: 20, fieldNameLengthLimit: 1000, nestedFieldsLimit: 50 };
    expect(reasonOf(() => mergeMapping(lib, { properties: { z: { type: 'long' } } }, limits))).toBe(
      'Limit of total fields [5] has been exceeded',
    );
  });
});

describe('what an update may no longer say', () => {
  const boosted = {
    properties: { a: { properties: { t: { type: 'text', fields: { k: { type: 'keyword', boost: 2 } } } } } },
  };

  test.each([
    [boosted, 'Failed to parse mapping: unknown parameter [boost] on mapper [k] of type [keyword]'],
    [{ _field_names: { enabled: false } }, 'The `enabled` setting for the `_field_names` field has been deprecated'],
    [
      { dynamic_templates: [{ t: { match: 'x', unmatch_mapping_type: 'strng', mapping: {} } }] },
      'No field type matched on [strng]',
    ],
    [{ dynamic_templates: [{ t: { match_mapping_type: 'strng', mapping: {} } }] }, 'No field type matched on [strng]'],
    [{ dynamic_templates: [{ t: { match_pattern: 'glob', mapping: {} } }] }, 'No matching pattern matched on [glob]'],
  ])('is refused: %j', (update, text) => {
    expect(reasonOf(() => mergeMapping({}, update))).toContain(text);
  });

  test('stays readable where a mapping has it already', () => {
    expect(parseMapping(boosted).field('a.t.k')?.kind).toBe('keyword');
    expect(mergeMapping(boosted, { properties: { n: { type: 'long' } } })).toMatchObject(boosted);
  });
});

describe('nested objects', () => {
  const limits = { totalFieldsLimit: 1_000, depthLimit: 20, fieldNameLengthLimit: 1_000, nestedFieldsLimit: 2 };
  const properties = { n: { type: 'nested', properties: { x: { type: 'long' } } }, o: { properties: {} } };

  test('stay what they are', () => {
    const merged = mergeMapping(
      { properties },
      { properties: { n: { type: 'nested', properties: { y: { type: 'long' } } } } },
    );
    expect(Object.keys(parseMapping(merged).json.properties as object)).toEqual(['n', 'o']);
    expect(parseMapping(merged).nestedPaths).toEqual(['n']);
    expect(parseMapping(merged).nestedAround('n.y')).toBe('n');
    for (const update of [{ n: { properties: {} } }, { n: { type: 'object' } }, { o: { type: 'nested' } }])
      expect(() => mergeMapping({ properties }, { properties: update })).toThrow(/can't merge a non-nested mapping/);
    expect(() =>
      mergeMapping({ properties }, { properties: { n: { type: 'nested', include_in_root: true } } }),
    ).toThrow("the [include_in_root] parameter can't be updated on a nested object mapping");
  });
  test('are limited in number', () => {
    const update = { properties: { a: { type: 'nested' }, b: { type: 'nested' } } };
    expect(() => mergeMapping({ properties }, update, limits)).toThrow('Limit of nested fields [2] has been exceeded');
  });
  test('are not copied into from elsewhere', () => {
    const copying = (path: string) => ({ properties: { y: { type: 'long', copy_to: path } } });
    expect(() => mergeMapping({ properties }, copying('n.x'), limits)).toThrow(
      /copy data from nested object \[null\] to \[n\]/,
    );
    const inside = { properties: { n: { type: 'nested', ...copying('all') } } };
    expect(() => mergeMapping({ properties }, inside, limits)).not.toThrow();
  });
});

describe('a null_value', () => {
  const declare = (type: string, value: unknown, more: object = {}) =>
    mergeMapping({}, { properties: { f: { type, null_value: value, ...more } } });

  test.each([
    ['long', '5', 5],
    ['long', 9223372036854775807n, 9223372036854775807n],
    ['long', '5.0', 5],
    ['double', '1.5', 1.5],
    ['scaled_float', '1e2', 100],
    ['boolean', 'false', false],
    ['keyword', 1, '1'],
    ['keyword', true, 'true'],
    ['date', 1, '1'],
    ['unsigned_long', '18446744073709551615', 18446744073709551615n],
  ])('of %s given as %s is kept as %s', (type, given, kept) => {
    const more = type === 'scaled_float' ? { scaling_factor: 10 } : {};
    const mapping = declare(type, given, more);
    expect(mapping).toEqual({ properties: { f: { type, null_value: kept, ...more } } });
    expect(parseMapping(mapping).field('f')?.nullValue).toBe(kept);
  });

  test.each([
    ['long', 'x', 'For input string: "x"'],
    ['long', '1.5', 'Value [1.5] has a decimal part'],
    ['byte', 300, 'Value [300] is out of range for a byte'],
    ['integer', true, 'For input string: "true"'],
    ['double', {}, 'For input string: "{}"'],
    ['boolean', 1, 'Failed to parse value [1] as only [true] or [false] are allowed.'],
    ['unsigned_long', -1, 'Value [-1] is out of range for unsigned long'],
    ['long', `1${'0'.repeat(500)}`, 'For input string'],
    ['date', 'x', 'Error parsing [null_value] on field [f]: failed to parse date field [x]'],
  ])('of %s cannot be %j', (type, given, why) => {
    expect(reasonOf(() => declare(type, given))).toContain(`Failed to parse mapping: ${why}`);
    // A mapping that has it already stays readable.
    expect(parseMapping({ properties: { f: { type, null_value: given } } }).field('f')?.kind).toBe(type);
  });
});

test.each([
  [{}, 'no type specified for property [raw]'],
  [{ type: 'nope' }, 'no handler for type [nope] declared on field [raw]'],
  [{ type: 'object' }, 'Type [object] cannot be used in multi field'],
])('a multi-field cannot be %j', (declaration, why) => {
  const properties = { f: { type: 'keyword', fields: { raw: declaration } } };
  expect(reasonOf(() => mergeMapping({}, { properties }))).toBe(`Failed to parse mapping: ${why}`);
});

test('a date format has no empty alternatives', () => {
  const properties = { f: { type: 'date', format: 'yyyy||' } };
  expect(reasonOf(() => mergeMapping({}, { properties }))).toContain(
    'Error parsing [format] on field [f]: Cannot have empty element in multi date format pattern: yyyy||',
  );
});

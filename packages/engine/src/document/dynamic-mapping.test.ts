import { isShoalError } from '@shoal/core';
import { mergeMapping, parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocumentParser } from './document-parser.ts';

const name = fc.constantFrom(
  'a',
  'b',
  'a.b',
  'a.b.c',
  '__proto__',
  'constructor',
  'fields',
  'type',
  'properties',
  'x y',
  ' ',
  '.',
  'a.',
  'é',
);
const leaf = fc.oneof(
  fc.constantFrom<unknown>('text', '2024-01-01', '12', '', null, true, 1, 1.5, -0, 1e300),
  fc.maxSafeInteger(),
);
const { document } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('document')),
  document: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
}));

describe('dynamic mapping', () => {
  test.each([[{}], [{ subobjects: false }], [{ properties: { a: { subobjects: false } } }]])(
    'of any document is complete after one update of %j, or the document is refused',
    (first) => {
      const accepted = { count: 0 };
      fc.assert(
        fc.property(fc.array(document, { minLength: 1, maxLength: 3 }), (documents) => {
          let mapping = parseMapping(first);
          for (const source of documents) {
            const bytes = new TextEncoder().encode(JSON.stringify(source));
            try {
              const { mappingUpdate } = new DocumentParser(mapping).parse('1', bytes);
              if (mappingUpdate === null) continue;
              mapping = parseMapping(mergeMapping(mapping.json, mappingUpdate));
              expect(new DocumentParser(mapping).parse('1', bytes).mappingUpdate).toBe(null);
              accepted.count++;
            } catch (error) {
              if (!isShoalError(error)) throw error;
              expect(error.status).toBe(400);
            }
          }
        }),
        { numRuns: 700 },
      );
      expect(accepted.count).toBeGreaterThan(70);
    },
  );
});

test.each([
  ['2020-01-02', undefined],
  ['2020/01/02', 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'],
  ['2020/01/02 03:04:05', 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'],
])('a text such as %s is a date', (text, format) => {
  const source = new TextEncoder().encode(JSON.stringify({ d: text }));
  const { mappingUpdate } = new DocumentParser(parseMapping({})).parse('1', source);
  expect(mappingUpdate).toEqual({ properties: { d: { type: 'date', ...(format === undefined ? {} : { format }) } } });
});

test.each(['2020/1/2', '20200102', '2020/01/02 +0100', '01/02/2020'])('a text such as %s is none', (text) => {
  const source = new TextEncoder().encode(JSON.stringify({ d: text }));
  const { mappingUpdate } = new DocumentParser(parseMapping({})).parse('1', source);
  expect(mappingUpdate).toMatchObject({ properties: { d: { type: 'text' } } });
});

describe('a flat object', () => {
  const parsed = (mapping: object, document: unknown) =>
    new DocumentParser(parseMapping(mapping)).parse('1', new TextEncoder().encode(JSON.stringify(document)));
  const metrics = { subobjects: false, properties: { time: { type: 'long' }, 'time.max': { type: 'long' } } };
  const METRICS = { properties: { metrics } };

  test.each([
    [{ 'metrics.time': 1, 'metrics.time.max': 2 }],
    [{ metrics: { time: 1, 'time.max': 2 } }],
    [{ metrics: [{ time: 1 }, { 'time.max': 2 }] }],
  ])('has a field and another whose name goes on from it: %j', (given) => {
    const {
      document: { fields, values },
      mappingUpdate,
    } = parsed(METRICS, given);
    expect(fields.map(({ path }, at) => [path, Number(values[at])])).toEqual([
      ['metrics.time', 1],
      ['metrics.time.max', 2],
    ]);
    expect(mappingUpdate).toBe(null);
  });

  test('takes fields from objects in it, and has none of these', () => {
    const { mappingUpdate } = parsed(METRICS, { metrics: { cpu: { user: 1, 'user.max': { a: true } } }, b: { c: 2 } });
    const merged = parseMapping(mergeMapping(METRICS, mappingUpdate));
    expect([...merged.objects.keys()]).toEqual(['', 'b', 'metrics']);
    expect([...merged.fields.keys()]).toEqual([
      'b.c',
      'metrics.cpu.user',
      'metrics.cpu.user.max.a',
      'metrics.time',
      'metrics.time.max',
    ]);
  });

  test('goes by its own rule for fields that it lacks', () => {
    const of = (dynamic: string) => ({ properties: { metrics: { ...metrics, dynamic } } });
    expect(() => parsed(of('strict'), { metrics: { 'time.min': 1 } })).toThrow('introduction of [');
    expect(parsed(of('false'), { metrics: { other: { min: 1 } } }).mappingUpdate).toBe(null);
    expect(parsed(of('runtime'), { metrics: { other: { min: 1 } } }).mappingUpdate).toEqual({
      runtime: { 'metrics.other.min': { type: 'long' } },
    });
    // The object stands where a field is.
    expect(() => parsed(METRICS, { metrics: { time: { min: 1 } } })).toThrow('failed to parse field [metrics.time]');
  });

  test('says the same of any document as of one whose names were joined before', () => {
    const { plain } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, fc.integer(), tie('plain')),
      plain: fc.dictionary(fc.constantFrom('a', 'b', 'c.d', 'e'), tie('value'), { maxKeys: 4 }),
    }));
    const joined = (value: object, prefix = ''): readonly (readonly [string, unknown])[] =>
      Object.entries(value).flatMap(([key, inner]) =>
        typeof inner === 'object' ? joined(inner, `${prefix}${key}.`) : [[`${prefix}${key}`, inner] as const],
      );
    const flat = { subobjects: false };
    fc.assert(
      fc.property(plain, (document) => {
        const expected = Object.fromEntries(joined(document as object));
        const update = parsed(flat, document).mappingUpdate;
        expect(update).toEqual(parsed(flat, expected).mappingUpdate);
        const names = Object.keys(expected).sort();
        expect([...parseMapping(mergeMapping(flat, update ?? {})).fields.keys()]).toEqual(names);
      }),
    );
  });
});

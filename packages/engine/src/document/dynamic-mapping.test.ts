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
  test('of any document is complete after one update, or the document is refused', () => {
    const accepted = { count: 0 };
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 3 }), (documents) => {
        let mapping = parseMapping({});
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
      { numRuns: 2_000 },
    );
    expect(accepted.count).toBeGreaterThan(200);
  });
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

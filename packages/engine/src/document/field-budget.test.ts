import { mergeMapping, parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocumentParser } from './document-parser.ts';

const MAPPING = { properties: { n: { type: 'long' } } };

function reader(totalFieldsLimit: number, json: object = MAPPING): DocumentParser {
  const limits = { totalFieldsLimit, nestedObjectsLimit: 100, leavesOutFieldsBeyondLimit: true };
  return new DocumentParser(parseMapping(json), limits);
}

const bytes = (document: object): Uint8Array => new TextEncoder().encode(JSON.stringify(document));

function ignoredIn(parser: DocumentParser, document: object): readonly unknown[] {
  const { fields, values } = parser.parse('1', bytes(document)).document;
  return values.filter((_, at) => fields[at]?.path === '_ignored');
}

describe('fields beyond the limit of an index that leaves them out', () => {
  test.each([
    ['a text and its keyword are two', 2, { a: 'x' }, [], ['a']],
    ['a text and its keyword fit', 3, { a: 'x' }, ['a'], []],
    ['the first fit', 3, { a: 1, b: 2, c: 3 }, ['a', 'b'], ['c']],
    ['a smaller one fits behind a larger one', 2, { a: 'x', b: 1 }, ['b'], ['a']],
    ['an object is one', 2, { o: { a: 1 } }, ['o'], ['o.a']],
    ['an object of a dotted name is one', 2, { 'o.a': 1 }, [], ['o.a']],
    ['an object of two dotted names is one', 4, { 'o.a': 1, 'o.b': 2 }, ['o.a', 'o.b'], []],
    ['what is in an object left out is not named', 1, { o: { a: 1 }, b: [1, 2] }, [], ['o', 'b']],
    ['fields of the mapping are written', 1, { n: 7 }, [], []],
  ])('%s', (_, limit, document, added, ignored) => {
    const parser = reader(limit);
    const update = parser.parse('1', bytes(document)).mappingUpdate;
    expect(Object.keys(update?.properties ?? {})).toEqual(added);
    expect(ignoredIn(parser, document)).toEqual(ignored);
  });

  test('are told of a document that was written, whatever the limit is now', () => {
    const { fields, values } = reader(1_000).parseAccepted('1', bytes({ n: 1, a: 'x' }));
    expect(fields.map(({ path }, at) => [path, values[at]])).toEqual([
      ['n', 1],
      ['_ignored', 'a'],
    ]);
  });

  test('are known as such once: what the mapping took is read from it, and never passes the limit', () => {
    const number = fc.integer();
    const text = fc.constant('x');
    const members = { a: number, b: text, 'o.x': text, 'o.y': number, 'p.q.z': number, d: text };
    const object = fc.record({ e: number, f: text }, { requiredKeys: [] });
    const document = fc.record({ ...members, r: object, s: object, o: object }, { requiredKeys: [] });
    let full = 0;
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 12 }),
        (documents, limit) => {
          let json: Readonly<Record<string, unknown>> = MAPPING;
          for (const source of documents) {
            const update = reader(limit, json).parse('1', bytes(source)).mappingUpdate;
            // Throws where the limit is passed.
            const limits = {
              totalFieldsLimit: limit,
              depthLimit: 20,
              fieldNameLengthLimit: 100,
              nestedFieldsLimit: 50,
            };
            if (update !== null) json = mergeMapping(json, update, limits);
            expect(reader(limit, json).parse('1', bytes(source)).mappingUpdate).toBe(null);
            if (ignoredIn(reader(limit, json), source).length > 0) full++;
          }
        },
      ),
      { seed: 41, numRuns: 500 },
    );
    expect(full).toBeGreaterThan(100);
  });
});

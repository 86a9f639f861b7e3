import { isShoalError } from '@shoal/core';
import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextSpan } from '../field-types/contract/indexed-value.ts';
import { DocumentParser } from './document-parser.ts';
import { PlainDocumentReader } from './plain-document.ts';

const mapping = parseMapping({
  properties: {
    body: { type: 'text' },
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
    cat: { type: 'keyword', ignore_above: 5, null_value: 'none', copy_to: 'body' },
    n: { type: 'long' },
    small: { type: 'byte', ignore_malformed: true },
    price: { type: 'double' },
    on: { type: 'boolean' },
    at: { type: 'date' },
    o: { properties: { n: { type: 'long' } } },
  },
});
const parser = new DocumentParser(mapping);
const NAMES = ['body', 'title', 'cat', 'n', 'small', 'price', 'on', 'at', 'o', 'new', 'o.n', '_id', 'bodyy'];
/** Values as JSON text. */
const value = fc.oneof(
  fc.constantFrom(
    'true',
    'false',
    'null',
    '0',
    '-0',
    '-7',
    '12',
    '0.5',
    '-1.25',
    '01',
    '1.',
    '1e3',
    '1.5E2',
    '-',
    'tru',
    'nulll',
  ),
  fc.constantFrom(
    '123456789012345',
    '1234567890123456789',
    '0.1234567890123456',
    '{"n":1}',
    '[1,2]',
    '["a","b"]',
    '""',
    '{}',
  ),
  fc.constantFrom(
    '"2024-01-01"',
    '"a\\nb"',
    '"\\u0041"',
    '"\u00e9"',
    '"two words"',
    '"longer than five"',
    '"open',
    '"a\tb"',
  ),
  fc.string({ maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc.integer().map(String),
);
const space = fc.constantFrom('', '', ' ', '\n\t', '\r');
const members = fc.array(fc.tuple(fc.constantFrom(...NAMES), space, value), { maxLength: 6 });

function render(list: readonly (readonly [string, string, string])[], nameOf: (name: string) => string): Uint8Array {
  const parts = list.map(([name, gap, text]) => `${gap}"${nameOf(name)}"${gap}:${gap}${text}${gap}`);
  return new TextEncoder().encode(`{${parts.join(',')}}`);
}

function outcome(source: Uint8Array): unknown {
  try {
    const { document, mappingUpdate } = parser.parse('1', source);
    const values = document.values.map((given) => (given instanceof TextSpan ? String(given) : given));
    return { fields: document.fields.map(({ path }) => path), values, mappingUpdate };
  } catch (error) {
    if (!isShoalError(error)) throw error;
    return [error.type, error.message, error.causedBy?.type];
  }
}

/** The same name, so written that only the exact way reads it. */
const escaped = (name: string): string => `\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}`;

describe('a document read from its bytes', () => {
  test('gives what the exact way gives, or is left to it', () => {
    const reader = new PlainDocumentReader(mapping);
    const read = { count: 0 };
    fc.assert(
      fc.property(members, (list) => {
        const source = render(list, (name) => name);
        if (list.length > 0 && reader.read(source) !== null) read.count++;
        expect(outcome(source)).toEqual(outcome(render(list, escaped)));
      }),
      { numRuns: 5_000 },
    );
    // Few draws are plain enough. The bound says that the property is not empty, and lies far below what chance gives.
    expect(read.count).toBeGreaterThan(100);
  });

  test.each([
    '',
    '{',
    '{"n":1',
    '{"n":1}x',
    '{"n":1,}',
    '{,}',
    '{"n" 1}',
    '{"n":1 "on":true}',
    '[]',
    '1',
    '{"n":1}}',
    '\u{feff}{}',
  ])('is none when it is %j', (text) => {
    expect(new PlainDocumentReader(mapping).read(new TextEncoder().encode(text))).toBe(null);
  });

  test('may stand in the middle of other bytes', () => {
    const all = new TextEncoder().encode('xx {"body":"Some words of it","cat":"a","n":-5 } yy');
    const found = new PlainDocumentReader(mapping).read(all.subarray(2, all.length - 3));
    expect(found?.values.map((given) => (given instanceof TextSpan ? String(given) : given))).toEqual([
      'Some words of it',
      'a',
      -5,
    ]);
  });
});

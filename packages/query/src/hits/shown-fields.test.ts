/** Entries of `fields` and `docvalue_fields`: what is none is refused as a real server words it, by one name for both lists. */
import { isShoalError, parseJsonTree } from '@shoal/core';
import { expect, test } from 'vitest';
import { parseShownFields } from './shown-fields.ts';

function parsed(list: unknown, what = 'fields'): ReturnType<typeof parseShownFields> {
  const node = parseJsonTree(Buffer.from(JSON.stringify(list)));
  if (node === null) throw new Error('no list');
  return parseShownFields(node, what);
}

function refusal(list: unknown, what: string): string {
  try {
    parsed(list, what);
  } catch (error) {
    if (isShoalError(error)) return `${error.type}: ${(error.reason ?? '').replace(/^\[\d+:\d+\] /, '')}`;
    throw error;
  }
  throw new Error('was accepted');
}

test('an entry is a name, or an object with one', () => {
  const own = { format: null, includesUnmapped: false };
  expect(parsed(['a*', 1, null, { field: 'd', format: 'yyyy' }, { field: 'e', format: null }])).toEqual([
    { ...own, pattern: 'a*' },
    { ...own, pattern: '1' },
    { ...own, pattern: 'd', format: 'yyyy' },
    { ...own, pattern: 'e' },
  ]);
});

test.each<[readonly unknown[], string]>([
  [[{ absent: 1 }], 'unknown field [absent]'],
  [[['a']], 'Expected START_OBJECT but was: VALUE_STRING'],
  [[[]], 'Expected START_OBJECT but was: END_ARRAY'],
  [[null, 'a'], 'Expected START_OBJECT but was: VALUE_STRING'],
  [[null], 'Expected START_OBJECT but was: END_ARRAY'],
  [[{ field: ['a'] }], "field doesn't support values of type: START_ARRAY"],
  [[{ field: 1 }], "field doesn't support values of type: VALUE_NUMBER"],
  [[{ field: 'a', format: 1 }], "format doesn't support values of type: VALUE_NUMBER"],
])('%j is none', (list, reason) => {
  for (const what of ['fields', 'docvalue_fields'])
    expect(refusal(list, what)).toBe(`x_content_parse_exception: [docvalues_field] ${reason}`);
});

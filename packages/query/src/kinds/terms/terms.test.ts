import { parseJsonTree } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { terms } from './terms.ts';

const noInnerQuery = (): never => {
  throw new Error('terms have no query inside');
};

function parse(body: unknown): unknown {
  const node = parseJsonTree(new TextEncoder().encode(JSON.stringify(body)));
  if (node === null) throw new Error('no query');
  return terms.parse(node, 'terms', noInnerQuery);
}

describe('a lookup of terms that was not replaced', () => {
  test.each<[unknown, string]>([
    [{}, 'Required [index, id, path]'],
    [{ index: 'i', path: 'p' }, 'Required [id]'],
    [{ index: 'i', id: 1, path: 'p', other: 1 }, '[terms_lookup] unknown field [other]'],
    [
      { index: 'i', id: '1', path: 'p', routing: 5 },
      "[terms_lookup] routing doesn't support values of type: VALUE_NUMBER",
    ],
    [{ index: 'i', id: true, path: 'p' }, "[terms_lookup] id doesn't support values of type: VALUE_BOOLEAN"],
    [{ index: 'i', id: '1', path: 'p' }, '[terms] lookup of terms in another document is not supported'],
  ])('%j says what is wrong', (lookup, reason) => {
    expect(() => parse({ user: lookup })).toThrow(reason);
  });
});

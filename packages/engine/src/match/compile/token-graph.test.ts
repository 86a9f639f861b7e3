import { describe, expect, test } from 'vitest';
import { type GraphToken, graphParts, graphWays, isGraph } from './token-graph.ts';

/** Tokens `term@position` or `term@position+length`. */
function tokens(text: string): readonly GraphToken[] {
  return text.split(' ').map((token) => {
    const [, term = '', position = '', length = '1'] = /^(\w+)@(\d+)(?:\+(\d+))?$/.exec(token) ?? [];
    return { term: Buffer.from(term), position: Number(position), positionLength: Number(length) };
  });
}

const words = (terms: readonly Uint8Array[]): string => terms.map((term) => Buffer.from(term).toString()).join(' ');

function parts(text: string): readonly (string | readonly string[])[] {
  return graphParts(tokens(text)).map((part) => (part.kind === 'words' ? words(part.terms) : part.ways.map(words)));
}

describe('a graph of tokens', () => {
  test('falls into parts at the nodes that every way passes', () => {
    expect(parts('in@0 new@1 big@1+2 ny@1+3 york@2+2 apple@3 city@4')).toEqual([
      'in',
      ['new york', 'big apple', 'ny'],
      'city',
    ]);
  });

  test('has words in the place of one word as one part', () => {
    expect(parts('fast@0 quick@0 quick@0 fox@1')).toEqual(['fast quick', 'fox']);
    expect(parts('ab@0+2 x@2')).toEqual(['ab', 'x']);
  });

  test('goes on behind the place of a removed word', () => {
    expect(parts('dns@0+3 domain@0 system@2 is@3')).toEqual([['dns', 'domain system'], 'is']);
  });

  test('has all ways through the whole text, at most as many as a query has clauses', () => {
    expect(graphWays(tokens('ny@0+2 new@0 york@1 a@2 b@2')).map(words)).toEqual([
      ...['ny a', 'ny b', 'new york a', 'new york b'],
    ]);
    const many = Array.from({ length: 20 }, (_, i) => `a@${i} b@${i} c@${i}+2`).join(' ');
    expect(() => graphWays(tokens(many))).toThrow('maxClauseCount');
  });

  test('is there only where a token spans several positions', () => {
    expect(isGraph(tokens('a@0 b@0 c@1'))).toBe(false);
    expect(isGraph(tokens('a@0+2 b@0 c@1'))).toBe(true);
  });
});

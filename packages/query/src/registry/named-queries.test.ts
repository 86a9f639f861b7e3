import { describe, expect, test } from 'vitest';
import { namedQueries } from './named-queries.ts';
import { parseQueryBytes } from './query.ts';

const namesOf = (query: unknown): readonly string[] =>
  [...namedQueries(parseQueryBytes(Buffer.from(JSON.stringify(query))))].map(([name, { kind }]) => `${name}: ${kind}`);
const term = (name: string): object => ({ term: { k: { value: 'x', _name: name } } });
const range = (name: string): object => ({ range: { n: { gt: 1, _name: name } } });

describe('named queries', () => {
  test('are those with a name, the outer before the inner', () => {
    expect(namesOf({ bool: { must: term('a'), should: range('b'), _name: 'c' } })).toEqual([
      'c: bool',
      'a: term',
      'b: range',
    ]);
  });

  test('of one name are the outer one, or the last of several', () => {
    expect(namesOf({ bool: { must: term('a'), _name: 'a' } })).toEqual(['a: bool']);
    expect(namesOf({ bool: { must: [term('a'), range('a')] } })).toEqual(['a: range']);
  });
});

import { parseJsonTree } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { parseQuery } from './query.ts';

const parse = (query: unknown) => {
  const node = parseJsonTree(new TextEncoder().encode(JSON.stringify(query)));
  if (node === null) throw new Error('no query');
  return parseQuery(node);
};

describe('numbers that an option cannot be', () => {
  test.each([
    [{ match: { t: { query: 'a', prefix_length: -1 } } }, '[match] requires prefix length to be non-negative.'],
    [{ match: { t: { query: 'a', max_expansions: 0 } } }, '[match] requires maxExpansions to be positive.'],
    [
      { match_bool_prefix: { t: { query: 'a', max_expansions: -1 } } },
      '[match_bool_prefix] requires maxExpansions to be positive.',
    ],
    [{ multi_match: { query: 'a', prefix_length: -1 } }, 'No negative prefix length allowed.'],
    [{ multi_match: { query: 'a', max_expansions: 0 } }, 'Max expansions must be strictly great than zero.'],
    [{ match_phrase: { t: { query: 'a', slop: -1 } } }, 'No negative slop allowed.'],
    [{ match_phrase_prefix: { t: { query: 'a', max_expansions: -1 } } }, 'No negative maxExpansions allowed.'],
    [{ span_first: { match: { span_term: { t: 'a' } }, end: -1 } }, 'parameter [end] needs to be positive.'],
    [{ term: { t: { value: 'a', boost: -1 } } }, 'negative [boost] are not allowed in [term]'],
    [{ bool: { boost: -0.5 } }, 'negative [boost] are not allowed in [bool]'],
    [{ range: { n: { gte: 1, relation: 'x' } } }, 'x is not a valid relation'],
    [{ ids: { values: 1 } }, "[ids] values doesn't support values of type: VALUE_NUMBER"],
    [{ ids: { values: ['a', null] } }, '[ids] failed to parse field [values]'],
    [{ absent: 1 }, '[absent] query malformed, no start_object after query name'],
    [{ absent: {} }, 'unknown query [absent]'],
    [{ exists: { field: '' } }, 'field name is null or empty'],
    [{ term: {} }, 'field name is null or empty'],
    [{ term: { '': 'x' } }, 'field name is null or empty'],
    [{ range: { '': { gt: 1 } } }, 'field name is null or empty'],
    [{ prefix: { '': 'x' } }, 'field name is null or empty'],
    [{ span_term: { '': 'x' } }, 'field name is null or empty'],
    [{ fuzzy: { '': 'x' } }, 'field name cannot be null or empty'],
    [{ terms: { '': ['x'] } }, 'field name cannot be null.'],
    [{ fuzzy: {} }, 'field name cannot be null or empty'],
    [{ match_bool_prefix: {} }, '[match_bool_prefix] requires fieldName'],
    [{ match_phrase: { t: {} } }, '[match_phrase] requires query value'],
    [{ match_bool_prefix: { t: {} } }, '[match_bool_prefix] requires query value'],
    [
      { function_score: { functions: [null] } },
      'malformed query, expected a [VALUE_NULL] while parsing functions but got a [function_score] instead',
    ],
    [{ function_score: { xx: 1 } }, 'failed to parse [function_score] query. field [xx] is not supported'],
    [{ function_score: { xx: [] } }, 'failed to parse [function_score] query. array [xx] is not supported'],
    [{ function_score: { functions: [{ random_score: { x: 1 } }] } }, 'random_score query does not support [x]'],
    [{ function_score: { functions: [{ random_score: 1 }] } }, 'field [random_score] is not supported'],
    [
      { function_score: { functions: [], xx: 1 } },
      'not both. already found [functions] array, now encountering [xx].]',
    ],
    [{ function_score: { functions: [], weight: 1 } }, 'already found [functions] array, now encountering [weight].]'],
    [{ function_score: { weight: 1, functions: [] } }, 'already found [weight], now encountering [functions].]'],
    [{ match: {} }, 'No text specified for text query'],
    [{ match_all: { bost: 2 } }, '[1:15] [match_all] unknown field [bost] did you mean [boost]?'],
    [{ match_none: { bost: 2 } }, '[match_none] query does not support [bost]'],
    [{ wrapper: { query: 'e30=', more: 1 } }, 'expected [END_OBJECT] but found [FIELD_NAME]'],
    [{ match: { t: {} } }, 'No text specified for text query'],
    [{ match: { t: { query: 'a', lenient: '' } } }, 'Failed to parse value [] as only [true] or [false] are allowed.'],
    [
      { match_phrase: { t: { query: 'a', slop: 2 ** 31 } } },
      'Numeric value (2147483648) out of range of int (-2147483648 - 2147483647)',
    ],
    [{ query_string: { query: 'a', rewrite: null } }, '[query_string] unknown token [VALUE_NULL] after [rewrite]'],
  ])('%j is refused', (query, reason) => expect(() => parse(query)).toThrow(reason));
});

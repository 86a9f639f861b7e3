import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const context = memoryContext(
  {
    properties: {
      t: { type: 'text', fields: { exact: { type: 'text', analyzer: 'whitespace' } } },
      e: { type: 'text', analyzer: 'english' },
      k: { type: 'keyword' },
      n: { type: 'long' },
      at: { type: 'date' },
    },
  },
  [
    [
      {
        id: '1',
        source: '{"t":"quick brown Fox","e":"the quick foxes","k":"Quick","n":5,"at":"2024-01-01T23:00:00Z"}',
      },
      { id: '2', source: '{"t":"slow fox jumps","e":"jumping dogs","k":"slow fox","n":7,"at":"2024-01-02T01:00:00Z"}' },
      { id: '3', source: '{"t":"quick AND lazy dog","k":"a*b"}' },
    ],
  ],
);
const found = async (query: object): Promise<string> =>
  [...idsOf(context, (await runQuery(context, { query })).ords)].sort().join('');
const classic = (query: string, options: object = {}): Promise<string> =>
  found({ query_string: { query, ...options } });
const simple = (query: string, options: object = {}): Promise<string> =>
  found({ simple_query_string: { query, fields: ['t'], ...options } });

describe('query_string', () => {
  test.each([
    ['NOT(quick)', '2'],
    ['NOT"quick brown"', '23'],
    ['!quick', '2'],
    ['quick && brown', '1'],
    ['quikc~0.8', ''],
    ['quikc~1', '13'],
    ['quick - fox', '123'],
    ['t:(+quick -brown)', '3'],
    ['n:>5', '2'],
    ['n:{5 TO 7]', '2'],
    ['n:*', '12'],
    ['_exists_:e', '12'],
    ['k:a\\*b', '3'],
    ['t:\\u0071uick', '13'],
    ['t\\*:jumps', '2'],
    ['qui*', '13'],
    ['/qu.ck/', '13'],
    ['', ''],
  ])('%j finds %j', async (query, ids) => expect(await classic(query)).toBe(ids));

  test.each([
    'AND quick',
    '( )',
    'quick AND',
    '"quick',
    '/quick',
    'n:',
    '[1 TO 2',
    'quick^',
    'a:b:c',
    'quick\\',
    '\\u00',
  ])('%j is no text of the language', async (query) => {
    await expect(classic(query)).rejects.toMatchObject({
      type: 'query_shard_exception',
      reason: `Failed to parse query [${query}]`,
      causedBy: { type: 'parse_exception' },
      // What Lucene says is no root cause: it does not know the index.
      rootCauses: [],
    });
  });

  test('tells where the text goes wrong', async () => {
    const reason =
      /^Cannot parse 'quick AND': Encountered "<EOF>" at line 1, column 9\.\nWas expecting one of:\n {4}<NOT> \.\.\.\n/;
    await expect(classic('quick AND')).rejects.toMatchObject({ causedBy: { reason: expect.stringMatching(reason) } });
  });

  test('minimum_should_match counts words of one field, and fields that are combined as one', async () => {
    expect(await classic('quick fox jumps', { fields: ['t'], minimum_should_match: 2 })).toBe('12');
    expect(await classic('quick fox jumps', { fields: ['t', 'e'], minimum_should_match: 2 })).toBe('123');
    expect(await classic('+quick +brown', { fields: ['t'], minimum_should_match: 1 })).toBe('');
  });

  test.each([
    ['*uick', { allow_leading_wildcard: true }, '13'],
    ['t:quick', { escape: true }, ''],
    ['"quick (brown', { escape: true, default_operator: 'and', fields: ['t'] }, '1'],
    ['"quick and"', { quote_field_suffix: '.exact', fields: ['t'] }, ''],
    ['"quick AND"', { quote_field_suffix: '.exact', fields: ['t'] }, '3'],
    ['"quick AND"', { quote_analyzer: 'keyword', fields: ['t'] }, ''],
    ['jumped*', { fields: ['e'] }, ''],
    ['jumped*', { fields: ['e'], analyze_wildcard: true }, '2'],
    ['"quick fox"', { phrase_slop: 1, fields: ['t'] }, '1'],
    ['quikc~', { fuzzy_prefix_length: 4, fields: ['t'] }, ''],
    ['quikc~1', { fuzzy_transpositions: false, fields: ['t'] }, ''],
    ['quikc~', { fuzziness: '0', fields: ['t'] }, ''],
    ['at:2024-01-02', { time_zone: '+02:00' }, '12'],
    ['at:2024-01-02', {}, '2'],
    ['x', { fields: ['n'], lenient: true }, ''],
    ['fox', { default_field: 'k' }, ''],
    ['fox', { default_field: 't' }, '12'],
  ])('%j with %j finds %j', async (query, options, ids) => expect(await classic(query, options)).toBe(ids));

  test.each([
    ['*uick', { allow_leading_wildcard: false }, /Failed to parse query/],
    ['x', { fields: ['n'] }, /For input string: "x"/],
    ['1*', { fields: ['n'] }, /Can only use prefix queries on keyword, text and wildcard fields/],
    ['quick', { enable_position_increments: false }, /enable_position_increments/],
    ['quick', { quote_analyzer: 'nope' }, /\[query_string\] quote_analyzer \[nope\] not found/],
    ['quick', { rewrite: 'nope' }, /Failed to parse rewrite_method \[nope\]/],
    ['quick', { time_zone: 'nope' }, /nope/],
    ['"quick brown"~-1', { fields: ['t'] }, /Slop must be >= 0, got -1/],
    ['quick', { fields: 't' }, /\[query_string\] query does not support \[fields\]/],
    ['quick', { split_on_whitespace: true }, /\[query_string\] query does not support \[split_on_whitespace\]/],
  ])('%j with %j is refused', async (query, options, reason) => {
    await expect(classic(query, options)).rejects.toThrow(reason);
  });

  test('a text of any length is read in one pass, and refused where it goes too deep', async () => {
    await expect(classic('('.repeat(100_000))).rejects.toMatchObject({ type: 'query_shard_exception' });
    await expect(classic('"\\'.repeat(50_000))).rejects.toMatchObject({ type: 'query_shard_exception' });
    await expect(classic('/\\'.repeat(50_000))).rejects.toMatchObject({ type: 'query_shard_exception' });
    await expect(classic('+a '.repeat(50_000))).rejects.toThrow('maxClauseCount is set to 4096');
  });
});

describe('simple_query_string', () => {
  test.each([
    ['quick | slow', '123'],
    ['quick + brown', '1'],
    ['quick | slow + fox', '12'],
    ['-quick', '2'],
    ['--quick', '13'],
    ['- quick', '13'],
    ['qui*', '13'],
    ['quikc~1', '13'],
    ['"quick fox"~1', '1'],
    ['(slow | lazy) + quick', '3'],
    ['t:quick', ''],
    ['quick AND slow', '123'],
    ['/qu.ck/', ''],
    ['"quick', '13'],
    ['(quick', '13'],
    ['(', ''],
    ['', ''],
    ['*', '123'],
    ['nope\\*', ''],
  ])('%j finds %j', async (query, ids) => expect(await simple(query)).toBe(ids));

  test.each([
    ['quick brown', { default_operator: 'and' }, '1'],
    ['quick fox jumps', { minimum_should_match: 2 }, '12'],
    ['quick +brown', { flags: 'OR' }, '13'],
    ['qui*', { flags: 'AND|OR' }, ''],
    ['qui*', { flags: 8 }, '13'],
    ['"quick and"', { quote_field_suffix: '.exact' }, ''],
    ['jumped*', { fields: ['e'], analyze_wildcard: true }, '2'],
    ['quikc~', { fuzzy_prefix_length: 4 }, ''],
    ['x', { fields: ['n'], lenient: true }, ''],
    ['quick', { fields: ['k^2', 't'] }, '13'],
    ['fox*', { fields: ['*'] }, '12'],
  ])('%j with %j finds %j', async (query, options, ids) => expect(await simple(query, options)).toBe(ids));

  test.each([
    ['x', { fields: ['n'] }, /For input string: "x"/],
    ['x', { flags: 'NEVER' }, /Unknown simple_query_string flag \[NEVER\]/],
    ['x', { default_field: 't' }, /\[simple_query_string\] unsupported field \[default_field\]/],
    ['x', { analyzer: 'nope' }, /\[simple_query_string\] analyzer \[nope\] not found/],
    ['(a '.repeat(60) + ')'.repeat(60), {}, /too many nested parentheses/],
  ])('%j with %j is refused', async (query, options, reason) => {
    await expect(simple(query, options)).rejects.toThrow(reason);
  });

  test('parentheses that nothing closes cost one pass', async () => {
    expect(await simple(`${'('.repeat(100_000)}quick`)).toBe('13');
  });
});

test('an index may say that values that do not fit are no match', async () => {
  const lenient = { ...context, settings: { 'index.query_string.lenient': 'true' } };
  const query = { query_string: { query: 'x', fields: ['n'] } };
  expect((await runQuery(lenient, { query })).ords.length).toBe(0);
  await expect(runQuery(context, { query })).rejects.toThrow('For input string: "x"');
});

describe('match on fields that are not analysed', () => {
  test.each([
    [{ match: { k: { query: 'Quick x', analyzer: 'whitespace' } } }, '1'],
    [{ match: { n: { query: '5 7', analyzer: 'whitespace' } } }, '12'],
    [{ match_phrase: { n: { query: '5', analyzer: 'whitespace' } } }, '1'],
    [{ match_bool_prefix: { t: 'qui' } }, '13'],
    [{ match_bool_prefix: { t: 'qui ' } }, ''],
  ])('%j finds %j', async (query, ids) => expect(await found(query)).toBe(ids));

  test.each([
    [{ match: { n: { query: 5, fuzziness: 1 } } }, /Can only use fuzzy queries on keyword and text fields/],
    [
      { match_phrase: { k: { query: 'a b', analyzer: 'whitespace' } } },
      /field:\[k\] was indexed without position data; cannot run PhraseQuery/,
    ],
    [{ match_phrase: { n: { query: '1 2', analyzer: 'whitespace' } } }, /Can only use phrase queries on text fields/],
  ])('%j is refused', async (query, reason) => {
    await expect(found(query)).rejects.toThrow(reason);
  });
});

describe('limits that only a shard meets', () => {
  test.each([
    [{ fuzzy: { t: { value: 'a', prefix_length: -1 } } }, 'prefixLength cannot be negative.'],
    [{ fuzzy: { t: { value: 'a', max_expansions: 0 } } }, 'maxExpansions must be positive.'],
    [{ query_string: { query: 'a~1', fields: ['t'], fuzzy_prefix_length: -1 } }, 'prefixLength cannot be negative.'],
    [{ intervals: { t: { fuzzy: { term: 'a', prefix_length: -1 } } } }, 'prefixLength cannot be negative.'],
    [{ dis_max: { queries: [{ match_all: {} }], tie_breaker: 2 } }, 'tieBreakerMultiplier must be in [0, 1]'],
    [{ multi_match: { query: 'a', fields: ['t', 'e'], tie_breaker: -1 } }, 'tieBreakerMultiplier must be in [0, 1]'],
    [{ range: { n: { gte: 1, time_zone: 'nope' } } }, 'nope'],
  ])('%j is refused', async (query, reason) => {
    await expect(found(query)).rejects.toThrow(reason);
  });
});

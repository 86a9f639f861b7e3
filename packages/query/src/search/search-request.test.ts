import { isShoalError, renderErrorBody } from '@shoal/core';
import { compareColumnEntries, filterSourceBytes, type SortColumn, sortValueForHit } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { defaultRequest, searchRequest } from './default-request.ts';
import { parseCountRequest, parseSearch } from './parse-search-request.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const search = (body: string | object | null, params: Record<string, string> = {}) =>
  parseSearch({
    body: body === null ? null : bytes(typeof body === 'string' ? body : JSON.stringify(body)),
    params,
  }).request;

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (isShoalError(error)) return renderErrorBody(error);
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a search request', () => {
  test('without anything asks for the first ten of all documents', () => {
    expect(search(null)).toMatchObject({
      from: 0,
      size: 10,
      query: { kind: 'matchAll' },
      sort: [],
      trackTotalHits: 10_000,
      source: { enabled: true },
    });
  });

  test('takes sort values beyond 64 bits as the nearest doubles', () => {
    // The end of the longs, as a client whose numbers are doubles writes it.
    const after = search('{"sort":["a","b"],"search_after":[-9223372036854776000,1e25]}').searchAfter;
    expect(after).toEqual([-(2 ** 63), 1e25]);
    const [sort] = search('{"sort":[{"a":{"missing":18446744073709551616}}]}').sort;
    expect(sort).toMatchObject({ missing: 2 ** 64 });
    expect(search('{"sort":["a"],"search_after":[-9223372036854775808]}').searchAfter).toEqual([-(2n ** 63n)]);
  });

  test('sorts by the field that a number or a boolean alone names', () => {
    expect(search('{"sort":1.5}').sort).toMatchObject([{ kind: 'field', field: '1.5' }]);
    expect(search('{"sort":true}').sort).toMatchObject([{ kind: 'field', field: 'true' }]);
    expect(() => search('{"sort":[1.5]}')).toThrow('malformed sort format');
  });

  test('takes parameters over the body', () => {
    const request = search({ size: 3, sort: [{ n: 'desc' }, '_score'] }, { size: '5', q: 'a:b', sort: 'x:desc,_doc' });
    expect(request).toMatchObject({
      size: 5,
      query: { kind: 'queryString', text: 'a:b' },
      sort: [
        { kind: 'field', field: 'x', order: 'desc' },
        { kind: 'doc', order: 'asc' },
      ],
    });
  });

  test('sorted by score alone has no sort values', () => {
    expect(search({ sort: ['_score'] }).sort).toEqual([]);
    expect(search({ sort: [{ _score: 'asc' }] }).sort).toHaveLength(1);
  });

  test('reads a nested query with its defaults', () => {
    const query = {
      bool: {
        must: [{ match: { t: { query: 'a b', operator: 'and' } } }, { match_phrase: { t: { query: 'x', slop: 2 } } }],
        filter: { range: { n: { gte: 1, lt: 4711 } } },
        should: [{ multi_match: { query: 'q', fields: ['a^3', 'b'], type: 'cross_fields', tie_breaker: 0.3 } }],
        must_not: { terms: { k: ['x', 'y'], boost: 2 } },
        minimum_should_match: '75%',
      },
    };
    expect(search(JSON.stringify({ query }).replace('4711', '9007199254740993')).query).toMatchObject({
      kind: 'bool',
      must: [
        { kind: 'match', operator: 'and', value: 'a b' },
        { kind: 'matchPhrase', slop: 2 },
      ],
      filter: [{ kind: 'range', from: 1, includesFrom: true, to: 9007199254740993n, includesTo: false }],
      should: [
        {
          kind: 'multiMatch',
          type: 'cross_fields',
          tieBreaker: 0.3,
          fields: [{ pattern: 'a', boost: 3 }, { boost: 1 }],
        },
      ],
      mustNot: [{ kind: 'terms', boost: 2, values: ['x', 'y'] }],
      minimumShouldMatch: '75%',
    });
  });

  test.each([
    [
      '{"query":{"nosuch":{}}}',
      {
        type: 'parsing_exception',
        reason: 'unknown query [nosuch]',
        line: 1,
        col: 20,
        caused_by: { type: 'named_object_not_found_exception', reason: '[1:20] unknown field [nosuch]' },
      },
    ],
    [
      '{"nosuch":1}',
      { type: 'parsing_exception', reason: 'Unknown key for a VALUE_NUMBER in [nosuch].', line: 1, col: 11 },
    ],
    ['{"query": {"match": ', { type: 'json_e_o_f_exception' }],
    [
      '{"query":{"bool":{"must_nott":[]}}}',
      {
        type: 'x_content_parse_exception',
        reason: '[1:19] [bool] unknown field [must_nott] did you mean any of [must_not, mustNot]?',
      },
    ],
    ['{"suggest":{"a":{"text":"1"}}}', { type: 'parse_exception', reason: 'missing suggestion object' }],
    [
      '{"highlight":{"nosuch":1}}',
      { type: 'x_content_parse_exception', reason: '[1:15] [highlight] unknown field [nosuch]' },
    ],
    [
      '{"highlight":{"type":"old","fields":{"a":{}}}}',
      { type: 'illegal_argument_exception', reason: 'unknown highlighter type [old] for the field [a]' },
    ],
    [
      '{"collapse":{"field":"a","inner_hits":{"name":"b","collapse":{"field":"c","inner_hits":{}}}}}',
      { type: 'x_content_parse_exception', reason: '[1:88] [collapse] failed to parse field [inner_hits]' },
    ],
    ['{"rescore":{"window_size":2}}', { type: 'parsing_exception', reason: 'missing rescore type', col: 28 }],
    [
      '{"sort":["b"],"search_after":[1],"collapse":{"field":"a"}}',
      {
        reason:
          'cannot use `collapse` in conjunction with `search_after` unless the search is sorted on the same field. Multiple sort fields are not allowed.',
      },
    ],
    ['{"size":-1}', { type: 'illegal_argument_exception', reason: '[size] parameter cannot be negative, found [-1]' }],
    [
      '{"query":{"multi_match":{"query":"a","fields":["t"],"type":"bool_prefix","cutoff_frequency":0.001}}}',
      { reason: '[cutoff_frequency] not allowed for type [bool_prefix]' },
    ],
    ['{"query":{"mach":{}}}', { reason: 'unknown query [mach] did you mean [match]?' }],
  ])('%s is refused as Elasticsearch refuses it', (body, expected) => {
    expect(errorOf(() => search(body))).toMatchObject({ status: 400, error: expected });
  });

  test.each([
    ['{}', {}, null, true],
    ['{"stored_fields":[]}', {}, [], false],
    ['{"stored_fields":"a"}', {}, ['a'], false],
    ['{"stored_fields":["a","_source"]}', {}, ['a', '_source'], true],
    ['{"stored_fields":["a"],"_source":["b"]}', {}, ['a'], true],
    ['{"stored_fields":"_none_"}', {}, ['_none_'], false],
    ['{}', { stored_fields: 'a,b' }, ['a', 'b'], false],
  ])('stored fields hide the source unless it is asked for: %s %j', (body, params, storedFields, enabled) => {
    expect(search(body, params)).toMatchObject({ storedFields, source: { enabled } });
  });

  test('no stored fields at all exclude any other, and the source', () => {
    expect(errorOf(() => search('{"stored_fields":["_none_","a"]}'))).toMatchObject({ status: 400 });
    expect(errorOf(() => search('{"stored_fields":"_none_","_source":true}'))).toMatchObject({ status: 400 });
    const fields = errorOf(() => search('{"stored_fields":"_none_","fields":["a"]}'));
    expect(fields).toMatchObject({
      error: { reason: '[stored_fields] cannot be disabled when using the [fields] option' },
    });
  });

  test('a negative size in the URI is refused', () => {
    expect(errorOf(() => search(null, { size: '-1' }))).toMatchObject({
      error: { reason: '[size] parameter cannot be negative, found [-1]' },
    });
  });
});

test('a count request takes a query and nothing else', () => {
  expect(parseCountRequest({ body: bytes('{"query":{"term":{"a":"b"}}}'), params: {} }).query).toMatchObject({
    kind: 'term',
  });
  expect(errorOf(() => parseCountRequest({ body: bytes('{"size":1}'), params: {} }))).toMatchObject({
    error: { reason: 'request does not support [size]' },
  });
});

describe('source filtering', () => {
  const source = bytes('{"a":1.0,"o":{"x":1,"y":[{"z":1,"w":2},3]},"o2":{"k":"v\\"}"},"l":[ 1,2 ]}');
  const filtered = (includes: string[], excludes: string[] = []) =>
    Buffer.from(filterSourceBytes(source, { enabled: true, includes, excludes })).toString();

  test.each([
    [['a'], [], '{"a":1.0}'],
    [['o.x'], [], '{"o":{"x":1}}'],
    [['o'], ['o.y'], '{"o":{"x":1}}'],
    [[], ['o.y.w', 'l'], '{"a":1.0,"o":{"x":1,"y":[{"z":1},3]},"o2":{"k":"v\\"}"}}'],
    [['*.z'], [], '{"o":{"y":[{"z":1}]}}'],
    [['o*'], [], '{"o":{"x":1,"y":[{"z":1,"w":2},3]},"o2":{"k":"v\\"}"}}'],
    [['nope'], [], '{}'],
    [['l'], [], '{"l":[ 1,2 ]}'],
    [['o.y'], ['o.y.w', 'o.y.z'], '{"o":{"y":[{},3]}}'],
    [['o.y'], ['o.y.*'], '{"o":{"y":[3]}}'],
    [['o.y'], ['o.y.w', '*.z'], '{"o":{"y":[3]}}'],
  ])('includes %j excludes %j', (includes, excludes, expected) => expect(filtered(includes, excludes)).toBe(expected));
});

describe('comparing entries of two shards', () => {
  const strings = (values: readonly (string | null)[]): SortColumn => {
    const encoded = values.map((v) => bytes(v ?? ''));
    const offsets = new Uint32Array(values.length + 1);
    encoded.forEach((b, i) => {
      offsets[i + 1] = (offsets[i] ?? 0) + b.length;
    });
    return {
      kind: 'string',
      shown: 'text',
      offsets,
      bytes: Buffer.concat(encoded),
      missing: Uint8Array.from(values, (v) => (v === null ? 1 : 0)),
    };
  };
  const sortBy = (...sort: unknown[]) => search({ sort }).sort;

  test('best score first without a sort', () => {
    const a: SortColumn[] = [{ kind: 'score', values: Float32Array.of(1, 2) }];
    expect(compareColumnEntries([], a, 0, a, 1)).toBeGreaterThan(0);
  });

  test('strings by bytes, missing ones where they were asked to be', () => {
    const a = [strings(['b', null, '\u{1F600}', '\uFFFD'])];
    expect(compareColumnEntries(sortBy('k'), a, 3, a, 2)).toBeLessThan(0);
    expect(compareColumnEntries(sortBy({ k: 'desc' }), a, 1, a, 0)).toBeGreaterThan(0);
    expect(compareColumnEntries(sortBy({ k: { missing: '_first' } }), a, 1, a, 0)).toBeLessThan(0);
  });

  test('numbers across column kinds, then the next key', () => {
    const a: SortColumn[] = [{ kind: 'integer', values: Float64Array.of(5) }, strings(['b'])];
    const b: SortColumn[] = [
      { kind: 'bigint', values: BigInt64Array.of(5n, 9223372036854775807n) },
      strings(['a', 'a']),
    ];
    expect(compareColumnEntries(sortBy('n', 'k'), a, 0, b, 1)).toBeLessThan(0);
    expect(compareColumnEntries(sortBy('n', 'k'), a, 0, b, 0)).toBeGreaterThan(0);
    expect([sortValueForHit(b[0]!, 1), sortValueForHit(a[0]!, 0), sortValueForHit(a[1]!, 0)]).toEqual([
      9223372036854775807n,
      5,
      'b',
    ]);
  });
});

describe('a pinned query', () => {
  const pinned = (body: object) => () => search({ query: { pinned: body } });

  test('has its ids in their order, and the query of the others', () => {
    expect(pinned({ ids: ['b', 'a'], organic: { match_all: {} } })().query).toMatchObject({
      kind: 'pinned',
      docs: [
        { index: null, id: 'b' },
        { index: null, id: 'a' },
      ],
      organic: { kind: 'matchAll' },
    });
  });

  test('names documents of one index too', () => {
    const docs = [{ _index: 'logs-*', _id: 'b' }, { _id: 'b' }];
    expect(pinned({ docs, organic: { match_all: {} } })().query).toMatchObject({
      docs: [
        { index: 'logs-*', id: 'b' },
        { index: null, id: 'b' },
      ],
    });
  });

  test.each([
    [{}, 'Required one of fields [ids, docs], but none were specified. '],
    [{ ids: ['a'] }, 'Required [organic]'],
    [{ organic: { match_all: {} } }, 'Required one of fields [ids, docs], but none were specified. '],
    [
      { ids: ['a'], docs: [{ _id: 'a' }], organic: { match_all: {} } },
      'The following fields are not allowed together: [ids, docs] ',
    ],
    [{ docs: [{ _index: 'a' }], organic: { match_all: {} } }, 'Required [_id]'],
    [{ docs: [{ _id: 'a', routing: 'b' }], organic: { match_all: {} } }, 'unknown field [routing]'],
    [
      {
        docs: [
          { _index: 'i', _id: 'a' },
          { _index: 'i', _id: 'a' },
        ],
        organic: { match_all: {} },
      },
      '[pinned] duplicate doc found in list: i/a',
    ],
    [{ ids: ['a', 'b', 'a'], organic: { match_all: {} } }, '[pinned] duplicate id found in list: a'],
    [
      { ids: Array.from({ length: 101 }, (_, i) => String(i)), organic: { match_all: {} } },
      '[pinned] Max of 100 ids exceeded: 101 provided.',
    ],
  ])('is refused: %j', (body, reason) => {
    expect(pinned(body)).toThrow(reason);
  });
});

describe('the defaults of a search', () => {
  test('are copied for each search: what one changes, the next does not see', () => {
    const changed = defaultRequest();
    changed.size = 3;
    changed.sort = search({ sort: ['_doc'] }).sort;
    expect(defaultRequest()).toEqual(searchRequest({}));
    expect(defaultRequest()).toMatchObject({ size: 10, sort: [] });
    expect(Object.keys(changed)).toEqual(Object.keys(searchRequest({ size: 3 })));
  });
});

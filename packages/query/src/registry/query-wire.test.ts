import { isMalformedMessage, isShoalError, parseJsonTree, ValueReader } from '@shoal/core';
import fc from 'fast-check';
import { type Options, Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { FETCHED_TERMS } from '../kinds/more-like-this/liked-document.ts';
import { parseQuery, type Query, readQuery } from './query.ts';
import * as QUERY_KINDS from './query-kinds.ts';

const parse = (json: string): Query => {
  const node = parseJsonTree(new TextEncoder().encode(json));
  if (node === null) throw new Error('no query');
  return parseQuery(node);
};

/** Encodes as messages between nodes are encoded. */
const packOptions = { useRecords: false, encodeUndefinedAsNil: true, moreTypes: false, int64AsType: 'auto' as string };
const packr = new Packr(packOptions as Options);
const sent = (value: unknown): Query => readQuery(ValueReader.of(packr.unpack(packr.pack(value))));

const name = fc.constantFrom('a', 'b.c', 'feld_ü', '_id');
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'red car', 'a~1 "b c"', '10.0.0.0/8'));
const whole = fc.integer({ min: 0, max: 100 });
const positive = fc.integer({ min: 1, max: 100 });
const boost = fc.float({ noNaN: true, noDefaultInfinity: true, min: 0, max: 100 }).map((value) => Math.abs(value));
const scalar: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 2n ** 64n, max: 2n ** 90n }),
  fc.boolean(),
);
const common = { boost, _name: text };
const options = { requiredKeys: [] as never[] };
const some = (shape: Record<string, fc.Arbitrary<unknown>>) => fc.record({ ...shape, ...common }, options);
const withField = (value: fc.Arbitrary<unknown>) => fc.tuple(name, value).map(([field, one]) => ({ [field]: one }));
const innerHits = (query: fc.Arbitrary<unknown>) =>
  fc.record(
    {
      name: text,
      ignore_unmapped: fc.boolean(),
      from: whole,
      size: whole,
      sort: fc.oneof(
        fc.constant(['a', { b: { order: 'desc', missing: 3n } }, { _score: 'asc' }]),
        query.map((filter) => ({ 'a.b': { nested: { path: 'a', filter, max_children: 2, nested: { path: 'a.c' } } } })),
      ),
      explain: fc.boolean(),
      version: fc.boolean(),
      seq_no_primary_term: fc.boolean(),
      track_scores: fc.boolean(),
      _source: fc.constantFrom(false, ['a', 'b.*'], { excludes: 'c' }),
      docvalue_fields: fc.constantFrom([], ['a', { field: 'b', format: 'x' }]),
      fields: fc.constantFrom([], [{ field: 'b*', include_unmapped: true }]),
      highlight: query.map((inner) => ({ fields: { a: { highlight_query: inner }, 'b.*': { type: 'plain' } } })),
    },
    options,
  );
const fuzzyOptions = { fuzziness: fc.constantFrom('AUTO', '1', 2), prefix_length: whole, max_expansions: positive };
const wordOptions = {
  operator: fc.constantFrom('or', 'AND'),
  minimum_should_match: fc.constantFrom('75%', 2),
  analyzer: text,
};
const fullText = { ...wordOptions, lenient: fc.boolean() };
const must = (shape: Record<string, fc.Arbitrary<unknown>>, rest: fc.Arbitrary<object>) =>
  fc.tuple(fc.record(shape), rest).map(([a, b]) => ({ ...b, ...a }));
const one = (kind: string, body: fc.Arbitrary<unknown>) => body.map((value) => ({ [kind]: value }));

const likedArb = fc.oneof(
  text,
  fc.record({
    _id: name,
    [FETCHED_TERMS]: fc.array(
      fc.record(
        { index: name, fields: fc.dictionary(name, fc.dictionary(name, positive)) },
        { requiredKeys: ['fields'] },
      ),
    ),
  }),
);

const place = fc.constantFrom([3, 4], { lat: 1, lon: -2.5 }, '5,6', 'u33d', 'POINT (7 8)');

const pattern = (kind: string) =>
  one(kind, withField(must({ value: text }, some({ case_insensitive: fc.boolean(), rewrite: text }))));
const multiTerm = fc.oneof(
  pattern('prefix'),
  pattern('wildcard'),
  pattern('regexp'),
  one('fuzzy', withField(must({ value: scalar }, some(fuzzyOptions)))),
);

const { span } = fc.letrec<{ span: unknown }>((tie) => ({
  span: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'span' },
    one('span_term', withField(fc.record({ value: scalar }))),
    one('span_multi', fc.record({ match: multiTerm })),
    one('span_or', fc.record({ clauses: fc.array(tie('span'), { minLength: 1, maxLength: 3 }) })),
    one(
      'span_near',
      must(
        { clauses: fc.array(tie('span'), { minLength: 1, maxLength: 3 }) },
        fc.record({ slop: whole, in_order: fc.boolean() }),
      ),
    ),
    one(
      'span_near',
      tie('span').map((first) => ({ clauses: [first, { span_gap: { f: 2 } }, first] })),
    ),
    one('span_not', fc.record({ include: tie('span'), exclude: tie('span'), dist: whole })),
    one('span_first', fc.record({ match: tie('span'), end: whole })),
    one('span_containing', fc.record({ big: tie('span'), little: tie('span') })),
    one('span_within', fc.record({ big: tie('span'), little: tie('span') })),
    one('field_masking_span', fc.record({ query: tie('span'), field: name })),
  ),
}));

const { source } = fc.letrec<{ source: unknown }>((tie) => {
  const related = fc
    .tuple(fc.constantFrom('containing', 'not_overlapping', 'before'), tie('source'))
    .map(([relation, one]) => ({ [relation]: one }));
  const filter = fc.oneof(related, fc.constant({ script: { source: 'interval.gaps == 0' } }));
  const choice = { analyzer: text, use_field: name };
  const filtered = fc.oneof(fc.constant({}), fc.record({ filter }));
  return {
    source: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'source' },
      one('match', must({ query: text }, fc.record({ ...choice, max_gaps: whole, ordered: fc.boolean() }, options))),
      one('match', must({ query: text }, filtered)),
      one('any_of', must({ intervals: fc.array(tie('source'), { maxLength: 3 }) }, filtered)),
      one('all_of', must({ intervals: fc.array(tie('source'), { maxLength: 3 }), max_gaps: whole }, filtered)),
      one('prefix', must({ prefix: text }, fc.record(choice, options))),
      one('wildcard', must({ pattern: text }, fc.record(choice, options))),
      one(
        'regexp',
        must(
          { pattern: text },
          fc.record(
            { ...choice, case_insensitive: fc.boolean(), flags: fc.constantFrom('ALL', 'NONE', 'INTERVAL|EMPTY') },
            options,
          ),
        ),
      ),
      one(
        'fuzzy',
        must(
          { term: text },
          fc.record({ fuzziness: fc.constantFrom('AUTO', '2'), transpositions: fc.boolean() }, options),
        ),
      ),
    ),
  };
});

const { query } = fc.letrec<{ query: unknown }>((tie) => {
  const clauses = fc.array(tie('query'), { maxLength: 3 });
  const score = fc.oneof(
    one(
      'field_value_factor',
      must(
        { field: name },
        fc.record({ factor: whole, modifier: fc.constantFrom('none', 'ln2p'), missing: whole }, options),
      ),
    ),
    one('random_score', fc.record({ seed: fc.oneof(fc.integer(), fc.string()), field: name }, options)),
    one('gauss', withField(fc.record({ origin: scalar, scale: scalar, offset: scalar, decay: fc.constant(0.25) }))),
    one(
      'linear',
      withField(fc.record({ scale: scalar })).map((one) => ({ ...one, multi_value_mode: 'avg' })),
    ),
    fc.record({ weight: whole }),
  );
  return {
    query: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'query' },
      one('match_all', some({})),
      one('match_none', some({})),
      one('term', withField(must({ value: scalar }, some({ case_insensitive: fc.boolean() })))),
      one('terms', withField(fc.array(scalar))),
      one('terms_set', withField(some({ terms: fc.array(scalar), minimum_should_match_field: name }))),
      one(
        'range',
        withField(
          some({
            gte: scalar,
            lt: scalar,
            format: text,
            time_zone: text,
            relation: fc.constantFrom('within', 'CONTAINS', 'intersects'),
          }),
        ),
      ),
      one(
        'common',
        withField(
          must(
            { query: text },
            some({
              cutoff_frequency: boost,
              low_freq_operator: fc.constantFrom('or', 'AND'),
              high_freq_operator: fc.constantFrom('or', 'AND'),
              minimum_should_match: fc.constantFrom('75%', 2, { low_freq: 1, high_freq: '50%' }),
              analyzer: text,
            }),
          ),
        ),
      ),
      one('type', fc.record({ value: fc.constantFrom('_doc', 'other'), ...common })),
      one(
        'combined_fields',
        must(
          { query: text, fields: fc.array(fc.constantFrom('a^2.5', 'b*'), { minLength: 1 }) },
          some({
            operator: fullText.operator,
            minimum_should_match: fullText.minimum_should_match,
            zero_terms_query: fc.constantFrom('all', 'none'),
            auto_generate_synonyms_phrase_query: fc.boolean(),
          }),
        ),
      ),
      one(
        'more_like_this',
        must(
          { like: fc.array(likedArb, { minLength: 1 }) },
          some({
            fields: fc.array(name, { minLength: 1 }),
            unlike: fc.array(likedArb),
            max_query_terms: positive,
            min_doc_freq: whole,
            stop_words: fc.array(text),
            analyzer: text,
            minimum_should_match: fc.constantFrom('75%', 2),
            boost_terms: boost,
            include: fc.boolean(),
            fail_on_unsupported_field: fc.boolean(),
          }),
        ),
      ),
      one('exists', fc.record({ field: name })),
      one('ids', fc.record({ values: fc.array(text) })),
      multiTerm,
      one('match', withField(must({ query: scalar }, some({ ...fullText, ...fuzzyOptions })))),
      one('match_bool_prefix', withField(must({ query: scalar }, some(wordOptions)))),
      one(
        'match_phrase',
        withField(must({ query: scalar }, some({ slop: whole, zero_terms_query: fc.constantFrom('all', 'none') }))),
      ),
      one('match_phrase_prefix', withField(must({ query: scalar }, some({ max_expansions: positive })))),
      one(
        'multi_match',
        must(
          { query: scalar },
          some({
            ...fullText,
            fields: fc.array(fc.constantFrom('a^2.5', 'b*')),
            tie_breaker: boost,
            type: fc.constantFrom('cross_fields', 'phrase', 'boolean'),
          }),
        ),
      ),
      one(
        'query_string',
        must(
          { query: text },
          some({
            default_field: name,
            fuzziness: text,
            phrase_slop: fc.integer({ min: -3, max: 3 }),
            max_determinized_states: whole,
            lenient: fc.boolean(),
            escape: fc.boolean(),
            allow_leading_wildcard: fc.boolean(),
            quote_analyzer: text,
            quote_field_suffix: fc.constantFrom('.exact', ''),
          }),
        ),
      ),
      one(
        'simple_query_string',
        must(
          { query: text },
          some({
            fields: fc.array(fc.constantFrom('a^2', 'b')),
            flags: fc.constantFrom('ALL', 'none', 'OR|near', 5, -1),
          }),
        ),
      ),
      span,
      one('intervals', withField(source)),
      one(
        'bool',
        some({ must: clauses, filter: tie('query'), should: clauses, must_not: clauses, minimum_should_match: whole }),
      ),
      one('constant_score', must({ filter: tie('query') }, some({}))),
      one('script', must({ script: script() }, some({}))),
      one('script_score', must({ query: tie('query'), script: scriptObject() }, some({ min_score: whole }))),
      one('dis_max', must({ queries: clauses }, some({ tie_breaker: boost }))),
      one(
        'nested',
        must(
          { path: fc.constantFrom('a', 'a.b'), query: tie('query') },
          some({
            score_mode: fc.constantFrom('none', 'min', 'avg'),
            ignore_unmapped: fc.boolean(),
            inner_hits: innerHits(tie('query')),
          }),
        ),
      ),
      one(
        'has_child',
        must(
          { type: name, query: tie('query') },
          some({
            score_mode: fc.constantFrom('none', 'min', 'avg'),
            min_children: fc.nat(3),
            max_children: fc.integer({ min: 3, max: 9 }),
            ignore_unmapped: fc.boolean(),
            inner_hits: innerHits(tie('query')),
          }),
        ),
      ),
      one(
        'has_parent',
        must(
          { parent_type: name, query: tie('query') },
          some({ score: fc.boolean(), ignore_unmapped: fc.boolean(), inner_hits: innerHits(tie('query')) }),
        ),
      ),
      one(
        'percolate',
        must({ field: name, documents: fc.constant([{ a: 1.5, b: ['x', null] }, {}]) }, some({ name: text })),
      ),
      one('parent_id', must({ type: name, id: text }, some({ ignore_unmapped: fc.boolean() }))),
      one('pinned', fc.record({ ids: fc.uniqueArray(name, { maxLength: 3 }), organic: tie('query') })),
      one(
        'pinned',
        fc.record({ docs: fc.constantFrom([{ _index: 'i', _id: 'a' }, { _id: 'a' }]), organic: tie('query') }),
      ),
      one(
        'knn',
        must(
          { field: name, query_vector: fc.array(fc.integer(), { maxLength: 3 }) },
          some({
            k: positive,
            num_candidates: fc.constant(100),
            similarity: whole,
            filter: fc.array(tie('query'), { maxLength: 2 }),
          }),
        ),
      ),
      one(
        'knn',
        must(
          {
            'a.b': must(
              { vector: fc.array(fc.integer(), { minLength: 1, maxLength: 3 }) },
              fc.constantFrom({ k: 3 }, { min_score: 0.5, boost: 2 }, { max_distance: -1 }),
            ),
          },
          fc.record(common, options),
        ),
      ),
      one('boosting', fc.record({ positive: tie('query'), negative: tie('query'), negative_boost: boost })),
      one(
        'function_score',
        some({
          query: tie('query'),
          functions: fc.array(
            fc.tuple(score, fc.record({ filter: tie('query') }, options)).map(([a, b]) => ({ ...b, ...a })),
            { maxLength: 3 },
          ),
          score_mode: fc.constantFrom('avg', 'first'),
          max_boost: whole,
          min_score: whole,
        }),
      ),
      one('rank_feature', fc.record({ field: name, saturation: fc.record({ pivot: fc.constantFrom(1, 2.5) }) })),
      one('rank_feature', fc.record({ field: name, log: fc.record({ scaling_factor: fc.constantFrom(1, 4) }) })),
      one(
        'rank_feature',
        fc.record({ field: name, sigmoid: fc.record({ pivot: fc.constant(1), exponent: fc.constant(0.5) }) }),
      ),
      one('distance_feature', fc.record({ field: name, origin: fc.oneof(name, place), pivot: text })),
      one(
        'geo_bounding_box',
        must(
          { p: fc.record({ top_left: place, bottom_right: fc.constant([170, -90]) }) },
          some({ validation_method: fc.constantFrom('COERCE', 'strict'), ignore_unmapped: fc.boolean() }),
        ),
      ),
      one(
        'geo_shape',
        must(
          {
            p: fc.record(
              {
                shape: fc.constantFrom('POINT (1 2)', { type: 'circle', coordinates: [1, 2], radius: '3km' }),
                relation: fc.constantFrom('within', 'CONTAINS'),
                strategy: fc.constant('recursive'),
              },
              { requiredKeys: ['shape'] },
            ),
          },
          some({ ignore_unmapped: fc.boolean() }),
        ),
      ),
      one('shape', must({ p: fc.record({ shape: fc.constant('POINT (1 2)') }) }, some({}))),
      one('geo_distance', must({ distance: fc.constantFrom('12km', 3), p: place }, some({ unit: fc.constant('mi') }))),
      one(
        'geo_polygon',
        must({ p: fc.array(place, { minLength: 5, maxLength: 9 }).map((points) => ({ points })) }, some({})),
      ),
      one(
        'wrapper',
        tie('query').map((inner) => ({ query: Buffer.from(written(inner)).toString('base64') })),
      ),
    ),
  };
});

/** JSON with bigints as plain integers. */
function written(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `#${one}#` : one)).replace(
    /"#(-?\d+)#"/g,
    '$1',
  );
}

/** Scripts in the form of an object: the only one that `script_score` takes. */
function scriptObject(): fc.Arbitrary<object> {
  const params = fc.constantFrom({}, { x: 1.5, y: ['a', null] });
  const inline = fc.record({ source: fc.constantFrom('1', 'params.x'), params }, { requiredKeys: ['source'] });
  return fc.oneof(inline, fc.record({ id: fc.constant('stored') }));
}

function script(): fc.Arbitrary<string | object> {
  return fc.oneof(fc.constantFrom('1', 'true'), scriptObject());
}

describe('a query that crosses the wire', () => {
  test('is read as it was parsed, whatever it holds', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(query, (request) => {
        const json = written(request);
        const parsed = parse(json);
        seen.add(parsed.kind);
        expect(sent(parsed)).toEqual(parsed);
      }),
      { numRuns: 1_000 },
    );
    const kinds = new Set(Object.values(QUERY_KINDS).flatMap(({ kind }) => kind ?? []));
    expect([...kinds].filter((kind) => !seen.has(kind))).toEqual([]);
  });

  test('keeps integers beyond 64 bits as their text', () => {
    expect(parse('{"term":{"a":123456789012345678901234567890}}')).toMatchObject({
      value: '123456789012345678901234567890',
    });
    expect(parse('{"term":{"a":18446744073709551615}}')).toMatchObject({ value: 18446744073709551615n });
    expect(sent(parse('{"range":{"a":{"lt":1e999}}}'))).toMatchObject({ to: Number.POSITIVE_INFINITY });
  });

  const ALL = { kind: 'matchAll', boost: 1, name: null };
  const nested = (depth: number): unknown =>
    depth === 0 ? ALL : { kind: 'constantScore', filter: nested(depth - 1), boost: 1, name: null };
  const spans = (depth: number): unknown =>
    depth === 0 ? { kind: 'term', field: 'f', value: 'v' } : { kind: 'or', clauses: [spans(depth - 1)] };
  const sources = (depth: number): unknown => ({
    kind: 'anyOf',
    sources: [],
    filter: depth === 0 ? null : { relation: 'before', source: sources(depth - 1) },
  });
  const span1 = (span: unknown) => ({ kind: 'span', span, named: [], boost: 1, name: null });
  const intervals1 = (source: unknown) => ({ kind: 'intervals', field: 'f', source, boost: 1, name: null });

  test.each<[string, unknown]>([
    ['nests queries as deep as requests may', nested(30)],
    ['nests spans as deep as requests may', span1(spans(30))],
    ['nests intervals as deep as requests may', intervals1(sources(30))],
  ])('%s', (_, tree) => expect(sent(tree)).toEqual(tree));

  test.each<[string, unknown]>([
    ['has no kind', { boost: 1, name: null }],
    ['has an unknown kind', { ...ALL, kind: 'nosuch' }],
    ['has the kind of an inherited property', { ...ALL, kind: 'constructor' }],
    ['has the name of a request for its kind', { ...ALL, kind: 'match_all' }],
    ['has no boost', { kind: 'matchAll', name: null }],
    ['has a boost that is no number', { ...ALL, boost: Number.NaN }],
    ['has a text for a number', { ...ALL, boost: '1' }],
    ['has a list for a value', { ...ALL, kind: 'term', field: 'a', value: [1], isCaseInsensitive: false }],
    ['lacks a value', { ...ALL, kind: 'term', field: 'a', isCaseInsensitive: false }],
    ['has a query that is a text', { ...ALL, kind: 'constantScore', filter: 'x' }],
    ['lacks its inner query', { ...ALL, kind: 'constantScore' }],
    ['has clauses that are no list', { ...ALL, kind: 'disMax', tieBreaker: 0, queries: ALL }],
    [
      'has a negative slop',
      {
        ...ALL,
        kind: 'matchPhrase',
        field: 'a',
        value: 'x',
        slop: -1,
        analyzer: null,
        zeroTerms: 'none',
        maxExpansions: 1,
      },
    ],
    [
      'has a slop with a fraction',
      {
        ...ALL,
        kind: 'matchPhrase',
        field: 'a',
        value: 'x',
        slop: 0.5,
        analyzer: null,
        zeroTerms: 'none',
        maxExpansions: 1,
      },
    ],
    ['nests queries too deep', nested(33)],
    ['nests spans too deep', span1(spans(31))],
    ['nests intervals too deep', intervals1(sources(31))],
    ['has a gap for a span', span1({ kind: 'gap', field: 'a', width: 1 })],
    [
      'begins a near with a gap',
      span1({ kind: 'near', slop: 0, isOrdered: true, clauses: [{ kind: 'gap', field: 'a', width: 1 }] }),
    ],
    ['has a span of queries that are none of terms', span1({ kind: 'multi', query: ALL })],
  ])('is refused when it %s', (_, tree) => {
    let thrown: unknown;
    try {
      readQuery(ValueReader.of(tree));
    } catch (error) {
      thrown = error;
    }
    expect(isMalformedMessage(thrown)).toBe(true);
  });

  test('is refused or read, and never breaks the reader, when any part of it is replaced', () => {
    fc.assert(
      fc.property(
        query,
        fc.nat(),
        fc.oneof(scalar, fc.constantFrom(null, undefined, [], {}, ALL)),
        (request, at, other) => {
          const tree: unknown = JSON.parse(
            JSON.stringify(parse(written(request)), (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)),
          );
          replaceAt(tree, at, other);
          try {
            readQuery(ValueReader.of(tree));
          } catch (error) {
            if (!isShoalError(error) || !isMalformedMessage(error)) throw error;
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** Replaces one member of the tree, counted in the order of a walk. */
function replaceAt(tree: unknown, at: number, other: unknown): void {
  const slots: { readonly holder: Record<string, unknown>; readonly key: string }[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const holder = value as Record<string, unknown>; // The caller checked that it is an object or a list.
    for (const key of Object.keys(holder)) {
      slots.push({ holder, key });
      walk(holder[key]);
    }
  };
  walk(tree);
  const slot = slots[at % slots.length];
  if (slot) slot.holder[slot.key] = other;
}

/**
 * Bodies of real requests, by a part of the path that they belong to: what a fuzzer begins with.
 */

import { MORE_AGGREGATIONS, MORE_BODIES, MORE_LINES, MORE_QUERIES, MORE_SEARCHES } from './more-bodies.test-support.ts';

export const FIXTURE_MAPPING = {
  properties: {
    t: { type: 'text', fielddata: true, term_vector: 'with_positions_offsets' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    f: { type: 'double' },
    d: { type: 'date' },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    g: { type: 'geo_point' },
    r: { type: 'integer_range' },
    c: { type: 'completion' },
    s: { type: 'search_as_you_type' },
    o: { type: 'nested', properties: { k: { type: 'keyword' }, n: { type: 'long' } } },
    j: { type: 'join', relations: { parent: 'child' } },
    p: { type: 'percolator' },
    a: { type: 'alias', path: 'k' },
    rf: { type: 'rank_feature' },
  },
};

export const FIXTURE_DOCUMENT = {
  t: 'the quick brown fox jumps over the lazy dog',
  k: 'red',
  n: 7,
  f: 1.5,
  d: '2020-05-17T10:00:00Z',
  b: true,
  ip: '10.0.0.1',
  g: { lat: 52.1, lon: 4.3 },
  r: { gte: 1, lt: 9 },
  rf: 3,
  c: ['alpha', 'beta'],
  s: 'search as you type',
  o: [{ k: 'x', n: 1 }],
  j: 'parent',
  p: { match: { t: 'fox' } },
};

const SCRIPT = { source: "doc['n'].size() == 0 ? params.a : doc['n'].value * 2", params: { a: 1 } };

const QUERIES: readonly unknown[] = [
  { match_all: { boost: 2 } },
  { match: { t: { query: 'quick fox', operator: 'and', fuzziness: 'AUTO', minimum_should_match: '75%' } } },
  { match_phrase_prefix: { t: { query: 'quick br', slop: 2, max_expansions: 5 } } },
  { match_bool_prefix: { t: 'quick br' } },
  { multi_match: { query: 'quick', fields: ['t^2', 's'], type: 'cross_fields', tie_breaker: 0.3 } },
  { query_string: { query: 't:(quick OR brown~) AND n:[1 TO *]', default_operator: 'AND' } },
  { simple_query_string: { query: '"quick fox" +dog -cat*', fields: ['t'] } },
  {
    bool: {
      must: [{ term: { k: 'red' } }],
      filter: { range: { n: { gte: 1 } } },
      should: [{ exists: { field: 'f' } }],
    },
  },
  { terms: { k: ['red', 'blue'] } },
  { terms_set: { k: { terms: ['red'], minimum_should_match_script: { source: '1' } } } },
  { range: { d: { gte: '2020-01-01||/M', lte: 'now+1d', time_zone: '+01:00', format: 'strict_date_optional_time' } } },
  { wildcard: { k: { value: 'r*d', case_insensitive: true } } },
  { regexp: { k: { value: 'r[a-e]{1,3}d?', flags: 'ALL', max_determinized_states: 1000 } } },
  { prefix: { k: { value: 're' } } },
  { fuzzy: { t: { value: 'quikc', fuzziness: 2, prefix_length: 1 } } },
  { nested: { path: 'o', query: { term: { 'o.k': 'x' } }, inner_hits: { size: 1 }, score_mode: 'max' } },
  { has_child: { type: 'child', query: { match_all: {} }, min_children: 1 } },
  { has_parent: { parent_type: 'parent', query: { match_all: {} }, score: true } },
  { parent_id: { type: 'child', id: '1' } },
  { percolate: { field: 'p', document: { t: 'a fox' } } },
  {
    function_score: {
      query: { match_all: {} },
      functions: [
        { weight: 2 },
        { random_score: { seed: 1, field: 'n' } },
        { gauss: { n: { origin: 1, scale: 2, decay: 0.5 } } },
      ],
      boost_mode: 'sum',
    },
  },
  { script_score: { query: { match_all: {} }, script: SCRIPT } },
  { geo_distance: { distance: '10km', g: { lat: 52, lon: 4 } } },
  { geo_bounding_box: { g: { top_left: '53,4', bottom_right: '51,5' } } },
  { geo_polygon: { g: { points: ['53,4', '51,5', '50,3'] } } },
  { more_like_this: { fields: ['t'], like: ['fox', { _index: 'fz', _id: '1' }], min_term_freq: 1, min_doc_freq: 1 } },
  { span_near: { clauses: [{ span_term: { t: 'quick' } }, { span_term: { t: 'fox' } }], slop: 3, in_order: true } },
  {
    intervals: {
      t: { all_of: { ordered: true, intervals: [{ match: { query: 'quick' } }, { prefix: { prefix: 'f' } }] } },
    },
  },
  { dis_max: { queries: [{ term: { k: 'red' } }], tie_breaker: 0.7 } },
  { constant_score: { filter: { ids: { values: ['1'] } } } },
  { boosting: { positive: { match_all: {} }, negative: { term: { k: 'x' } }, negative_boost: 0.2 } },
  { rank_feature: { field: 'rf', saturation: { pivot: 8 } } },
  { distance_feature: { field: 'd', origin: 'now', pivot: '7d' } },
  { script: { script: { source: "doc['n'].value > params.a", params: { a: 1 } } } },
  ...MORE_QUERIES,
];

const AGGREGATIONS: readonly unknown[] = [
  { a: { terms: { field: 'k', size: 5, order: { m: 'desc' } }, aggs: { m: { avg: { field: 'n' } } } } },
  {
    a: {
      date_histogram: { field: 'd', calendar_interval: 'month', min_doc_count: 0 },
      aggs: { s: { sum: { field: 'n' } }, c: { cumulative_sum: { buckets_path: 's' } } },
    },
  },
  { a: { histogram: { field: 'n', interval: 5, extended_bounds: { min: 0, max: 50 } } } },
  { a: { range: { field: 'n', ranges: [{ to: 5 }, { from: 5, key: 'x' }] } } },
  { a: { filters: { filters: { x: { term: { k: 'red' } } }, other_bucket: true } } },
  { a: { nested: { path: 'o' }, aggs: { r: { reverse_nested: {}, aggs: { h: { top_hits: { size: 1 } } } } } } },
  {
    a: {
      composite: {
        size: 3,
        sources: [{ k: { terms: { field: 'k' } } }, { n: { histogram: { field: 'n', interval: 2 } } }],
      },
    },
  },
  { a: { percentiles: { field: 'n', percents: [50, 99.9], hdr: { number_of_significant_value_digits: 3 } } } },
  { a: { cardinality: { field: 'k', precision_threshold: 100 } }, b: { extended_stats: { field: 'f' } } },
  { a: { significant_terms: { field: 'k', min_doc_count: 1 } }, b: { geohash_grid: { field: 'g', precision: 5 } } },
  {
    a: {
      scripted_metric: {
        init_script: 'state.x = 0',
        map_script: 'state.x += 1',
        combine_script: 'state.x',
        reduce_script: 'states.size()',
      },
    },
  },
  {
    a: { auto_date_histogram: { field: 'd', buckets: 5 } },
    b: { ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/8' }] } },
  },
  {
    a: { adjacency_matrix: { filters: { x: { match_all: {} }, y: { term: { k: 'red' } } } } },
    b: { matrix_stats: { fields: ['n', 'f'] } },
  },
  { a: { rare_terms: { field: 'k' } }, b: { top_metrics: { metrics: { field: 'n' }, sort: { d: 'asc' } } } },
  {
    a: { weighted_avg: { value: { field: 'n' }, weight: { field: 'f', missing: 1 } } },
    b: { missing: { field: 'z' } },
  },
  ...MORE_AGGREGATIONS,
];

const SEARCHES: readonly unknown[] = [
  ...QUERIES.map((query) => ({ query })),
  ...AGGREGATIONS.map((aggs) => ({ size: 0, aggs })),
  {
    query: { match: { t: 'fox' } },
    highlight: { fields: { t: { type: 'fvh', fragment_size: 20, number_of_fragments: 2 } } },
  },
  {
    sort: [{ n: { order: 'desc', missing: '_last' } }, '_score', { _script: { type: 'number', script: SCRIPT } }],
    search_after: [1, 2, 3],
  },
  { collapse: { field: 'k', inner_hits: { name: 'x', size: 2 } }, from: 1, size: 5, track_total_hits: 3 },
  {
    suggest: {
      x: { text: 'quik', term: { field: 't' } },
      y: { prefix: 'al', completion: { field: 'c', fuzzy: {} } },
      z: { text: 'quik brwn', phrase: { field: 't' } },
    },
  },
  {
    rescore: { window_size: 5, query: { rescore_query: { match_all: {} }, query_weight: 0.5 } },
    explain: true,
    profile: true,
  },
  {
    script_fields: { x: { script: SCRIPT } },
    docvalue_fields: ['n', { field: 'd', format: 'epoch_millis' }],
    fields: ['k*'],
    _source: { includes: ['*'], excludes: ['o'] },
    stored_fields: ['_none_'],
  },
  {
    post_filter: { term: { k: 'red' } },
    min_score: 0.1,
    timeout: '1s',
    terminate_after: 3,
    indices_boost: [{ fz: 2 }],
    seq_no_primary_term: true,
    version: true,
  },
  { slice: { id: 0, max: 2 }, query: { match_all: {} } },
  ...MORE_SEARCHES,
];

const MAPPINGS: readonly unknown[] = [
  FIXTURE_MAPPING,
  {
    dynamic: 'strict',
    properties: { x: { type: 'text', analyzer: 'english', fields: { raw: { type: 'keyword', ignore_above: 20 } } } },
  },
  {
    dynamic_templates: [{ x: { match: 'a*', match_mapping_type: 'string', mapping: { type: 'keyword' } } }],
    _routing: { required: false },
    numeric_detection: true,
  },
];

const SETTINGS: readonly unknown[] = [
  { index: { number_of_replicas: 0, refresh_interval: '1s', max_result_window: 1000 } },
  {
    analysis: {
      analyzer: {
        x: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'y'], char_filter: ['html_strip', 'z'] },
      },
      filter: { y: { type: 'synonym', synonyms: ['a, b => c'] } },
      char_filter: { z: { type: 'pattern_replace', pattern: '(a+)b', replacement: '$1' } },
      tokenizer: { w: { type: 'ngram', min_gram: 2, max_gram: 3 } },
    },
  },
];

const PIPELINES: readonly unknown[] = [
  {
    processors: [
      { grok: { field: 't', patterns: ['%{WORD:w} %{GREEDYDATA:rest}'] } },
      { set: { field: 'x', value: '{{k}}', if: 'ctx.n > 1' } },
      { script: { source: 'ctx.y = ctx.n * 2' } },
      { foreach: { field: 'o', processor: { uppercase: { field: '_ingest._value.k' } } } },
    ],
    on_failure: [{ set: { field: 'error', value: '{{_ingest.on_failure_message}}' } }],
  },
  {
    processors: [
      { date: { field: 'd', formats: ['ISO8601'] } },
      { gsub: { field: 't', pattern: 'a+', replacement: 'b' } },
      { dissect: { field: 't', pattern: '%{a} %{b}' } },
      { user_agent: { field: 't' } },
      { csv: { field: 't', target_fields: ['q'] } },
    ],
  },
];

/** By a word of the path; the first that fits counts. */
export const BODIES: readonly (readonly [part: string, bodies: readonly unknown[]])[] = [
  ...MORE_BODIES,
  ['_simulate', PIPELINES.map((pipeline) => ({ pipeline, docs: [{ _index: 'fz', _source: FIXTURE_DOCUMENT }] }))],
  ['_ingest/pipeline', PIPELINES],
  [
    '_index_template',
    [
      {
        index_patterns: ['fzt*'],
        priority: 1,
        template: { mappings: MAPPINGS[1], settings: SETTINGS[0], aliases: { fza: {} } },
      },
    ],
  ],
  ['_template', [{ index_patterns: ['fzl*'], order: 1, mappings: MAPPINGS[1] }]],
  [
    '_aliases',
    [
      {
        actions: [
          { add: { index: 'fz', alias: 'fza', filter: QUERIES[8], routing: '1' } },
          { remove: { index: 'fz', alias: 'fzb' } },
        ],
      },
    ],
  ],
  [
    '_reindex',
    [
      {
        source: { index: 'fz', query: QUERIES[0], size: 10 },
        dest: { index: 'fz2' },
        script: { source: 'ctx._source.x = 1' },
      },
    ],
  ],
  ['_update_by_query', [{ query: QUERIES[7], script: { source: 'ctx._source.n++' } }]],
  ['_delete_by_query', [{ query: { term: { k: 'nothing' } } }]],
  [
    '_update',
    [
      { doc: { n: 9 }, doc_as_upsert: true },
      { script: { source: 'ctx._source.n += params.a', params: { a: 1 } }, upsert: FIXTURE_DOCUMENT },
    ],
  ],
  ['_mget', [{ docs: [{ _index: 'fz', _id: '1', _source: ['n'] }] }, { ids: ['1', '2'] }]],
  ['_mtermvectors', [{ docs: [{ _index: 'fz', _id: '1', fields: ['t'] }] }]],
  ['_termvectors', [{ doc: FIXTURE_DOCUMENT, fields: ['t'], term_statistics: true, filter: { max_num_terms: 3 } }]],
  [
    '_analyze',
    [
      { analyzer: 'english', text: ['The foxes'] },
      { tokenizer: 'standard', filter: ['lowercase', { type: 'stop', stopwords: ['a'] }], text: 'A b', explain: true },
    ],
  ],
  ['_cluster/settings', [{ transient: { 'cluster.routing.allocation.enable': 'all' } }]],
  ['_cluster/reroute', [{ commands: [{ move: { index: 'fz', shard: 0, from_node: 'a', to_node: 'b' } }] }]],
  [
    '_snapshot',
    [
      { type: 'fs', settings: { location: 'fz' } },
      { indices: 'fz', include_global_state: false },
    ],
  ],
  [
    '_scripts',
    [
      { script: { lang: 'painless', source: 'params.a + 1' } },
      { script: { lang: 'mustache', source: { query: { match: { t: '{{x}}' } } } } },
    ],
  ],
  ['_execute', [{ script: { source: 'params.a / params.b', params: { a: 1, b: 2 } } }]],
  [
    '_rank_eval',
    [
      {
        requests: [{ id: 'a', request: { query: QUERIES[1] }, ratings: [{ _index: 'fz', _id: '1', rating: 1 }] }],
        metric: { precision: { k: 3 } },
      },
    ],
  ],
  ['template', [{ source: '{"query":{"match":{"t":"{{x}}"}}}', params: { x: 'fox' } }]],
  ['scroll', [{ scroll_id: 'AAAA', scroll: '1s' }]],
  ['_pit', [{ id: 'AAAA' }]],
  ['_field_caps', [{ index_filter: QUERIES[9] }]],
  ['_validate', QUERIES.map((query) => ({ query }))],
  ['_count', QUERIES.map((query) => ({ query }))],
  ['_explain', QUERIES.map((query) => ({ query }))],
  ['search', SEARCHES],
  ['_mapping', MAPPINGS],
  ['_settings', SETTINGS],
  ['_rollover', [{ conditions: { max_docs: 1 }, settings: SETTINGS[0] }]],
  ['_shrink', [{ settings: { 'index.number_of_shards': 1 } }]],
  ['_split', [{ settings: { 'index.number_of_shards': 2 } }]],
  ['_doc', [FIXTURE_DOCUMENT]],
  ['_create', [FIXTURE_DOCUMENT]],
  ['', [{ settings: SETTINGS[1], mappings: MAPPINGS[0], aliases: { fza: {} } }, SEARCHES[0], FIXTURE_DOCUMENT]],
];

/** Lines of `_bulk` and `_msearch`. */
export const LINES: readonly (readonly unknown[])[] = [
  [
    { index: { _index: 'fz', _id: '2' } },
    FIXTURE_DOCUMENT,
    { update: { _index: 'fz', _id: '2' } },
    { doc: { n: 1 } },
    { delete: { _index: 'fz', _id: '3' } },
  ],
  [{ create: { pipeline: 'fzp', routing: 'a' } }, FIXTURE_DOCUMENT],
  [{ index: 'fz' }, SEARCHES[1], {}, SEARCHES[20]],
  ...MORE_LINES,
];

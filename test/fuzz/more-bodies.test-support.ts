/**
 * Further bodies of real requests: rarer queries and aggregations, and the APIs that few clients call.
 */

export const MORE_QUERIES: readonly unknown[] = [
  { combined_fields: { query: 'quick fox', fields: ['t', 's^2'], operator: 'and', minimum_should_match: 1 } },
  { pinned: { ids: ['1', '2'], organic: { match: { t: 'fox' } } } },
  { wrapper: { query: 'eyJtYXRjaF9hbGwiOnt9fQ==' } },
  {
    geo_shape: {
      g: {
        shape: {
          type: 'polygon',
          coordinates: [
            [
              [3, 51],
              [5, 51],
              [5, 53],
              [3, 53],
              [3, 51],
            ],
          ],
        },
        relation: 'within',
      },
    },
  },
  { range: { r: { gte: 2, lte: 5, relation: 'intersects' } } },
  { rank_feature: { field: 'rf', sigmoid: { pivot: 7, exponent: 0.6 } } },
  { span_or: { clauses: [{ span_term: { t: { value: 'quick', boost: 2 } } }, { span_term: { t: 'lazy' } }] } },
  { span_first: { match: { span_term: { t: 'quick' } }, end: 3 } },
  { span_not: { include: { span_term: { t: 'fox' } }, exclude: { span_term: { t: 'dog' } }, pre: 1, post: 1 } },
  {
    span_containing: {
      little: { span_term: { t: 'fox' } },
      big: { span_near: { clauses: [{ span_term: { t: 'brown' } }, { span_term: { t: 'jumps' } }], slop: 5 } },
    },
  },
  { span_multi: { match: { prefix: { t: { value: 'qu' } } } } },
  { field_masking_span: { query: { span_term: { t: 'fox' } }, field: 's' } },
  {
    intervals: {
      t: {
        any_of: {
          intervals: [{ fuzzy: { term: 'quikc' } }, { wildcard: { pattern: 'f*' } }],
          filter: { not_containing: { match: { query: 'cat' } } },
        },
      },
    },
  },
  { match_phrase: { t: { query: 'quick brown', slop: 1, zero_terms_query: 'all' } } },
  { multi_match: { query: 'quick br', fields: ['s', 's._2gram', 's._3gram'], type: 'bool_prefix' } },
  { function_score: { script_score: { script: { source: 'Math.log(2 + _score)' } }, min_score: 0.1, max_boost: 3 } },
  {
    function_score: {
      query: { match: { t: 'fox' } },
      functions: [
        { filter: { term: { k: 'red' } }, exp: { g: { origin: '52,4', scale: '2km', offset: '1m' } } },
        { linear: { d: { origin: 'now', scale: '10d' } } },
      ],
      score_mode: 'multiply',
    },
  },
  { percolate: { field: 'p', documents: [{ t: 'a fox' }, { k: 'red', n: 3 }] } },
];

export const MORE_AGGREGATIONS: readonly unknown[] = [
  { a: { multi_terms: { terms: [{ field: 'k' }, { field: 'n', missing: 3 }], order: { _key: 'asc' } } } },
  { a: { variable_width_histogram: { field: 'n', buckets: 3 } }, b: { boxplot: { field: 'f' } } },
  { a: { t_test: { a: { field: 'n' }, b: { field: 'f', filter: { term: { k: 'red' } } }, type: 'heteroscedastic' } } },
  { a: { significant_text: { field: 't', filter_duplicate_text: true, min_doc_count: 1 } } },
  { a: { sampler: { shard_size: 10 }, aggs: { k: { terms: { field: 'k', include: 'r.*', exclude: ['x'] } } } } },
  { a: { diversified_sampler: { field: 'n', max_docs_per_value: 1 }, aggs: { m: { max: { field: 'n' } } } } },
  {
    a: { geotile_grid: { field: 'g', precision: 8, bounds: { top_left: '53,4', bottom_right: '51,5' } } },
    b: { geo_bounds: { field: 'g' } },
  },
  {
    a: { geo_centroid: { field: 'g' } },
    b: { geo_distance: { field: 'g', origin: '52,4', ranges: [{ to: 100 }, { from: 100 }] } },
  },
  { a: { string_stats: { field: 'k', show_distribution: true } }, b: { value_count: { field: 'k' } } },
  {
    a: { percentile_ranks: { field: 'n', values: [5, 7], keyed: false } },
    b: { median_absolute_deviation: { field: 'f' } },
  },
  {
    a: {
      date_histogram: { field: 'd', fixed_interval: '1d', time_zone: 'Europe/Berlin', offset: '+6h' },
      aggs: {
        s: { sum: { field: 'n' } },
        r: { rate: { unit: 'month' } },
        d: { derivative: { buckets_path: 's', unit: '1d' } },
        m: { moving_fn: { buckets_path: 's', window: 3, script: 'MovingFunctions.unweightedAvg(values)' } },
        f: { serial_diff: { buckets_path: 's', lag: 1 } },
        b: { bucket_script: { buckets_path: { x: 's' }, script: 'params.x / 2' } },
        o: { bucket_selector: { buckets_path: { x: 's' }, script: 'params.x > 1' } },
        t: { bucket_sort: { sort: [{ s: 'desc' }], size: 2, gap_policy: 'insert_zeros' } },
        n: { normalize: { buckets_path: 's', method: 'percent_of_sum' } },
      },
    },
    x: { stats_bucket: { buckets_path: 'a>s' } },
    y: { percentiles_bucket: { buckets_path: 'a>s', percents: [50] } },
    z: { max_bucket: { buckets_path: 'a._count' } },
  },
  { a: { children: { type: 'child' }, aggs: { p: { parent: { type: 'child' } } } } },
  {
    a: {
      global: {},
      aggs: {
        f: {
          filter: { range: { n: { gt: 3 } } },
          aggs: { h: { top_hits: { sort: ['n'], _source: false, highlight: { fields: { t: {} } } } } },
        },
      },
    },
  },
  {
    a: {
      date_range: { field: 'd', format: 'yyyy', ranges: [{ from: 'now-10y/y', to: 'now', key: 'x' }], missing: '2000' },
    },
  },
  {
    a: { terms: { script: { source: "doc['n'].value % 3" }, size: 3 } },
    b: { avg: { field: 'n', script: '_value + 1' } },
  },
];

export const MORE_SEARCHES: readonly unknown[] = [
  {
    runtime_mappings: { x: { type: 'long', script: { source: "emit(doc['n'].value * 2)" } } },
    query: { range: { x: { gte: 3 } } },
    fields: ['x', { field: 'd', format: 'yyyy' }],
    sort: ['x'],
    aggs: { m: { max: { field: 'x' } } },
  },
  {
    query: {
      nested: {
        path: 'o',
        query: { range: { 'o.n': { lt: 5 } } },
        inner_hits: { highlight: { fields: { t: {} } }, sort: ['o.n'], _source: ['o.k'] },
      },
    },
    sort: [
      {
        'o.n': { order: 'asc', mode: 'min', nested: { path: 'o', filter: { term: { 'o.k': 'x' } }, max_children: 2 } },
      },
    ],
  },
  {
    sort: [
      { _geo_distance: { g: [{ lat: 52, lon: 4 }, '51,3'], unit: 'km', mode: 'min', distance_type: 'plane' } },
      { d: { order: 'desc', format: 'yyyy', numeric_type: 'date_nanos' } },
    ],
  },
  {
    highlight: {
      order: 'score',
      pre_tags: ['<b>'],
      post_tags: ['</b>'],
      require_field_match: false,
      highlight_query: { match: { t: 'dog' } },
      fields: {
        t: { type: 'plain', fragmenter: 'simple', no_match_size: 20 },
        '*': { type: 'unified', boundary_scanner: 'word' },
      },
    },
    query: { match: { t: 'fox dog' } },
  },
  {
    suggest: {
      text: 'quikc',
      a: { term: { field: 't', suggest_mode: 'always', string_distance: 'jaro_winkler', max_edits: 2 } },
      b: {
        phrase: {
          field: 't',
          direct_generator: [{ field: 't', min_word_length: 2 }],
          collate: { query: { source: '{"match":{"t":"{{suggestion}}"}}' }, prune: true },
          smoothing: { laplace: { alpha: 0.7 } },
        },
      },
      c: { regex: 'a[l]+', completion: { field: 'c', skip_duplicates: true, size: 3 } },
    },
  },
  { pit: { id: 'AAAA', keep_alive: '1s' }, sort: ['_shard_doc'], track_total_hits: false },
];

export const MORE_BODIES: readonly (readonly [part: string, bodies: readonly unknown[]])[] = [
  [
    '_ilm/policy',
    [
      {
        policy: {
          phases: {
            hot: { min_age: '0ms', actions: { rollover: { max_age: '1d', max_docs: 10 } } },
            delete: { min_age: '30d', actions: { delete: {} } },
          },
        },
      },
    ],
  ],
  ['allocation/explain', [{ index: 'fz', shard: 0, primary: true }, {}]],
  ['reload_secure_settings', [{ secure_settings_password: 'x' }, {}]],
  ['_lifecycle', [{ data_retention: '7d', enabled: true }]],
  [
    '_component_template',
    [
      {
        template: {
          mappings: { properties: { x: { type: 'keyword' } } },
          settings: { number_of_shards: 1 },
          aliases: { fza: {} },
        },
        version: 1,
        _meta: { a: 1 },
      },
    ],
  ],
  [
    '_restore',
    [
      {
        indices: 'fz',
        rename_pattern: 'f(.+)',
        rename_replacement: 'r$1',
        include_global_state: false,
        index_settings: { 'index.number_of_replicas': 0 },
      },
    ],
  ],
  ['_snapshot/{repository}/{snapshot}/_clone', [{ indices: 'fz' }]],
  ['_clone', [{ settings: { 'index.number_of_shards': 2 }, aliases: { fza: {} } }]],
  [
    '_alias',
    [
      { filter: { term: { k: 'red' } }, routing: '1', is_write_index: true },
      { index_routing: '1', search_routing: '1,2', is_hidden: true },
    ],
  ],
  [
    '_terms_enum',
    [{ field: 'k', string: 're', size: 5, case_insensitive: true, index_filter: { range: { n: { gte: 1 } } } }],
  ],
];

export const MORE_LINES: readonly (readonly unknown[])[] = [
  [
    { index: 'fz', search_type: 'dfs_query_then_fetch', ignore_unavailable: true },
    MORE_SEARCHES[0],
    { index: ['fz', 'none'] },
    MORE_SEARCHES[1],
  ],
  [
    { index: 'fz' },
    { source: '{"query":{"match":{"t":"{{x}}"}}}', params: { x: 'fox' } },
    {},
    { id: 'fzs', params: {} },
  ],
  [
    { update: { _index: 'fz', _id: '1', retry_on_conflict: 2, _source: ['n'] } },
    { script: { source: 'ctx._source.n += 1' }, upsert: { n: 1 }, scripted_upsert: true },
    { index: { _index: 'fz', _id: '9', if_seq_no: 0, if_primary_term: 1, dynamic_templates: { q: 'z' } } },
    { q: 1, o: [{ k: 'y' }, { n: 3 }] },
    { create: { _index: 'fz2', require_alias: true } },
    { n: '7' },
    { delete: { _index: 'fz', _id: '9', version: 3, version_type: 'external', routing: 'a' } },
  ],
];

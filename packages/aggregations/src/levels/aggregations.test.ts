import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { BucketBudget } from '../contract/bucket-budget.ts';
import type { PartialResult } from '../kinds/aggregation-kinds.ts';
import type { StatsPartial } from '../kinds/stats/stats-partial.ts';
import type { TermsBucket } from '../kinds/terms/terms-list.ts';
import type { Bucket, PartialNode } from '../tree/partial-node.ts';
import { PLAIN_FORMAT } from '../values/value-format.ts';
import { parseAggregations } from './parse-aggregations.ts';
import { finishAggregations, reduceAggregations } from './reduce-aggregations.ts';
import { renderAggregations } from './render-aggregations.ts';

const encoder = new TextEncoder();
const parse = (aggs: unknown): ReturnType<typeof parseAggregations> =>
  parseAggregations(parseJsonTree(encoder.encode(JSON.stringify(aggs))) as JsonObjectNode);

function answer(
  aggs: unknown,
  shards: readonly (readonly PartialNode[])[],
  { typedKeys = false, bucketsMax = 1_000 } = {},
): Record<string, never> {
  const tree = parse(aggs);
  const finished = finishAggregations(tree, shards, new BucketBudget(bucketsMax));
  return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys })));
}

function statsOf(...values: readonly number[]): StatsPartial {
  const sum = values.reduce((a, b) => a + b, 0);
  const sumOfSquares = values.reduce((a, b) => a + b * b, 0);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return { kind: 'stats', format: PLAIN_FORMAT, count: values.length, sum, min, max, sumOfSquares };
}

function histogramOf(...values: readonly (readonly number[])[]): PartialResult {
  const buckets = values.map(
    (list, i): Bucket<number> => ({ key: i, docCount: list.length, children: [statsOf(...list)] }),
  );
  return { kind: 'histogram', format: PLAIN_FORMAT, buckets: buckets.filter(({ docCount }) => docCount > 0) };
}

function termsOf(counts: Readonly<Record<string, number>>, error = 0, otherDocCount = 0): PartialResult {
  const buckets = Object.entries(counts).map(
    ([key, docCount]): TermsBucket<string> => ({ key, docCount, error: 0, children: [] }),
  );
  return { kind: 'terms', keyKind: 'text', format: PLAIN_FORMAT, otherDocCount, error, shardCount: 1, buckets };
}

describe('requests that are refused', () => {
  test.each([
    ['no such type', { a: { trems: { field: 'f' } } }, 'Unknown aggregation type [trems] did you mean'],
    ['known and not built', { a: { change_point: { field: 'f' } } }, '[change_point] is not supported by this server'],
    ['no type', { a: {} }, 'Missing definition for aggregation [a]'],
    [
      'two types',
      { a: { min: { field: 'f' }, max: { field: 'f' } } },
      'Found two aggregation type definitions in [a]: [min] and [max]',
    ],
    ['a bad name', { 'a>b': { min: { field: 'f' } } }, 'Invalid aggregation name [a>b]'],
    ['an unknown option', { a: { min: { field: 'f', fild: 1 } } }, '[min] unknown field [fild]'],
    [
      'a script that is none',
      { a: { min: { script: 3 } } },
      "[min] script doesn't support values of type: VALUE_NUMBER",
    ],
    ['no field', { a: { min: {} } }, 'Required one of fields [field, script]'],
    [
      'children of a metric',
      { a: { min: { field: 'f' }, aggs: { b: { max: { field: 'f' } } } } },
      'cannot accept sub-aggregations',
    ],
    ['a size of nothing', { a: { terms: { field: 'f', size: 0 } } }, '[1:35] [terms] failed to parse field [size]'],
    [
      'a choice by values and by a pattern',
      { a: { terms: { field: 'f', include: ['x'], exclude: 'y.*' } } },
      '[terms] failed to parse field [exclude]',
    ],
    [
      'no object under a type',
      { a: { field: 'f' } },
      'Expected [START_OBJECT] under [field], but got a [VALUE_STRING] in [a]',
    ],
    ['a field that is misspelt', { a: { min: { fieldx: 'f' } } }, '[min] unknown field [fieldx] did you mean [field]?'],
    [
      'a weight that is misspelt',
      { a: { weighted_avg: { value: { field: 'f' }, weightx: {} } } },
      '[weighted_avg] unknown field [weightx]',
    ],
    ['no weight', { a: { weighted_avg: { value: { field: 'f' } } } }, 'Required [weight]'],
    [
      'an order of nothing',
      { a: { terms: { field: 'f', order: { b: 'asc' } } } },
      'The provided aggregation [b] either does not exist',
    ],
    [
      'an unknown member of a weight',
      { a: { weighted_avg: { value: { field: 'f' }, weight: { field: 'g', x: 1 } } } },
      '[weighted_avg] failed to parse field [weight]',
    ],
    [
      'an unknown member of filters',
      { a: { filters: { filters: [{ match_all: {} }], x: 1 } } },
      'Unknown key for a VALUE_NUMBER in [a]: [x].',
    ],
    [
      'a text for a switch of filters',
      { a: { filters: { filters: [{ match_all: {} }], other_bucket: 'true' } } },
      'Unknown key for a VALUE_STRING in [a]: [other_bucket].',
    ],
    [
      'a null among fields of a matrix',
      { a: { matrix_stats: { fields: ['f', null] } } },
      'Unexpected token VALUE_NULL [fields] in [a].',
    ],
    [
      'an unknown member of a range of distances',
      { a: { geo_distance: { field: 'f', origin: '1,2', ranges: [{ to: 1, x: 1 }] } } },
      '[geo_distance] failed to parse field [ranges]',
    ],
    ['an interval of nothing', { a: { histogram: { field: 'f', interval: 0 } } }, '[interval] must be >0'],
    [
      'two intervals',
      { a: { date_histogram: { field: 'd', fixed_interval: '1d', calendar_interval: '1d' } } },
      'Cannot use more than one of',
    ],
    [
      'a null number',
      { a: { percentiles: { field: 'f', hdr: { number_of_significant_value_digits: null } } } },
      'VALUE_NULL',
    ],
    [
      'a number for a field',
      { a: { terms: { field: 5 } } },
      "[terms] field doesn't support values of type: VALUE_NUMBER",
    ],
    ['a list for a field', { a: { min: { field: ['x'] } } }, "[min] field doesn't support values of type: START_ARRAY"],
    [
      'an object for a size',
      { a: { terms: { field: 'f', size: {} } } },
      "size doesn't support values of type: START_OBJECT",
    ],
    ['a number for a switch', { a: { terms: { field: 'f', show_term_doc_count_error: 1 } } }, 'of type: VALUE_NUMBER'],
    ['a text for a number', { a: { extended_stats: { field: 'f', sigma: 'foo' } } }, 'failed to parse field [sigma]'],
    ['a composite without sources', { a: { composite: { size: 1 } } }, 'Required [sources]'],
    ['a composite of no sources', { a: { composite: { sources: [] } } }, 'Composite [sources] cannot be null or empty'],
    [
      'a pipeline without its script',
      {
        h: {
          histogram: { field: 'f', interval: 1 },
          aggs: { b: { bucket_script: { buckets_path: {} } } },
        },
      },
      'Missing required field [script] for bucket_script aggregation',
    ],
    [
      'a window of nothing',
      { b: { moving_fn: { buckets_path: 'h', window: -1, script: 'x' } } },
      '[window] must be a positive, non-zero integer.',
    ],
    [
      'a pipeline of nothing',
      { b: { avg_bucket: { buckets_path: 'h>m' } } },
      'Validation Failed: 1: No aggregation found for path [h>m];',
    ],
    [
      'a pipeline of one bucket',
      { f: { filter: { match_all: {} } }, b: { avg_bucket: { buckets_path: 'f>_count' } } },
      'must be a multi-bucket aggregation',
    ],
    [
      'a path to nothing',
      { h: { histogram: { field: 'f', interval: 1 }, aggs: { d: { derivative: { buckets_path: 'x' } } } } },
      'Validation Failed: 1: No aggregation found for path [x];',
    ],
    [
      'two paths where one is wanted',
      { h: { histogram: { field: 'f', interval: 1 }, aggs: { d: { derivative: { buckets_path: ['x', 'y'] } } } } },
      'Validation Failed: 1: buckets_path must contain a single entry for aggregation [d];',
    ],
    [
      'a moving average of no path',
      { h: { histogram: { field: 'f', interval: 1 }, aggs: { d: { moving_avg: { buckets_path: [] } } } } },
      'Validation Failed: 1: buckets_path must contain a single entry for aggregation [d];',
    ],
    [
      'an array of paths for a function',
      { b: { moving_fn: { buckets_path: ['h'], window: 1, script: 'x' } } },
      "[moving_fn] buckets_path doesn't support values of type: START_ARRAY",
    ],
    [
      'an object as the only path',
      { b: { max_bucket: { buckets_path: { a: 'h' } } } },
      "[max_bucket] buckets_path doesn't support values of type: START_OBJECT",
    ],
    [
      'a path to nothing inside of buckets',
      {
        t: { terms: { field: 'f' }, aggs: { m: { max: { field: 'n' } } } },
        b: { max_bucket: { buckets_path: 't>o' } },
      },
      'Validation Failed: 1: No aggregation [o] found for path [t>o];',
    ],
    [
      'a path to nothing inside of one bucket of many',
      { t: { terms: { field: 'f' } }, b: { max_bucket: { buckets_path: "t['red']>o" } } },
      "Validation Failed: 1: No aggregation [o] found for path [t['red']>o];",
    ],
    [
      'a path that goes on behind what is not there',
      {
        h: {
          histogram: { field: 'f', interval: 1 },
          aggs: {
            t: { terms: { field: 'f' }, aggs: { m: { max: { field: 'n' } } } },
            s: { bucket_script: { buckets_path: { a: 't>o>p' }, script: 'params.a' } },
          },
        },
      },
      'Validation Failed: 1: No aggregation [o] found for path [t>o>p];',
    ],
    [
      'paths to nothing on two levels',
      {
        h: { histogram: { field: 'f', interval: 1 }, aggs: { d: { derivative: { buckets_path: 'x' } } } },
        b: { max_bucket: { buckets_path: 'h>y' } },
      },
      'Validation Failed: 1: No aggregation [y] found for path [h>y];2: No aggregation found for path [x];',
    ],
    [
      'pipelines over gaps, all of them',
      {
        h: {
          histogram: { field: 'f', interval: 1, min_doc_count: 1 },
          aggs: {
            c: { cumulative_sum: { buckets_path: '_count' } },
            d: {
              date_histogram: { field: 'f', fixed_interval: '1d', min_doc_count: 2 },
              aggs: { e: { derivative: { buckets_path: '_count' } } },
            },
          },
        },
      },
      'Validation Failed: 1: parent histogram of cumulative_sum aggregation [c] must have min_doc_count of 0;2: parent histogram of derivative aggregation [e] must have min_doc_count of 0;',
    ],
    [
      'a derivative of terms',
      { t: { terms: { field: 'f' }, aggs: { d: { derivative: { buckets_path: '_count' } } } } },
      'must have a histogram',
    ],
    [
      'a bucket_sort at the top',
      { b: { bucket_sort: { size: 1 } } },
      'bucket_sort aggregation [b] must be declared inside of another aggregation',
    ],
    [
      'a bucket_sort of nothing at the top',
      { b: { bucket_sort: {} } },
      /must be declared inside of another aggregation;2: \[b\] is configured to perform nothing/,
    ],
    [
      'addresses that are none',
      { a: { ip_range: { field: 'f', ranges: [{ mask: '10.0.0.256/8' }] } } },
      'is not an IP string literal',
    ],
    [
      'addresses with an option that is none',
      { a: { ip_range: { field: 'f', ranges: [{ to: '::1', unknown: 1 }] } } },
      '[ip_range] failed to parse field [ranges]',
    ],
    ['a path that is no text', { a: { nested: { path: {} } } }, 'Unexpected token START_OBJECT in [a].'],
  ])('%s', (_, aggs, message) => {
    expect(() => parse(aggs)).toThrow(message);
  });

  test('at any depth, and in any number, by a limit', () => {
    let deep: object = { a: { filter: { match_all: {} } } };
    for (let i = 0; i < 60; i++) deep = { a: { filter: { match_all: {} }, aggs: deep } };
    expect(() => parse(deep)).toThrow('nest deeper');
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`a${i}`, { min: { field: 'f' } }]));
    expect(() => parse(many)).toThrow('more than [10000] aggregations');
  });
});

describe('terms of several shards', () => {
  const aggs = { t: { terms: { field: 'f', size: 2, shard_size: 2, show_term_doc_count_error: true } } };
  const shards: PartialNode[][] = [
    [termsOf({ a: 10, b: 6 }, 6, 9)],
    [termsOf({ a: 8, c: 7 }, 7, 3)],
    [termsOf({ c: 5, d: 4 }, 4, 2)],
  ];

  test('say how wrong counts may be', () => {
    expect(answer(aggs, shards)).toEqual({
      t: {
        doc_count_error_upper_bound: 17,
        sum_other_doc_count: 24,
        buckets: [
          { key: 'a', doc_count: 18, doc_count_error_upper_bound: 4 },
          { key: 'c', doc_count: 12, doc_count_error_upper_bound: 6 },
        ],
      },
    });
  });

  test('say the same however they were merged', () => {
    const { aggregations } = parse(aggs);
    const merge = (list: typeof shards) => [
      ...reduceAggregations(aggregations, list, { isFinal: false, buckets: new BucketBudget(100) }),
    ];
    const [a = [], b = [], c = []] = shards;
    expect(answer(aggs, [merge([a, b]), c])).toEqual(answer(aggs, shards));
    expect(answer(aggs, [merge([a, merge([b, c])])])).toEqual(answer(aggs, shards));
  });

  test('are not unknown where a list ends in a term of one document', () => {
    const { t } = answer(aggs, [[termsOf({ a: 10, b: 1 }, 1, 9)]]) as Record<string, Record<string, unknown>>;
    expect(t?.buckets).toEqual([
      { key: 'a', doc_count: 10, doc_count_error_upper_bound: 0 },
      { key: 'b', doc_count: 1, doc_count_error_upper_bound: 0 },
    ]);
  });

  test('that are too rare to be shown are not counted among the others', () => {
    const rare = { t: { terms: { field: 'f', size: 2, min_doc_count: 7 } } };
    const { t } = answer(rare, shards.slice(0, 1)) as Record<string, Record<string, unknown>>;
    expect(t).toMatchObject({ sum_other_doc_count: 9, buckets: [{ key: 'a', doc_count: 10 }] });
  });

  test('of one shard are not wrong at all', () => {
    const { t } = answer(aggs, shards.slice(0, 1)) as Record<string, Record<string, unknown>>;
    expect(t).toMatchObject({ doc_count_error_upper_bound: 0, sum_other_doc_count: 9 });
  });
});

describe('limits and names', () => {
  test('more buckets than allowed are an error', () => {
    const aggs = { h: { histogram: { field: 'f', interval: 1, min_doc_count: 0 } } };
    const wide: PartialResult = {
      kind: 'histogram',
      format: PLAIN_FORMAT,
      buckets: [0, 1e9].map((key) => ({ key, docCount: 1, children: [] })),
    };
    expect(() => answer(aggs, [[wide]], { bucketsMax: 100 })).toThrow('Trying to create too many buckets');
    expect(() =>
      answer({ t: { terms: { field: 'f' } } }, [[termsOf({ a: 1, b: 1, c: 1 })]], { bucketsMax: 2 }),
    ).toThrow('Must be less than or equal to: [2]');
  });

  test('typed_keys name the kind of result', () => {
    const aggs = {
      t: { terms: { field: 'f' } },
      r: { rare_terms: { field: 'f' } },
      h: {
        histogram: { field: 'f', interval: 1 },
        aggs: { m: { max: { field: 'f' } }, c: { cumulative_sum: { buckets_path: 'm' } } },
      },
      best: { max_bucket: { buckets_path: 'h>m' } },
    };
    const typed = answer(aggs, [[termsOf({ a: 1 }), termsOf({ a: 1 }), histogramOf([3])]], { typedKeys: true });
    expect(Object.keys(typed)).toEqual(['sterms#t', 'srareterms#r', 'histogram#h', 'bucket_metric_value#best']);
    expect(typed).toMatchObject({
      'histogram#h': { buckets: [{ 'max#m': { value: 3 }, 'simple_value#c': { value: 3 } }] },
    });
  });

  test('terms of too many documents are not rare', () => {
    const aggs = { r: { rare_terms: { field: 'f', max_doc_count: 2 } } };
    expect(answer(aggs, [[termsOf({ a: 1, b: 2 })], [termsOf({ b: 1, c: 2, d: 1 })]])).toEqual({
      r: {
        buckets: [
          { key: 'a', doc_count: 1 },
          { key: 'd', doc_count: 1 },
          { key: 'c', doc_count: 2 },
        ],
      },
    });
  });
});

test('buckets without values are sorted by the infinite extremes of nothing', () => {
  const terms = termsOf({ a: 1, b: 1, c: 1 }) as Extract<PartialResult, { kind: 'terms' }>;
  const values: Record<string, readonly number[]> = { a: [2], b: [], c: [3] };
  const buckets = terms.buckets.map((bucket) => ({
    ...bucket,
    children: [statsOf(...(values[String(bucket.key)] ?? []))],
  }));
  const sorted = (metric: string, direction: string): unknown => {
    const tree = { t: { terms: { field: 'f', order: { m: direction } }, aggs: { m: { [metric]: { field: 'f' } } } } };
    const { t } = answer(tree, [[{ ...terms, buckets } as PartialResult]]) as unknown as {
      t: { buckets: { key: string }[] };
    };
    return t.buckets.map(({ key }) => key).join('');
  };
  expect(['asc', 'desc'].map((direction) => sorted('min', direction))).toEqual(['acb', 'bca']);
  expect(['asc', 'desc'].map((direction) => sorted('max', direction))).toEqual(['bac', 'cab']);
  expect(['asc', 'desc'].map((direction) => sorted('avg', direction))).toEqual(['acb', 'cab']);
});

describe('pipelines', () => {
  const sums = histogramOf([1, 2], [], [10], [4, 4, 4]);
  const run = (pipelines: object, beside: object = {}): Record<string, never> => {
    const inner = { s: { sum: { field: 'f' } }, ...pipelines };
    return answer({ h: { histogram: { field: 'f', interval: 1 }, aggs: inner }, ...beside }, [[sums]]);
  };
  const valuesOf = (result: Record<string, never>, name: string): unknown[] =>
    (result.h as unknown as { buckets: Record<string, { value: unknown } | undefined>[] }).buckets.map(
      (bucket) => bucket[name]?.value,
    );

  test('beside: one value of all buckets', () => {
    const path = { buckets_path: 'h>s' };
    expect(
      run(
        {},
        {
          avg: { avg_bucket: path },
          sum: { sum_bucket: { ...path, format: '0.00' } },
          max: { max_bucket: path },
          min: { min_bucket: path },
          zeros: { min_bucket: { ...path, gap_policy: 'insert_zeros' } },
          stats: { stats_bucket: path },
          percentiles: { percentiles_bucket: { ...path, percents: [0, 50, 100] } },
          counts: { sum_bucket: { buckets_path: ['h>_count'] } },
        },
      ),
    ).toMatchObject({
      avg: { value: 25 / 3 },
      sum: { value: 25, value_as_string: '25.00' },
      max: { value: 12, keys: ['3.0'] },
      min: { value: 3, keys: ['0.0'] },
      zeros: { value: 0, keys: ['1.0'] },
      stats: { count: 3, min: 3, max: 12, avg: 25 / 3, sum: 25 },
      percentiles: { values: { '0.0': 3, '50.0': 10, '100.0': 12 } },
      counts: { value: 6 },
    });
  });

  test('within: a value for each bucket', () => {
    const result = run({
      total: { cumulative_sum: { buckets_path: 's' } },
      rise: { derivative: { buckets_path: 's', gap_policy: 'insert_zeros' } },
      second: { derivative: { buckets_path: 'rise', gap_policy: 'keep_values' } },
      apart: { serial_diff: { buckets_path: 's', lag: 2, gap_policy: 'insert_zeros' } },
    });
    expect(valuesOf(result, 'total')).toEqual([3, 3, 13, 25]);
    expect(valuesOf(result, 'rise')).toEqual([undefined, -3, 10, 2]);
    expect(valuesOf(result, 'second')).toEqual([undefined, undefined, 13, -8]);
    expect(valuesOf(result, 'apart')).toEqual([undefined, undefined, 7, 12]);
  });

  test('sort and cut buckets after the values they sort by', () => {
    const result = run({
      top: { bucket_sort: { sort: [{ total: { order: 'desc' } }], from: 1, size: 2 } },
      total: { cumulative_sum: { buckets_path: 's' } },
    });
    expect(valuesOf(result, 'total')).toEqual([13, 3]);
  });

  test('refuse what is not one number', () => {
    const inner = {
      t: { terms: { field: 'f' }, aggs: { m: { max: { field: 'f' } } } },
      p: { percentiles: { field: 'f' } },
      s: { stats: { field: 'f' } },
    };
    const bad = (path: string) => () => {
      const aggs = {
        h: { histogram: { field: 'f', interval: 1 }, aggs: inner },
        b: { max_bucket: { buckets_path: path } },
      };
      answer(aggs, []);
      const tree = parse(aggs);
      const [t, p, s] = reduceAggregations(tree.aggregations[0]?.children ?? [], [], {
        isFinal: false,
        buckets: new BucketBudget(10),
      }) as [PartialNode, PartialNode, PartialNode];
      const buckets = [{ key: 1, docCount: 1, children: [t, p, s] }];
      const shard: PartialResult = { kind: 'histogram', format: PLAIN_FORMAT, buckets };
      answer(aggs, [[shard]]);
    };
    expect(bad('h>t')).toThrow('got: [StringTerms] at aggregation [t]');
    expect(bad('h>t>m')).toThrow('got: [Object[]] at aggregation [t]');
    expect(bad('h>p')).toThrow('but [p] contains multiple values. Please specify which to use.');
    expect(bad('h>s')).toThrow('but [s] contains multiple values');
    expect(bad('h>s.avg')).not.toThrow();
    expect(bad('h>p.99')).not.toThrow();
  });

  test('that need each other are a cycle', () => {
    const x = { cumulative_sum: { buckets_path: 'y' } };
    const y = { cumulative_sum: { buckets_path: 'x' } };
    expect(() => run({ x, y })).toThrow('Cycle found');
  });
});

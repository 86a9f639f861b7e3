import { type JsonObjectNode, parseJsonTree, ValueReader } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { parseAggregations } from '../../levels/parse-aggregations.ts';
import { readPartials, writePartials } from '../../levels/partial-codec.ts';
import { readAggregations } from '../../levels/read-aggregations.ts';
import type { AggregationLevel } from '../../tree/aggregation-node.ts';
import type { TopMetricsPartial } from './top-metrics-partial.ts';

const parse = (aggs: unknown): AggregationLevel =>
  parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
const request = { sort: { s: 'desc' }, metrics: { field: 'm' } };

describe('top_metrics', () => {
  test.each([
    ['no metrics', { sort: 's' }, 'Required [metrics]'],
    ['no sort', { metrics: { field: 'm' } }, 'Required [sort]'],
    ['two sorts', { ...request, sort: ['a', 'b'] }, '[sort] must contain exactly one sort'],
    ['a size of nothing', { ...request, size: 0 }, '[size] must be more than 0 but was [0]'],
    [
      'a size that is too large',
      { ...request, size: 11 },
      '[top_metrics.size] must not be more than [10] but was [11]',
    ],
    ['an order that is none', { ...request, sort: { s: 'up' } }, 'Unknown SortOrder [up]'],
    ['a sort by place', { ...request, sort: '_doc' }, 'by [_doc] is not supported'],
    ['a mode that is not kept', { ...request, sort: { s: { mode: 'avg' } } }, 'by the [avg] of several values'],
    ['an unknown option of a sort', { ...request, sort: { s: { nested: {} } } }, 'unknown field [nested]'],
    ['an unknown option of a metric', { ...request, metrics: { field: 'm', x: 1 } }, 'unknown field [x]'],
    ['an unknown option', { ...request, x: 1 }, '[top_metrics] unknown field [x]'],
  ])('refuses %s', (_, options, message) => {
    expect(() => parse({ t: { top_metrics: options } })).toThrow(message);
  });

  test.each([
    ['several documents', 't.m', 3, '[top_metrics] can only the be target if [size] is [1] but was [3]'],
    ['a metric that is none', 't.x', 1, 'has no metric [x]'],
    ['no metric', 't', 1, 'has no metric []'],
  ])('is refused as the order of buckets with %s', (_, path, size, message) => {
    const aggs = { t: { top_metrics: { ...request, size } } };
    expect(() => parse({ k: { terms: { field: 'kw', order: { [path]: 'asc' } }, aggs } })).toThrow(message);
  });

  test('comes out of a message as it was parsed', () => {
    const sort = { s: { order: 'asc', missing: '_first', mode: 'max', unmapped_type: 'long' } };
    const level = parse({
      t: { top_metrics: { metrics: [{ field: 'a', missing: 5 }, { field: 'b' }], sort, size: 7 } },
    });
    expect(readAggregations(ValueReader.of(structuredClone(level)))).toEqual(level);
    const [one] = level.aggregations;
    const changed = (change: object) => () =>
      readAggregations(ValueReader.of({ aggregations: [{ ...one, ...change }], pipelines: [] }));
    expect(changed({ size: 11 })).toThrow('size');
    expect(changed({ metrics: [] })).toThrow('at least one metric');
    expect(changed({ sort: { field: 's' } })).toThrow('isAscending');
  });

  test('has a result that comes out of bytes as it was', () => {
    const partial: TopMetricsPartial = {
      kind: 'topMetrics',
      sort: { keyKind: 'long', format: { kind: 'date', format: 'yyyy', timeZone: 'UTC' } },
      metrics: [
        { keyKind: 'text', format: { kind: 'ip' } },
        { keyKind: 'double', format: { kind: 'plain' } },
      ],
      rows: [
        { sort: 2n ** 60n, metrics: ['abc', null] },
        { sort: Number.NEGATIVE_INFINITY, metrics: [null, 1.5] },
      ],
    };
    expect(readPartials(writePartials([partial]))).toEqual([partial]);
  });
});

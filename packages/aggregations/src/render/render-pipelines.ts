/**
 * Values of pipeline aggregations in the shape that users know.
 */
import { DoubleNumber } from '@shoal/core';
import type { PipelineValue, PipelineValues } from '../pipelines/bucket-value.ts';
import type { PipelineAggregation } from '../tree/pipeline-aggregation.ts';
import { printDecimal } from '../values/decimal-pattern.ts';
import { renderStatsValues } from './render-metrics.ts';

type Rendered = Readonly<Record<string, unknown>>;

/** Names and values, of those that have one. */
export function renderPipelines(
  pipelines: readonly PipelineAggregation[],
  values: PipelineValues | undefined,
  isTyped: boolean,
): readonly (readonly [string, Rendered])[] {
  return pipelines.flatMap((pipeline) => {
    const value = values?.get(pipeline.name);
    if (value === undefined) return [];
    const name = isTyped ? `${typeOf(pipeline, value)}#${pipeline.name}` : pipeline.name;
    const meta = pipeline.meta === null ? {} : { meta: pipeline.meta };
    return [[name, { ...meta, ...renderValue(pipeline, value) }] as const];
  });
}

function typeOf(pipeline: PipelineAggregation, value: PipelineValue): string {
  if (value.kind === 'number') return pipeline.type === 'derivative' ? 'derivative' : 'simple_value';
  return value.kind === 'extreme' ? 'bucket_metric_value' : pipeline.type;
}

function renderValue(pipeline: PipelineAggregation, value: PipelineValue): Rendered {
  const { format } = pipeline;
  const text = (number: number): string | undefined =>
    format === null || !Number.isFinite(number) ? undefined : printDecimal(number, format);
  switch (value.kind) {
    case 'number':
      return {
        value: shown(value.value),
        value_as_string: text(value.value),
        normalized_value: value.normalized === null ? undefined : shown(value.normalized),
        normalized_value_as_string: value.normalized === null ? undefined : text(value.normalized),
      };
    case 'extreme':
      return { value: shown(value.value), value_as_string: text(value.value), keys: value.keys };
    case 'stats': {
      const sigma = pipeline.kind === 'sibling' ? pipeline.sigma : 0;
      const type = pipeline.type === 'extended_stats_bucket' ? 'extended_stats' : 'stats';
      const stats =
        format === null ? value.stats : { ...value.stats, format: { kind: 'decimal', pattern: format } as const };
      return renderStatsValues(type, stats, sigma);
    }
    case 'percentiles':
      return { values: percentiles(pipeline, value.values, text) };
  }
}

function shown(value: number): DoubleNumber | null {
  return Number.isFinite(value) ? new DoubleNumber(value) : null;
}

function percentiles(
  pipeline: PipelineAggregation,
  values: readonly number[],
  text: (value: number) => string | undefined,
): unknown {
  const percents = pipeline.kind === 'sibling' ? pipeline.percents : [];
  const isKeyed = pipeline.kind !== 'sibling' || pipeline.isKeyed;
  if (!isKeyed) {
    return percents.map((percent, i) => {
      const value = values[i] ?? Number.NaN;
      return { key: new DoubleNumber(percent), value: shown(value), value_as_string: text(value) };
    });
  }
  return Object.fromEntries(
    percents.flatMap((percent, i) => {
      const key = String(new DoubleNumber(percent));
      const value = values[i] ?? Number.NaN;
      const own: [string, unknown][] = [[key, shown(value)]];
      const asText = text(value);
      if (asText !== undefined) own.push([`${key}_as_string`, asText]);
      return own;
    }),
  );
}

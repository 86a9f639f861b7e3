/**
 * Reduced results in the shape that users know, as JSON text made in steps.
 */
import { assert, RawJson, runSteps, StepMeter, type Steps } from '@shoal/core';
import { assertResult, bucketedResult, kindOf } from '../kinds/aggregation-kinds.ts';
import { AnswerText, PrintedJson } from '../render/answer-text.ts';
import { BucketRenderer } from '../render/bucket-renderer.ts';
import type { AggregationLevel, AggregationNode } from '../tree/aggregation-node.ts';
import type { FinishedLevel, PipelineValues } from '../tree/finished-level.ts';
import type { PartialNode } from '../tree/partial-node.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';

export interface RenderAggregationsOptions {
  /** Names carry the type of the result: `sterms#name`. */
  readonly typedKeys: boolean;
}

/** Microseconds that a metric costs, about. */
const METRIC_UNITS = 0.6;

/** @param finished by the final reduce: one an aggregation, in their order, and the values of pipelines */
export function renderAggregations(
  level: AggregationLevel,
  finished: FinishedLevel,
  options: RenderAggregationsOptions,
): RawJson {
  return runSteps(renderInSteps(level, finished, options));
}

/** `renderAggregations` in steps: what stands under `aggregations` in an answer. */
export function* renderInSteps(
  level: AggregationLevel,
  finished: FinishedLevel,
  options: RenderAggregationsOptions,
): Steps<RawJson> {
  const out = new AnswerText();
  out.add('{');
  yield* new LevelRenderer(out, options).level(level, finished, true);
  out.add('}');
  return new RawJson(out.bytes());
}

class LevelRenderer {
  private readonly out: AnswerText;
  private readonly options: RenderAggregationsOptions;
  private readonly meter = new StepMeter();
  private readonly buckets: BucketRenderer;

  constructor(out: AnswerText, options: RenderAggregationsOptions) {
    this.out = out;
    this.options = options;
    this.buckets = new BucketRenderer(out, this.meter, (...level) => this.level(...level));
  }

  /** Renders a level as members of an object that is open. */
  *level({ aggregations, pipelines }: AggregationLevel, finished: FinishedLevel, isFirst: boolean): Steps<void> {
    let isFirstYet = isFirst;
    for (let i = 0; i < aggregations.length; i++) {
      const aggregation = aggregations[i] as AggregationNode;
      const partial = finished.partials[i];
      // Buckets that a pipeline made have its value alone.
      if (finished.partials.length === 0) continue;
      assert(partial, `aggregation ${aggregation.name} was not reduced`);
      yield* this.aggregation(aggregation, partial, isFirstYet);
      isFirstYet = false;
      if (this.meter.isDue(METRIC_UNITS)) yield;
    }
    for (const pipeline of pipelines) isFirstYet = this.pipeline(pipeline, finished.values, isFirstYet);
  }

  private *aggregation(aggregation: AggregationNode, partial: PartialNode, isFirst: boolean): Steps<void> {
    const { out, options } = this;
    const kind = kindOf(aggregation);
    if (kind.family === 'metric') {
      assertResult(kind, partial);
      this.open(options.typedKeys ? kind.resultType(aggregation, partial) : null, aggregation.name, isFirst);
      out.members(kind.members(aggregation, partial), this.meta(aggregation));
    } else {
      const result = bucketedResult(kind, partial);
      this.open(options.typedKeys ? kind.resultType(aggregation, result) : null, aggregation.name, isFirst);
      yield* kind.render(aggregation, result, this.buckets, this.meta(aggregation));
    }
    out.add('}');
  }

  private open(type: string | null, name: string, isFirst: boolean): void {
    this.out.add(`${isFirst ? '' : ','}${JSON.stringify(type === null ? name : `${type}#${name}`)}:{`);
  }

  /** True: there was none, and the next member is the first. */
  private meta({ meta }: AggregationNode | PipelineNode): boolean {
    return meta === null || this.out.members({ meta: new PrintedJson(meta) }, true);
  }

  /** Renders the value of a pipeline, if it has one. Returns whether the next member is the first. */
  private pipeline(pipeline: PipelineNode, values: PipelineValues, isFirst: boolean): boolean {
    const value = values.get(pipeline.name);
    if (value === undefined) return isFirst;
    this.open(this.options.typedKeys ? value.typeName : null, pipeline.name, isFirst);
    this.out.members(value.members(), this.meta(pipeline));
    this.out.add('}');
    return false;
  }
}

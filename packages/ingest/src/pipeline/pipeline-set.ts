/**
 * The pipelines of a cluster state on this node: each is made when first used, and what was counted for one goes on for the
 * next of its id.
 */
import { parseEventJson } from '@shoal/agent-event';
import { assert } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import type { ProcessorStep } from '../contract/processor.ts';
import { RunStats } from '../contract/run-stats.ts';
import type { DocumentMap } from '../values/document-value.ts';
import { type CompiledPipeline, compilePipeline } from './compile-pipeline.ts';

/** Configurations by id. */
export type PipelineConfigs = ReadonlyMap<string, { readonly id: string; readonly config: string }>;

interface Made {
  readonly config: string;
  readonly pipeline: CompiledPipeline;
}

export class PipelineSet {
  readonly #clock: Clock;
  /** All documents that went through a pipeline because a request or an index named it. */
  readonly total: RunStats = new RunStats();
  #made = new Map<string, Made>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** undefined: there is none. @throws ShoalError for one that this node cannot make */
  get(configs: PipelineConfigs, id: string): CompiledPipeline | undefined {
    const wanted = configs.get(id);
    if (wanted === undefined) return undefined;
    const known = this.#made.get(id);
    if (known?.config === wanted.config) return known.pipeline;
    const pipeline = compilePipeline(id, readPipelineConfig(wanted.config), this.#clock);
    if (known !== undefined) takeOver(pipeline, known.pipeline);
    this.#made.set(id, { config: wanted.config, pipeline });
    return pipeline;
  }

  /** All pipelines that can be made; those that are gone are forgotten. */
  all(configs: PipelineConfigs): readonly CompiledPipeline[] {
    this.#made = new Map([...this.#made].filter(([id]) => configs.has(id)));
    return [...configs.keys()].flatMap((id) => this.get(configs, id) ?? []);
  }
}

/** A stored configuration: it was checked when it was put. */
function readPipelineConfig(config: string): DocumentMap {
  const value = parseEventJson(config);
  assert(value instanceof Map, 'a stored pipeline is a JSON object');
  return value;
}

function takeOver(pipeline: CompiledPipeline, earlier: CompiledPipeline): void {
  pipeline.stats.takeOver(earlier.stats);
  for (const [at, step] of pipeline.steps.entries()) {
    const before = earlier.steps[at];
    if (before !== undefined && shownName(before) === shownName(step)) step.stats.takeOver(before.stats);
  }
}

/** Name of a step in statistics: its type, with its tag if it has one. */
export function shownName({ type, tag }: ProcessorStep): string {
  return tag === null ? type : `${type}:${tag}`;
}

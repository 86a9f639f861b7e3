/**
 * The pipelines of a cluster state on this node: each is made when first used, and what was counted for one goes on for the
 * next of its id.
 */
import { parseEventJson } from '@shoal/agent-event';
import { assert, isShoalError } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import type { PipelineParts, ProcessorStep } from '../contract/processor.ts';
import { RunStats } from '../contract/run-stats.ts';
import type { DocumentMap } from '../values/document-value.ts';
import type { CompiledPipeline } from './compile-pipeline.ts';
import { loadCompiler, type PipelineCompiler } from './load-compiler.ts';
import type { PipelineSource } from './pipeline-runner.ts';

/** What a cluster state has of pipelines. */
export interface StoredPipelines {
  /** Configurations by id. */
  readonly ingestPipelines: ReadonlyMap<string, { readonly id: string; readonly config: string }>;
  /** Scripts that pipelines name, by id. */
  readonly storedScripts: PipelineParts['scripts'];
}

interface Made {
  readonly config: string;
  /** Scripts it was made with; null: it names none. */
  readonly scripts: PipelineParts['scripts'] | null;
  readonly pipeline: CompiledPipeline;
}

/** Member that names a stored script, as any configuration has it that names one. */
const STORED_SCRIPT = '"id"';

export class PipelineSet {
  readonly #runtime: Pick<Runtime, 'clock' | 'config'>;
  /** All documents that went through a pipeline because a request or an index named it. */
  readonly total: RunStats = new RunStats();
  #made = new Map<string, Made>();

  constructor(runtime: Pick<Runtime, 'clock' | 'config'>) {
    this.#runtime = runtime;
  }

  /** Finds pipelines by their ids, and makes those that it is asked for. */
  async source(stored: StoredPipelines): Promise<PipelineSource> {
    if (stored.ingestPipelines.size === 0) return () => undefined;
    const compiler = await loadCompiler();
    return (id) => this.#get(compiler, stored, id);
  }

  /**
   * All pipelines that can be made, but those that every cluster has and nobody used here: what makes pipelines is not loaded
   * for them. Those that are gone are forgotten.
   */
  async all(stored: StoredPipelines): Promise<readonly CompiledPipeline[]> {
    const { ingestPipelines } = stored;
    this.#made = new Map([...this.#made].filter(([id]) => ingestPipelines.has(id)));
    const told = [...ingestPipelines.values()].filter(({ id, config }) => this.#made.has(id) || !isManaged(config));
    if (told.length === 0) return [];
    const source = await this.source(stored);
    return told.flatMap(({ id }) => this.#ifMade(source, id) ?? []);
  }

  /** A pipeline whose script is stored no more is the one that was made of it last. */
  #ifMade(source: PipelineSource, id: string): CompiledPipeline | undefined {
    try {
      return source(id);
    } catch (error) {
      if (isShoalError(error)) return this.#made.get(id)?.pipeline;
      throw error;
    }
  }

  /** undefined: there is none. @throws ShoalError for one that this node cannot make */
  #get(compiler: PipelineCompiler, stored: StoredPipelines, id: string): CompiledPipeline | undefined {
    const { ingestPipelines, storedScripts } = stored;
    const wanted = ingestPipelines.get(id);
    if (wanted === undefined) return undefined;
    const { config } = wanted;
    const known = this.#made.get(id);
    const isCurrent = known?.scripts === null || known?.scripts === storedScripts;
    if (known?.config === config && isCurrent) return known.pipeline;
    const { clock, config: files } = this.#runtime;
    // A policy can be executed, or deleted, after its pipeline is put: the lookup itself finds out.
    const parts = { clock, files, scripts: storedScripts, hasEnrichIndex: () => true };
    const pipeline = compiler.compilePipeline(id, readPipelineConfig(config), parts);
    if (known !== undefined) takeOver(pipeline, known.pipeline);
    const scripts = config.includes(STORED_SCRIPT) ? storedScripts : null;
    this.#made.set(id, { config, scripts, pipeline });
    return pipeline;
  }
}

/** True for a pipeline that says to be managed, as those do that a cluster has before anybody puts one. */
function isManaged(config: string): boolean {
  const meta = readPipelineConfig(config).get('_meta');
  return meta instanceof Map && meta.get('managed') === true;
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

/**
 * Runs one document through pipelines: step after step, with what is to be done when one fails.
 *
 * A failure that nobody handles is thrown as it came. Work is done in steps, so that a long one lets others of its thread run.
 */
import { illegalArgument, isShoalError, ShoalError, StepMeter, type Steps } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import type { EnrichLookup, EnrichSource } from '../contract/enrich-source.ts';
import type { PipelineRun, ProcessorStep, RunOutcome } from '../contract/processor.ts';
import type { IngestDocument } from '../document/ingest-document.ts';
import type { DocumentMap } from '../values/document-value.ts';
import type { CompiledPipeline } from './compile-pipeline.ts';

/** Pipelines by id; undefined: there is none. @throws ShoalError for one that cannot be made */
export type PipelineSource = (id: string) => CompiledPipeline | undefined;

/** What became of one step, for those who watch a run. */
export type StepResult =
  | { readonly kind: 'success' | 'errorIgnored'; readonly document: IngestDocument; readonly error: ShoalError | null }
  | { readonly kind: 'error'; readonly error: ShoalError }
  | { readonly kind: 'dropped' | 'entered' | 'skipped' };

export interface RunWatcher {
  watch(step: ProcessorStep, result: StepResult): void;
}

export interface RunnerOptions {
  readonly pipelines: PipelineSource;
  readonly clock: Clock;
  readonly watcher: RunWatcher | null;
  readonly enrich: EnrichSource;
}

/** Where in the pipelines a document failed. */
export interface FailureOrigin {
  /** Ids of the pipelines that ran, the innermost last; empty for one that is not stored. */
  readonly pipelineTrace: readonly string[];
  readonly processorType: string;
  /** null: the processor has none. */
  readonly processorTag: string | null;
}

/** Steps that one document may take: pipelines that run others twice double them at every level. */
const STEPS_MAX = 200_000;
/** Pipelines that run in one another. */
const DEPTH_MAX = 100;
/** Cost of a step in the units of a step meter. */
const STEP_UNITS = 10;
const PIPELINE = 'pipeline';

/** A failure on its way out, with the processor that it began in. */
class ProcessorFailure extends Error {
  readonly error: ShoalError;
  readonly step: ProcessorStep;
  /** Ids of the pipelines that ran, the innermost last. */
  readonly running: readonly string[];

  constructor(error: ShoalError, step: ProcessorStep, running: readonly string[]) {
    super(error.message);
    this.error = error;
    this.step = step;
    this.running = running;
  }
}

export class PipelineRunner implements PipelineRun {
  readonly #options: RunnerOptions;
  /** Ids of the pipelines that run, the innermost last. */
  readonly #running: string[] = [];
  readonly #meter = new StepMeter();
  #stepsLeft = STEPS_MAX;
  #failure: ProcessorFailure | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** The document goes through a pipeline that is not stored. @throws ShoalError of the processor that failed */
  *runUnstored(pipeline: CompiledPipeline, document: IngestDocument): Steps<RunOutcome> {
    try {
      return yield* this.#runAll(pipeline.steps, pipeline.onFailure, document);
    } catch (error) {
      throw error instanceof ProcessorFailure ? error.error : error;
    }
  }

  /** The document goes through a pipeline. @throws ShoalError of the processor that failed */
  *run(pipeline: CompiledPipeline, document: IngestDocument): Steps<RunOutcome> {
    try {
      return yield* this.#runNamed(pipeline, document);
    } catch (error) {
      if (!(error instanceof ProcessorFailure)) throw error;
      this.#failure = error;
      throw error.error;
    }
  }

  /** Where the failure that `run` threw began; null: in no processor. */
  failureOrigin(): FailureOrigin | null {
    if (this.#failure === null) return null;
    const { running, step } = this.#failure;
    return { pipelineTrace: running, processorType: step.type, processorTag: step.tag };
  }

  *runPipeline(id: string, document: IngestDocument, ignoresMissing: boolean): Steps<RunOutcome> {
    const pipeline = this.#options.pipelines(id);
    if (pipeline !== undefined) return yield* this.#runNamed(pipeline, document);
    if (ignoresMissing) return 'kept';
    throw illegalState(`Pipeline processor configured for non-existent pipeline [${id}]`);
  }

  lookUp(lookup: EnrichLookup): readonly string[] | null {
    return this.#options.enrich.find(lookup);
  }

  *runStep(step: ProcessorStep, document: IngestDocument): Steps<RunOutcome> {
    if (--this.#stepsLeft < 0)
      throw illegalArgument(`a document takes more than [${STEPS_MAX}] steps through pipelines`);
    if (this.#meter.isDue(STEP_UNITS)) yield;
    const { clock, watcher } = this.#options;
    if (!this.#isWanted(step, document)) {
      watcher?.watch(step, { kind: 'skipped' });
      return 'kept';
    }
    const startedMs = clock.monotonicMs();
    let failure: ProcessorFailure | null = null;
    step.stats.begin();
    try {
      if (step.type === PIPELINE) watcher?.watch(step, { kind: 'entered' });
      const { processor } = step;
      const outcome =
        processor.kind === 'simple' ? (processor.execute(document) ?? 'kept') : yield* processor.steps(document, this);
      if (outcome === 'dropped') watcher?.watch(step, { kind: 'dropped' });
      else if (step.type !== PIPELINE) watcher?.watch(step, { kind: 'success', document, error: null });
      return outcome;
    } catch (error) {
      failure = this.#failureOf(error, step);
    } finally {
      step.stats.end(clock.monotonicMs() - startedMs, failure !== null);
    }
    return yield* this.#afterFailure(failure, step, document);
  }

  /** @throws ProcessorFailure of the condition, which the processor's own handlers do not see */
  #isWanted(step: ProcessorStep, document: IngestDocument): boolean {
    try {
      return step.condition?.holds(document) ?? true;
    } catch (error) {
      const failure = this.#failureOf(error, step);
      this.#options.watcher?.watch(step, { kind: 'error', error: failure.error });
      throw failure;
    }
  }

  *#afterFailure(failure: ProcessorFailure, step: ProcessorStep, document: IngestDocument): Steps<RunOutcome> {
    const { watcher } = this.#options;
    const { error } = failure;
    if (step.ignoresFailure) {
      watcher?.watch(step, { kind: 'errorIgnored', document, error });
      return 'kept';
    }
    if (failure.step === step) watcher?.watch(step, { kind: 'error', error });
    if (step.onFailure.length === 0) throw failure;
    return yield* this.#handle(failure, step.onFailure, document);
  }

  *#runNamed(pipeline: CompiledPipeline, document: IngestDocument): Steps<RunOutcome> {
    const { id, stats } = pipeline;
    if (this.#running.includes(id)) throw illegalState(`Cycle detected for pipeline: ${id}`);
    if (this.#running.length >= DEPTH_MAX) throw illegalState(`more than [${DEPTH_MAX}] pipelines run in one another`);
    const outer = document.ingest.get(PIPELINE);
    document.ingest.set(PIPELINE, id);
    this.#running.push(id);
    const startedMs = this.#options.clock.monotonicMs();
    let isDone = false;
    stats.begin();
    try {
      const outcome = yield* this.#runAll(pipeline.steps, pipeline.onFailure, document);
      isDone = true;
      return outcome;
    } finally {
      stats.end(this.#options.clock.monotonicMs() - startedMs, !isDone);
      this.#running.pop();
      if (outer === undefined) document.ingest.delete(PIPELINE);
      else document.ingest.set(PIPELINE, outer);
    }
  }

  *#runAll(
    steps: readonly ProcessorStep[],
    onFailure: readonly ProcessorStep[],
    document: IngestDocument,
  ): Steps<RunOutcome> {
    try {
      for (const step of steps) {
        if ((yield* this.runStep(step, document)) === 'dropped') return 'dropped';
        if (document.isRerouted) break;
      }
      return 'kept';
    } catch (error) {
      if (onFailure.length === 0 || !(error instanceof ProcessorFailure)) throw error;
      return yield* this.#handle(error, onFailure, document);
    }
  }

  *#handle(
    failure: ProcessorFailure,
    onFailure: readonly ProcessorStep[],
    document: IngestDocument,
  ): Steps<RunOutcome> {
    const known = failureFields(failure);
    for (const [name, value] of known) document.ingest.set(name, value);
    try {
      return yield* this.#runAll(onFailure, [], document);
    } finally {
      for (const name of known.keys()) document.ingest.delete(name);
    }
  }

  /** @throws what is no failure of a processor */
  #failureOf(error: unknown, step: ProcessorStep): ProcessorFailure {
    if (error instanceof ProcessorFailure) return error;
    if (isShoalError(error)) return new ProcessorFailure(error, step, [...this.#running]);
    throw error;
  }
}

/** What processors that handle a failure find below `_ingest`. */
function failureFields({ error, step, running }: ProcessorFailure): DocumentMap {
  let root = error;
  while (root.causedBy !== undefined) root = root.causedBy;
  const fields: DocumentMap = new Map([
    ['on_failure_message', root.reason],
    ['on_failure_processor_type', step.type],
    ['on_failure_processor_tag', step.tag],
  ]);
  // Handlers are told the pipeline only where it runs in another one.
  const inner = running.at(-1);
  if (inner !== undefined && running.length > 1) fields.set('on_failure_pipeline', inner);
  return fields;
}

/** 400: the pipelines cannot run as they are. */
function illegalState(reason: string): ShoalError {
  return new ShoalError('illegal_state_exception', 400, reason);
}

/**
 * The contract of a processor: what its configuration makes, and what it does to one document.
 */
import type { ConfigFiles, Steps } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import type { IngestDocument } from '../document/ingest-document.ts';
import type { DocumentMap } from '../values/document-value.ts';
import type { EnrichLookup } from './enrich-source.ts';
import type { ProcessorConfig } from './processor-config.ts';
import type { RunStats } from './run-stats.ts';

/** `dropped`: the document is not indexed, and no further processor sees it. */
export type RunOutcome = 'kept' | 'dropped';

/** What one document goes through, as processors that run others see it. */
export interface PipelineRun {
  /** Runs the pipeline of that name. @throws illegal_argument_exception where there is none, or it runs already */
  runPipeline(id: string, document: IngestDocument, ignoresMissing: boolean): Steps<RunOutcome>;
  runStep(step: ProcessorStep, document: IngestDocument): Steps<RunOutcome>;
  /** Documents of an enrich policy; null: to be asked for again in a later step. */
  lookUp(lookup: EnrichLookup): readonly string[] | null;
}

export type Processor =
  | { readonly kind: 'simple'; execute(document: IngestDocument): RunOutcome | undefined }
  /** Runs others, or many times the work of a simple one. */
  | { readonly kind: 'stepped'; steps(document: IngestDocument, run: PipelineRun): Steps<RunOutcome> };

/** `if` of a processor. */
export interface Condition {
  /** Text of its script. */
  readonly source: string;
  /** @throws script_exception when the script fails, or would change the document */
  holds(document: IngestDocument): boolean;
}

/** A processor at its place in a pipeline. */
export interface ProcessorStep {
  readonly type: string;
  readonly tag: string | null;
  readonly description: string | null;
  readonly processor: Processor;
  /** null: it runs for every document. A condition that fails is no failure of the processor, whose own handlers do not see it. */
  readonly condition: Condition | null;
  readonly stats: RunStats;
  readonly ignoresFailure: boolean;
  /** Run instead of the rest when it fails; empty: the failure is the pipeline's. */
  readonly onFailure: readonly ProcessorStep[];
}

/** What a pipeline is made with, beside its configuration. */
export interface PipelineParts {
  readonly clock: Clock;
  /** Files that processors name. */
  readonly files: ConfigFiles;
  /** Scripts that are stored, by their ids. */
  readonly scripts: ReadonlyMap<string, { readonly lang: string; readonly source: string }>;
  /** Whether an enrich policy was executed. */
  readonly hasEnrichIndex: (policy: string) => boolean;
}

/** What processors are made with. */
export interface ProcessorContext extends PipelineParts {
  /** Makes the processor that stands in the configuration of another one. */
  readonly createStep: (type: string, properties: DocumentMap) => ProcessorStep;
}

export interface ProcessorType {
  readonly type: string;
  create(config: ProcessorConfig, context: ProcessorContext): Processor;
}

/** A processor whose work on one document is short. */
export function simple(execute: (document: IngestDocument) => void): Processor {
  const keep = (document: IngestDocument): undefined => {
    execute(document);
  };
  return { kind: 'simple', execute: keep };
}

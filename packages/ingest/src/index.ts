export { NO_PLACE } from './contract/config-error.ts';
export type { EnrichLookup, EnrichSource } from './contract/enrich-source.ts';
export type { ProcessorStep, RunOutcome } from './contract/processor.ts';
export { ProcessorConfig } from './contract/processor-config.ts';
export type { RunStats } from './contract/run-stats.ts';
export { IngestDocument, METADATA_FIELDS, type MetadataField } from './document/ingest-document.ts';
export type { CompiledPipeline } from './pipeline/compile-pipeline.ts';
export { loadCompiler } from './pipeline/load-compiler.ts';
export {
  type FailureOrigin,
  PipelineRunner,
  type PipelineSource,
  type RunWatcher,
  type StepResult,
} from './pipeline/pipeline-runner.ts';
export { PipelineSet, type StoredPipelines, shownName } from './pipeline/pipeline-set.ts';
export { PROCESSOR_NAMES } from './processors/processor-names.ts';
export type { DocumentMap, DocumentValue } from './values/document-value.ts';

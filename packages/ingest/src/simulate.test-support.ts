/** One document through processors, for tests. */
import { jsonText, toEventValue } from '@shoal/agent-event';
import { type ConfigFiles, isShoalError, NO_CONFIG_FILES, runSteps } from '@shoal/core';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import type { EnrichSource } from './contract/enrich-source.ts';
import type { PipelineParts } from './contract/processor.ts';
import { IngestDocument } from './document/ingest-document.ts';
import { compilePipeline } from './pipeline/compile-pipeline.ts';
import { PipelineRunner } from './pipeline/pipeline-runner.ts';

const { clock } = createNodeRuntime({ log: createSilentLog() });

const NO_ENRICHMENT: EnrichSource = { find: () => [] };

/** The document as JSON text behind the processors, `dropped`, or the reason why they failed. */
export function simulate(
  processors: unknown,
  source: unknown,
  scripts: PipelineParts['scripts'] = new Map(),
  files: ConfigFiles = NO_CONFIG_FILES,
): string {
  const config = toEventValue({ processors });
  const fields = toEventValue(source);
  if (!(config instanceof Map && fields instanceof Map)) throw new Error('not an object');
  const pipeline = compilePipeline('p', config, { clock, files, scripts, hasEnrichIndex: () => false });
  const document = new IngestDocument(fields, new Map([['timestamp', '2020-01-02T03:04:05.678Z']]));
  const runner = new PipelineRunner({ pipelines: () => undefined, clock, watcher: null, enrich: NO_ENRICHMENT });
  try {
    return runSteps(runner.run(pipeline, document)) === 'dropped' ? 'dropped' : jsonText(document.fields);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    return error.reason ?? error.type;
  }
}

/** `simulate` of one processor. */
export function simulateOne(type: string, options: object, source: unknown, files?: ConfigFiles): string {
  return simulate([{ [type]: options }], source, new Map(), files);
}

/**
 * `_ingest/pipeline/_simulate`: what a pipeline makes of documents, without a write; with `verbose` after each processor.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument, isShoalError, type Steps } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { NO_PLACE, PipelineRunner, ProcessorConfig } from '@shoal/ingest';
import type { RestApi } from '../api/rest-api.ts';
import { showsTypes } from '../request/document-types.ts';
import { exactBody } from './pipeline-body.ts';
import { pipelineCompiler } from './pipeline-compiler.ts';
import { runSimulated, sentDocuments } from './run-simulated.ts';
import { errorBody } from './simulate-error.ts';
import { simulatedDocument, simulatedDocumentBody } from './simulated-document.ts';
import { VerboseResults } from './verbose-results.ts';

type Json = Readonly<Record<string, unknown>>;

const SIMULATED_ID = '_simulate_pipeline';

export const simulatePipelineApi: RestApi = {
  usageName: 'ingest_simulate_pipeline_action',
  methods: ['GET', 'POST'],
  paths: ['/_ingest/pipeline/_simulate', '/_ingest/pipeline/{id}/_simulate'],
  privilege: 'cluster:admin/ingest/pipeline/simulate',
  task: { action: 'cluster:admin/ingest/pipeline/simulate', isCancellable: true },
  body: 'json',
  params: { verbose: 'boolean' },
  handler: simulate,
};

async function simulate(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { metadata } = context.cluster.state();
  const { clock } = context.runtime;
  const body = new ProcessorConfig(NO_PLACE, exactBody(request));
  const id = request.params.string('id');
  const compile = await pipelineCompiler(context);
  const pipelines = await context.ingest.source(metadata);
  const pipeline = id === null ? compile(SIMULATED_ID, body.map('pipeline')) : pipelines(id);
  if (pipeline === undefined) throw illegalArgument(`pipeline [${id}] does not exist`);
  const configured = sentDocuments(body);
  const nowMs = clock.wallMs();
  const documents = configured.map((document) => simulatedDocument(document, nowMs));
  const isVerbose = request.params.boolean('verbose', false);
  const withTypes = showsTypes(request);
  const shown: (Json | null)[] = [];
  for (const document of documents) {
    const results = isVerbose ? new VerboseResults(withTypes) : null;
    const result = await runSimulated(context, request.signal, function* (enrich): Steps<Json | null> {
      const runner = new PipelineRunner({ pipelines, clock, watcher: results, enrich });
      try {
        // Only steps that are watched know by which pipeline they are run.
        const outcome = yield* isVerbose ? runner.run(pipeline, document) : runner.runUnstored(pipeline, document);
        return outcome === 'dropped' ? null : { doc: simulatedDocumentBody(document, withTypes) };
      } catch (error) {
        if (!isShoalError(error)) throw error;
        return { error: errorBody(error) };
      }
    });
    shown.push(results === null ? result : { processor_results: results.bodies });
  }
  return valueResponse({ docs: shown });
}

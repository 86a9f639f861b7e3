/**
 * `_ingest/_simulate`: what the pipelines of an index make of documents, without a write.
 *
 * Unlike `_ingest/pipeline/_simulate` it runs what a write would run: the pipelines that the index of a document names, or its
 * templates, and the final one of another index where a pipeline sends it there. No mapping reads the documents.
 */
import {
  type CoordinatorContext,
  type IndexPipelines,
  ingestDocumentOf,
  NO_PIPELINE,
  pipelinesOfIndex,
  runRoute,
  sourceFieldsOf,
  writeOf,
} from '@shoal/coordinator';
import { illegalArgument, isShoalError, type Steps } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import {
  type CompiledPipeline,
  type DocumentMap,
  type DocumentValue,
  type IngestDocument,
  NO_PLACE,
  PipelineRunner,
  type PipelineSource,
  ProcessorConfig,
} from '@shoal/ingest';
import { NO_CONDITIONS } from '@shoal/shard-api';
import type { RestApi } from '../api/rest-api.ts';
import { exactBody } from './pipeline-body.ts';
import { pipelineCompiler } from './pipeline-compiler.ts';
import { runSimulated, sentDocuments } from './run-simulated.ts';
import { errorBody } from './simulate-error.ts';

type Json = Readonly<Record<string, unknown>>;

/** Version of a document that nothing wrote. */
const NOT_WRITTEN = -3;
/** What would change the mapping that reads a document, which none does here. */
const NOT_SUPPORTED = ['component_template_substitutions', 'index_template_substitutions', 'mapping_addition'];

export const simulateIngestApi: RestApi = {
  usageName: 'ingest_simulate_ingest_action',
  methods: ['GET', 'POST'],
  paths: ['/_ingest/_simulate', '/_ingest/{index}/_simulate'],
  privilege: 'indices:data/write/simulate/bulk',
  task: { action: 'indices:data/write/simulate/bulk', isCancellable: true },
  body: 'json',
  params: { pipeline: 'string' },
  handler: simulate,
};

interface SentDocument {
  readonly index: string;
  readonly id: string | null;
  readonly fields: DocumentMap;
}

async function simulate(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = new ProcessorConfig(NO_PLACE, exactBody(request));
  const refused = NOT_SUPPORTED.find((name) => body.has(name));
  if (refused !== undefined) throw illegalArgument(`[${refused}] is not supported by this server`);
  const pipelines = await pipelinesOf(context, body.optionalMap('pipeline_substitutions') ?? new Map());
  const configured = sentDocuments(body);
  const index = request.params.string('index');
  const sent = configured.map((document) => sentDocument(document, index));
  const named = request.params.string('pipeline');
  const docs: Json[] = [];
  for (const document of sent) docs.push({ doc: await simulated(request, context, { document, pipelines, named }) });
  return valueResponse({ docs });
}

interface SimulatedRun {
  readonly document: SentDocument;
  readonly pipelines: PipelineSource;
  /** Pipeline in place of the usual one of the index; null: that one. */
  readonly named: string | null;
}

/** null for a document that a pipeline dropped. */
function simulated(
  request: HttpRequest,
  context: CoordinatorContext,
  { document: sent, pipelines, named }: SimulatedRun,
): Promise<Json | null> {
  const { clock } = context.runtime;
  const nowMs = clock.wallMs();
  const state = context.cluster.state();
  const own = pipelinesOfIndex(state, sent.index, nowMs);
  const usual = named ?? own?.usual ?? null;
  const route = { usual: usual === NO_PIPELINE ? null : usual, final: own?.final ?? null };
  const write = { index: sent.index, id: sent.id, routing: null, conditions: NO_CONDITIONS };
  const document = ingestDocumentOf(new Map(sent.fields), write, nowMs);
  const executed: string[] = [];
  return runSimulated(context, request.signal, function* (enrich): Steps<Json | null> {
    const run = function* (id: string): ReturnType<PipelineRunner['run']> {
      const pipeline = pipelines(id);
      if (pipeline === undefined) throw illegalArgument(`pipeline with id [${id}] does not exist`);
      const outcome = yield* new PipelineRunner({ pipelines, clock, watcher: null, enrich }).run(pipeline, document);
      executed.push(id);
      return outcome;
    };
    const pipelinesAt = (index: string): IndexPipelines | null => pipelinesOfIndex(state, index, nowMs);
    try {
      const dropped = yield* runRoute({ document, index: sent.index, route, run, pipelinesAt });
      return dropped === null ? shownDocument(document, executed) : null;
    } catch (error) {
      if (!isShoalError(error)) throw error;
      return { _id: sent.id, _index: sent.index, error: errorBody(error) };
    }
  });
}

function shownDocument(document: IngestDocument, executed: readonly string[]): Json {
  const { index, id } = writeOf(document);
  const source = sourceFieldsOf(document);
  return { _id: id, _index: index, _version: NOT_WRITTEN, _source: source, executed_pipelines: executed };
}

/** @throws parse_exception that names the property */
function sentDocument(value: DocumentValue, indexByDefault: string | null): SentDocument {
  if (!(value instanceof Map)) throw illegalArgument('malformed [docs] section, should include an inner object');
  const config = new ProcessorConfig(NO_PLACE, value);
  const index = config.optionalTextOrInteger('_index') ?? indexByDefault ?? config.text('_index');
  return { index, id: config.optionalTextOrInteger('_id'), fields: config.map('_source') };
}

/** The pipelines of the cluster, some of them replaced. @throws ShoalError for one that cannot run */
async function pipelinesOf(context: CoordinatorContext, substitutes: DocumentMap): Promise<PipelineSource> {
  const stored = await context.ingest.source(context.cluster.state().metadata);
  if (substitutes.size === 0) return stored;
  const compile = await pipelineCompiler(context);
  const made = new Map<string, CompiledPipeline>();
  for (const [id, config] of substitutes) {
    if (!(config instanceof Map)) throw illegalArgument(`pipeline [${id}] of [pipeline_substitutions] is no object`);
    made.set(id, compile(id, config));
  }
  return (id) => made.get(id) ?? stored(id);
}

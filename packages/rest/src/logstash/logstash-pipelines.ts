/**
 * `_logstash/pipeline`: keeps pipelines for agents that ask the cluster for their configuration. Nothing here runs them.
 */
import { type CoordinatorContext, executeMultiGet } from '@shoal/coordinator';
import { parseJson, ShoalError, simpleMatch, writeJson } from '@shoal/core';
import { emptyResponse, type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { createHiddenIndex, hasIndex, searchKept, writeKept } from '../kept/kept-documents.ts';
import { isJsonObject, type JsonObject, requiredBody } from '../request/json-body.ts';

const LOGSTASH_INDEX = '.logstash';
/** Parts of a pipeline that are shown as they came and never searched. */
const UNINDEXED = { type: 'object', enabled: false };
const MAPPINGS = {
  dynamic: 'strict',
  properties: {
    description: { type: 'text' },
    last_modified: { type: 'date' },
    pipeline_metadata: UNINDEXED,
    pipeline: { type: 'text', index: false },
    pipeline_settings: UNINDEXED,
    username: { type: 'keyword' },
  },
};

/** Pipelines that one request shows. */
const PIPELINES_MAX = 10_000;
const FIELDS: readonly (readonly [name: string, isWanted: (value: unknown) => boolean])[] = [
  ['last_modified', isText],
  ['pipeline_metadata', isJsonObject],
  ['username', isText],
  ['pipeline', isText],
  ['pipeline_settings', isJsonObject],
];

export const putLogstashPipelineApi: RestApi = {
  usageName: 'logstash_put_pipeline',
  methods: ['PUT'],
  paths: ['/_logstash/pipeline/{id}'],
  privilege: 'cluster:admin/logstash/pipeline/put',
  task: null,
  body: 'json',
  params: {},
  handler: async (request, context) => {
    const source = writeJson(checkedPipeline(requiredBody(request)));
    await createHiddenIndex(context, { name: LOGSTASH_INDEX, mappings: MAPPINGS });
    const write = { action: 'index', index: LOGSTASH_INDEX, id: request.params.required('id'), source } as const;
    return emptyResponse((await writeKept(context, write)) === 'created' ? 201 : 200);
  },
};

export const getLogstashPipelinesApi: RestApi = {
  usageName: 'logstash_get_pipeline',
  methods: ['GET'],
  paths: ['/_logstash/pipeline', '/_logstash/pipeline/{id}'],
  privilege: 'cluster:admin/logstash/pipeline/get',
  task: null,
  params: {},
  handler: getPipelines,
};

export const deleteLogstashPipelineApi: RestApi = {
  usageName: 'logstash_delete_pipeline',
  methods: ['DELETE'],
  paths: ['/_logstash/pipeline/{id}'],
  privilege: 'cluster:admin/logstash/pipeline/delete',
  task: null,
  params: {},
  handler: async (request, context) => {
    if (!hasIndex(context, LOGSTASH_INDEX)) return emptyResponse(404);
    const write = { action: 'delete', index: LOGSTASH_INDEX, id: request.params.required('id'), source: null } as const;
    return emptyResponse((await writeKept(context, write)) === 'deleted' ? 200 : 404);
  },
};

async function getPipelines(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const ids = request.params.list('id');
  const wantsMany = ids.length === 0 || ids.some((id) => id.includes('*'));
  const found = !hasIndex(context, LOGSTASH_INDEX)
    ? []
    : wantsMany
      ? await matching(request, context, ids)
      : await named(context, ids);
  const isMissing = found.length === 0 && !wantsMany;
  return valueResponse(Object.fromEntries(found), isMissing ? 404 : 200);
}

type ShownPipeline = readonly [id: string, source: unknown];

async function named(context: CoordinatorContext, ids: readonly string[]): Promise<readonly ShownPipeline[]> {
  const keys = ids.map((id) => ({ index: LOGSTASH_INDEX, id, routing: null }));
  const outcomes = await executeMultiGet(context, keys, { realtime: true, refresh: false });
  return outcomes.flatMap((outcome): ShownPipeline[] => {
    if (outcome.kind === 'failed') throw outcome.error;
    const source = outcome.document?.source ?? null;
    return source === null ? [] : [[outcome.id, parseJson(source)]];
  });
}

/** @param patterns of ids; empty: all */
async function matching(
  { signal }: HttpRequest,
  context: CoordinatorContext,
  patterns: readonly string[],
): Promise<readonly ShownPipeline[]> {
  const everything = { size: PIPELINES_MAX, track_total_hits: false };
  const { hits } = await searchKept(context, LOGSTASH_INDEX, everything, signal);
  const isWanted = (id: string): boolean => patterns.length === 0 || patterns.some((name) => simpleMatch(name, id));
  return hits.flatMap(({ hit: { id, source } }): ShownPipeline[] =>
    source !== null && isWanted(id) ? [[id, parseJson(source)]] : [],
  );
}

/** @throws x_content_parse_exception for a part that is missing or of another kind */
function checkedPipeline(body: JsonObject): JsonObject {
  for (const [name, isWanted] of FIELDS) {
    const value = body[name];
    if (value === undefined) {
      throw illegalPipeline(
        `Required [${FIELDS.map(([field]) => field)
          .filter((field) => !(field in body))
          .join(', ')}]`,
      );
    }
    if (!isWanted(value)) throw illegalPipeline(`[pipeline] failed to parse field [${name}]`);
  }
  const { description = null } = body;
  if (description !== null && !isText(description))
    throw illegalPipeline('[pipeline] failed to parse field [description]');
  const known = ['description', ...FIELDS.map(([name]) => name)];
  // Members that no pipeline has are left out, as the agents would.
  return Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name)));
}

function illegalPipeline(reason: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, reason);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/**
 * `GET _ingest/pipeline/{id}`: pipelines by id and by pattern, as they were put.
 */
import { matchesAny } from '@shoal/core';
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { readState } from '../request/managed-state.ts';
import { READ_PARAMETERS } from '../request/manager-timeouts.ts';
import { pipelineBody } from './pipeline-body.ts';

export const getPipelinesApi: RestApi = {
  usageName: 'ingest_get_pipeline_action',
  methods: ['GET'],
  paths: ['/_ingest/pipeline', '/_ingest/pipeline/{id}'],
  privilege: 'cluster:admin/ingest/pipeline/get',
  task: null,
  params: { ...READ_PARAMETERS, summary: 'boolean' },
  handler: async (request, context) => {
    const { ingestPipelines } = (await readState(request, context)).metadata;
    const ids = request.params.list('id');
    const found = [...ingestPipelines.values()].filter(({ id }) => ids.length === 0 || matchesAny(ids, id));
    const isSummary = request.params.boolean('summary', false);
    const bodies = new Map(found.map((pipeline) => [pipeline.id, isSummary ? {} : pipelineBody(pipeline)]));
    return valueResponse(bodies, found.length === 0 ? 404 : 200);
  },
};

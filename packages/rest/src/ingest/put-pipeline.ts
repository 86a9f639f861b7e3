/**
 * `PUT _ingest/pipeline/{id}`: stores a pipeline, once it is clear that this node can run it.
 */
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';
import { exactBody, keptConfig } from './pipeline-body.ts';
import { pipelineCompiler } from './pipeline-compiler.ts';

export const putPipelineApi: RestApi = {
  usageName: 'ingest_put_pipeline_action',
  methods: ['PUT'],
  paths: ['/_ingest/pipeline/{id}'],
  privilege: 'cluster:admin/ingest/pipeline/put',
  task: null,
  body: 'json',
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const id = request.params.required('id');
    const config = exactBody(request);
    const compile = await pipelineCompiler(context);
    compile(id, config);
    const { acknowledged } = await context.cluster.admin.putIngestPipeline({
      ...managerTimeouts(request),
      id,
      config: keptConfig(config),
    });
    return valueResponse({ acknowledged });
  },
};

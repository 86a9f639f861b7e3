/** `DELETE _ingest/pipeline/{id}`: by id, or all that a pattern means. */
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';

export const deletePipelineApi: RestApi = {
  usageName: 'ingest_delete_pipeline_action',
  methods: ['DELETE'],
  paths: ['/_ingest/pipeline/{id}'],
  privilege: 'cluster:admin/ingest/pipeline/delete',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const id = request.params.required('id');
    const { acknowledged } = await context.cluster.admin.deleteIngestPipelines({ ...managerTimeouts(request), id });
    return valueResponse({ acknowledged });
  },
};

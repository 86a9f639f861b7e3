/**
 * `HEAD _index_template/{name}` and its siblings: whether a template exists. A cluster holds none, so that the answer is no.
 */
import { emptyResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { readState } from '../request/managed-state.ts';
import { READ_PARAMETERS } from '../request/manager-timeouts.ts';

export const templateExistsApi: RestApi = {
  methods: ['HEAD'],
  paths: ['/_index_template/{name}', '/_component_template/{name}', '/_template/{name}'],
  privilege: 'indices:admin/index_template/get',
  task: null,
  params: { ...READ_PARAMETERS, flat_settings: withoutEffect('boolean', 'the answer has no body') },
  handler: async (request, context) => {
    await readState(request, context);
    return emptyResponse(404);
  },
};

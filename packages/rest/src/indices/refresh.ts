/**
 * `_refresh`: makes what was written visible to searches.
 */
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { maintainRequest } from './maintain-request.ts';

export const refreshApi: RestApi = {
  usageName: 'refresh_action',
  methods: ['POST', 'GET'],
  paths: ['/_refresh', '/{index}/_refresh'],
  privilege: 'indices:admin/refresh',
  task: null,
  params: INDICES_OPTIONS_PARAMETERS,
  handler: (request, context) => maintainRequest('refresh', request, context),
};

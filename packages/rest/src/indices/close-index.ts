/**
 * `_close`: closes open indices.
 */
import type { RestApi } from '../api/rest-api.ts';
import { OPEN_INDICES_OPTIONS } from './resolve-request.ts';
import { STATE_PARAMETERS, setIndexState } from './set-index-state.ts';

export const closeIndexApi: RestApi = {
  usageName: 'close_index_action',
  methods: ['POST'],
  paths: ['/{index}/_close'],
  privilege: 'indices:admin/close',
  task: null,
  params: STATE_PARAMETERS,
  handler: (request, context) => setIndexState('close', OPEN_INDICES_OPTIONS, request, context),
};

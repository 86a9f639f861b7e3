/**
 * `_open`: opens closed indices.
 */
import { type IndicesOptions, METADATA_INDICES_OPTIONS } from '@shoal/coordinator';
import type { RestApi } from '../api/rest-api.ts';
import { STATE_PARAMETERS, setIndexState } from './set-index-state.ts';

const CLOSED_INDICES_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToOpen: false };

export const openIndexApi: RestApi = {
  usageName: 'open_index_action',
  methods: ['POST'],
  paths: ['/{index}/_open'],
  privilege: 'indices:admin/open',
  task: null,
  params: STATE_PARAMETERS,
  handler: (request, context) => setIndexState('open', CLOSED_INDICES_OPTIONS, request, context),
};

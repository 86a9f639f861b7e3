/**
 * `HEAD /{index}`: whether what `GET` would show exists. A wildcard that matches nothing is no error.
 */
import { checkIndexBlocks } from '@shoal/cluster';
import type { CoordinatorContext } from '@shoal/coordinator';
import {
  emptyResponse,
  type HttpRequest,
  type HttpResponse,
  type ParameterDeclarations,
  withoutEffect,
} from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { ABSENT_APIS } from '../request/absent-apis.ts';
import { readState } from '../request/managed-state.ts';
import { GET_INDEX_PARAMETERS, OPEN_INDICES_OPTIONS, resolveRequest } from './resolve-request.ts';

const NO_BODY = 'the answer has no body';
const OF_THE_BODY: ParameterDeclarations = {
  flat_settings: withoutEffect('boolean', NO_BODY),
  include_defaults: withoutEffect('boolean', NO_BODY),
  features: withoutEffect('list', NO_BODY),
};

export const indexExistsApi: RestApi = {
  usageName: 'get_indices_action',
  methods: ['HEAD'],
  paths: ['/{index}'],
  except: ABSENT_APIS,
  privilege: 'indices:admin/get',
  task: null,
  params: { ...GET_INDEX_PARAMETERS, ...OF_THE_BODY },
  handler: indexExists,
};

async function indexExists(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await readState(request, context);
  const found = resolveRequest(state, request, context, OPEN_INDICES_OPTIONS);
  checkIndexBlocks(
    state,
    'metadata_read',
    found.map(({ index }) => index.name),
  );
  return emptyResponse();
}

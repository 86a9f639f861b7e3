/**
 * `GET _alias`: aliases and the indices that they point to.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { NAMED_ALIASES_PATHS, READ_ALIASES_PARAMETERS, readAliases } from './read-aliases.ts';

export const getAliasesApi: RestApi = {
  usageName: 'get_aliases_action',
  methods: ['GET'],
  paths: ['/_alias', '/_aliases', '/{index}/_alias', ...NAMED_ALIASES_PATHS],
  privilege: 'indices:admin/aliases/get',
  task: null,
  params: READ_ALIASES_PARAMETERS,
  handler: getAliases,
};

async function getAliases(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { status, body } = await readAliases(request, context);
  return valueResponse(body, status);
}

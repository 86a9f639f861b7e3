/**
 * `HEAD _alias/{name}`: whether an alias exists.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { emptyResponse, type HttpRequest, type HttpResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { NAMED_ALIASES_PATHS, READ_ALIASES_PARAMETERS, readAliases } from './read-aliases.ts';

export const aliasExistsApi: RestApi = {
  usageName: 'get_aliases_action',
  methods: ['HEAD'],
  paths: NAMED_ALIASES_PATHS,
  privilege: 'indices:admin/aliases/get',
  task: null,
  params: { ...READ_ALIASES_PARAMETERS, index: 'string' },
  handler: aliasExists,
};

async function aliasExists(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { status, body } = await readAliases(request, context);
  return emptyResponse(status === 200 && Object.keys(body).length > 0 ? 200 : 404);
}

/**
 * `PUT {index}/_alias/{name}`: adds an alias to indices.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { bodyObject } from '../../request/json-body.ts';
import { CHANGE_PARAMETERS } from '../../request/manager-timeouts.ts';
import { addActions } from './alias-actions.ts';
import { aliasTargets, changeAliases, ONE_ALIAS_PATHS } from './change-aliases.ts';

export const putAliasApi: RestApi = {
  methods: ['PUT', 'POST'],
  paths: ONE_ALIAS_PATHS,
  privilege: 'indices:admin/aliases',
  task: null,
  params: CHANGE_PARAMETERS,
  body: 'json',
  handler: putAlias,
};

async function putAlias(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = bodyObject(request);
  const alias = request.params.required('name');
  const { indices } = await aliasTargets(request, context);
  return changeAliases(request, context, addActions(indices, [alias], body));
}

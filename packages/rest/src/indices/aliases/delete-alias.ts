/**
 * `DELETE {index}/_alias/{name}`: takes aliases away from indices.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { CHANGE_PARAMETERS } from '../../request/manager-timeouts.ts';
import { removeActions } from './alias-actions.ts';
import { aliasTargets, changeAliases, ONE_ALIAS_PATHS } from './change-aliases.ts';

export const deleteAliasApi: RestApi = {
  usageName: 'index_delete_aliases_action',
  methods: ['DELETE'],
  paths: ONE_ALIAS_PATHS,
  privilege: 'indices:admin/aliases',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: deleteAlias,
};

async function deleteAlias(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { state, indices } = await aliasTargets(request, context);
  return changeAliases(request, context, removeActions(state, indices, request.params.list('name')));
}

/**
 * `POST _aliases`: several changes of aliases in one step.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { requiredBody } from '../../request/json-body.ts';
import { managedState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS } from '../../request/manager-timeouts.ts';
import { parseAliasActions } from './alias-actions.ts';
import { changeAliases } from './change-aliases.ts';

export const updateAliasesApi: RestApi = {
  usageName: 'indices_aliases_action',
  methods: ['POST'],
  paths: ['/_aliases'],
  privilege: 'indices:admin/aliases',
  task: null,
  params: CHANGE_PARAMETERS,
  body: 'json',
  handler: updateAliases,
};

async function updateAliases(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = requiredBody(request);
  const state = await managedState(request, context);
  return changeAliases(request, context, parseAliasActions(body, state, context.runtime.clock.wallMs()));
}

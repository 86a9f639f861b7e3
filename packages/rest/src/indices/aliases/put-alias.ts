/**
 * `PUT {index}/_alias/{name}`: adds an alias to indices. Indices and alias may also stand in the body, which goes before the path.
 */
import { type CoordinatorContext, METADATA_INDICES_OPTIONS } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { concreteIndices } from '../../request/concrete-indices.ts';
import { bodyObject, textAt, textsAt } from '../../request/json-body.ts';
import { managedState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS } from '../../request/manager-timeouts.ts';
import { addActions } from './alias-actions.ts';
import { changeAliases, ONE_ALIAS_PATHS } from './change-aliases.ts';

export const putAliasApi: RestApi = {
  usageName: 'index_put_alias_action',
  methods: ['PUT', 'POST'],
  paths: [...ONE_ALIAS_PATHS, '/_alias/{name}', '/_aliases/{name}'],
  privilege: 'indices:admin/aliases',
  task: null,
  params: { ...CHANGE_PARAMETERS, index: 'string' },
  body: 'json',
  handler: putAlias,
};

/** The same without an alias in the path: `PUT` alone, since `POST _aliases` is a list of actions. */
export const putAliasByBodyApi: RestApi = {
  ...putAliasApi,
  methods: ['PUT'],
  paths: ['/{index}/_alias', '/{index}/_aliases', '/_alias'],
  params: { ...CHANGE_PARAMETERS, index: 'string', name: 'string' },
};

async function putAlias(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = bodyObject(request);
  const named = textsAt(body, 'index').join(',');
  const expression = named === '' ? (request.params.string('index') ?? '') : named;
  const alias = textAt(body, 'alias') ?? request.params.string('name') ?? '';
  if (expression === '') throw illegalArgument("[indices] can't be empty");
  if (alias === '') throw illegalArgument("[alias] can't be empty string");
  const state = await managedState(request, context);
  const options = { ...METADATA_INDICES_OPTIONS, allowNoIndices: false };
  const indices = concreteIndices(state, expression, options, context.runtime.clock.wallMs());
  return changeAliases(request, context, addActions(indices, [alias], body));
}

/**
 * `DELETE /{index}`: removes indices; wildcards only when `action.destructive_requires_name` allows them.
 */
import { type CoordinatorContext, METADATA_INDICES_OPTIONS, splitExpression } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { ABSENT_APIS } from '../request/absent-apis.ts';
import { concreteIndices } from '../request/concrete-indices.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { managedState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';

export const deleteIndexApi: RestApi = {
  usageName: 'delete_index_action',
  methods: ['DELETE'],
  paths: ['/{index}'],
  except: ABSENT_APIS,
  privilege: 'indices:admin/delete',
  task: null,
  params: { ...CHANGE_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS },
  handler: deleteIndex,
};

async function deleteIndex(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const expression = request.params.required('index');
  if (context.cluster.settings()['action.destructive_requires_name'] !== 'false') refuseWildcards(expression);
  const options = indicesOptionsOf(request.params, METADATA_INDICES_OPTIONS);
  const indices = concreteIndices(state, expression, options, context.runtime.clock.wallMs());
  if (indices.length === 0) return valueResponse({ acknowledged: true });
  const { acknowledged } = await context.cluster.admin.deleteIndices({ ...managerTimeouts(request), indices });
  return valueResponse({ acknowledged });
}

function refuseWildcards(expression: string): void {
  const parts = splitExpression(expression);
  if (parts.length === 0 || parts.some((part) => part === '_all' || part.includes('*'))) {
    throw illegalArgument('Wildcard expressions or all indices are not allowed');
  }
}

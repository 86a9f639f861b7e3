/**
 * The indices that `GET`, `HEAD`, open and close work on.
 */

import type { ClusterState } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveIndices,
} from '@shoal/coordinator';
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { READ_PARAMETERS } from '../request/manager-timeouts.ts';
import { TYPE_NAME_PARAMETER } from '../request/refuse-types.ts';

/** Open indices: what `GET /{index}` shows, and what can be closed. */
export const OPEN_INDICES_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToClosed: false };

/** Parameters of `GET` and `HEAD /{index}`. */
export const GET_INDEX_PARAMETERS: ParameterDeclarations = {
  ...READ_PARAMETERS,
  ...INDICES_OPTIONS_PARAMETERS,
  ...TYPE_NAME_PARAMETER,
  flat_settings: 'boolean',
  include_defaults: 'boolean',
  features: 'list',
};

/** Indices that the `index` parameter resolves to, with the aliases that led there. */
export function resolveRequest(
  state: ClusterState,
  request: HttpRequest,
  context: CoordinatorContext,
  defaults: IndicesOptions,
): ReturnType<typeof resolveIndices> {
  const options = indicesOptionsOf(request.params, defaults);
  return resolveIndices(state, request.params.string('index'), options, context.runtime.clock.wallMs());
}

/**
 * The indices that the `index` parameter of a request names.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { type CoordinatorContext, type IndicesOptions, resolveIndexNames } from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import { indicesOptionsOf } from './indices-options-parameters.ts';

/** Names in the order of the state; every index when the request names none. */
export function namedIndices(
  state: ClusterState,
  { params }: HttpRequest,
  context: CoordinatorContext,
  defaults: IndicesOptions,
): readonly string[] {
  const options = indicesOptionsOf(params, defaults);
  return resolveIndexNames(state, params.string('index'), options, context.runtime.clock.wallMs());
}

/**
 * The indices whose mappings a request reads, and its parameters.
 */
import { checkIndexBlocks } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveIndices,
} from '@shoal/coordinator';
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../../request/indices-options-parameters.ts';
import { READ_PARAMETERS } from '../../request/manager-timeouts.ts';
import { TYPE_NAME_PARAMETER } from '../../request/refuse-types.ts';

const READ_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToClosed: false };

export const MAPPING_PARAMETERS: ParameterDeclarations = {
  ...READ_PARAMETERS,
  ...INDICES_OPTIONS_PARAMETERS,
  ...TYPE_NAME_PARAMETER,
  index: 'string',
};

/** Every open index when the request names none. */
export function mappedIndices(
  state: ClusterState,
  { params }: HttpRequest,
  context: CoordinatorContext,
): ReturnType<typeof resolveIndices> {
  const options = indicesOptionsOf(params, READ_OPTIONS);
  const found = resolveIndices(state, params.string('index'), options, context.runtime.clock.wallMs());
  checkIndexBlocks(
    state,
    'metadata_read',
    found.map(({ index }) => index.name),
  );
  return found;
}

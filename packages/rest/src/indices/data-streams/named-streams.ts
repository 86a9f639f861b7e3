/**
 * The data streams that the `name` parameter of a request names.
 */
import type { ClusterState, DataStream } from '@shoal/cluster-state';
import { READ_INDICES_OPTIONS, resolveNames } from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import { givenExpansion } from '../../request/indices-options-parameters.ts';

/** @throws index_not_found_exception for a name without a wildcard that no data stream has */
export function namedStreams(state: ClusterState, { params }: HttpRequest): readonly DataStream[] {
  const expand = givenExpansion(params.list('expand_wildcards'));
  const options = { ...READ_INDICES_OPTIONS, allowsSelectors: false, ...expand };
  // Indices and aliases are no data streams: with them left out, their names are not found.
  const streamsOnly = { ...state, metadata: { ...state.metadata, indices: new Map() } };
  return resolveNames(streamsOnly, params.string('name') ?? '*', options, 0).dataStreams;
}

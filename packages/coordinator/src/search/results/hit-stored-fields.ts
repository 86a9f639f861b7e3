/**
 * `stored_fields` of a search: the shards are asked for whole sources, of which the coordinator takes the fields and cuts
 * what the request wants of the source.
 */
import type { ClusterState } from '@shoal/cluster-state';
import { type SearchRequest, WHOLE_SOURCE } from '@shoal/query';
import { type Mapping, parseMapping } from '@shoal/schema';
import { filterSourceBytes, namingVectors, storedFieldsOf, storedNames } from '@shoal/shard-api';
import type { SearchHit } from './search-outcome.ts';

/** The request for the shards: with the whole source where fields are to be taken from it. */
export function shardRequestOf(request: SearchRequest): SearchRequest {
  const whole = storedNames(request, null).length === 0 ? request : { ...request, source: WHOLE_SOURCE };
  // Suggestions are asked for in a phase of their own.
  return whole.suggest.length === 0 ? whole : { ...whole, suggest: [] };
}

/** Hits whose shards were asked with `shardRequestOf`, with their fields and the source that the user asked for. */
export function withStoredFields(
  state: ClusterState,
  request: SearchRequest,
  hits: readonly SearchHit[],
): readonly SearchHit[] {
  if (storedNames(request, null).length === 0) return hits;
  const mappings = new Map<string, Mapping>();
  return hits.map((found) => {
    const mapping = mappings.get(found.index) ?? parseMapping(state.metadata.indices.get(found.index)?.mapping);
    mappings.set(found.index, mapping);
    const { hit } = found;
    const isWanted = hit.source !== null && request.source.enabled;
    const source =
      isWanted && hit.source !== null ? filterSourceBytes(hit.source, namingVectors(request.source, mapping)) : null;
    return { ...found, hit: { ...hit, source }, fields: storedFieldsOf(mapping, hit, storedNames(request, mapping)) };
  });
}

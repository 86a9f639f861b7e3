/**
 * `stored_fields` of a search: the shards are asked for whole sources, of which the coordinator takes the fields and cuts
 * what the request wants of the source.
 */
import { simpleMatch } from '@shoal/core';
import type { ClusterState } from '@shoal/protocol';
import { type SearchRequest, WHOLE_SOURCE } from '@shoal/query';
import { type Mapping, parseMapping } from '@shoal/schema';
import { filterSourceBytes } from '@shoal/shard-api';
import { storedFieldsOf } from '../../documents/stored-fields.ts';
import type { SearchHit } from './search-outcome.ts';

const NOT_FIELDS: ReadonlySet<string> = new Set(['_source', '_none_']);

function wantedNames({ storedFields }: SearchRequest): readonly string[] {
  return (storedFields ?? []).filter((name) => !NOT_FIELDS.has(name));
}

/** The request for the shards: with the whole source where fields are to be taken from it. */
export function shardRequestOf(request: SearchRequest): SearchRequest {
  return wantedNames(request).length === 0 ? request : { ...request, source: WHOLE_SOURCE };
}

/** Hits whose shards were asked with `shardRequestOf`, with their fields and the source that the user asked for. */
export function withStoredFields(
  state: ClusterState,
  request: SearchRequest,
  hits: readonly SearchHit[],
): readonly SearchHit[] {
  const names = wantedNames(request);
  if (names.length === 0) return hits;
  const mappings = new Map<string, Mapping>();
  return hits.map((found) => {
    const mapping = mappings.get(found.index) ?? parseMapping(state.metadata.indices.get(found.index)?.mapping);
    mappings.set(found.index, mapping);
    const { hit } = found;
    const isWanted = hit.source !== null && request.source.enabled;
    const source = isWanted && hit.source !== null ? filterSourceBytes(hit.source, request.source) : null;
    return { ...found, hit: { ...hit, source }, fields: storedFieldsOf(mapping, hit, fieldsNamed(mapping, names)) };
  });
}

/** Patterns find the stored fields that they match; other names stand for themselves. */
function fieldsNamed(mapping: Mapping, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    if (!name.includes('*')) return [name];
    const stored = [...mapping.fields.values()].filter((field) => field.isStored && simpleMatch(name, field.path));
    return stored.map((field) => field.path);
  });
}

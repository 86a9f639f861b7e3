/** Merges a mapping into indices: all or none. An index whose mapping has it all already does not change. */
import { isDeepStrictEqual } from 'node:util';
import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import { checkIndexSort, checkSimilarities, mergeMapping, parseMapping, typedIndexSettings } from '@shoal/schema';
import { checkMappingAnalyzers } from '../declarations/analyzer-names.ts';
import { requireIndex, withIndices } from './index-update.ts';

export function putMapping(
  state: ClusterState,
  names: readonly string[],
  update: Readonly<Record<string, unknown>>,
): ClusterState {
  const changed = [...new Set(names)].map((name): IndexMetadata => {
    const index = requireIndex(state, name);
    const typed = typedIndexSettings(index.settings);
    const mapping = mergeMapping(index.mapping, update, typed);
    if (isDeepStrictEqual(mapping, index.mapping)) return index;
    const parsed = parseMapping(mapping);
    checkMappingAnalyzers(parsed, index.settings);
    checkSimilarities(parsed, typed.fieldDefaults.similarities);
    checkIndexSort(parsed, typed.sort);
    return { ...index, mapping, mappingVersion: index.mappingVersion + 1 };
  });
  return withIndices(state, changed);
}

/**
 * Changes the settings of indices: all or none. Blocks and the number of replicas follow.
 */

import { isDeepStrictEqual } from 'node:util';
import { analysisSettings, checkAnalysis } from '@shoal/analysis';
import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import {
  indexSimilarities,
  parseMapping,
  typedIndexSettings,
  updateIndexSettings as updateSettings,
} from '@shoal/schema';
import { withExpandedReplicas } from '../allocation/expand-replicas.ts';
import { withReplicas } from '../allocation/index-routing.ts';
import { reroute } from '../allocation/reroute.ts';
import { checkMappingAnalyzers } from '../declarations/analyzer-names.ts';
import { checkIndexSimilarities } from '../declarations/check-similarities.ts';
import { requireIndex, settingsWithReplicas, withIndices } from '../metadata/index-update.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { checkShardLimit } from '../metadata/shard-limit.ts';
import { checkWriteActiveShards } from '../metadata/write-active-shards.ts';
import { blocksOfIndex, withIndexBlocks } from '../reading/cluster-blocks.ts';
import { checkSynonymSets } from '../synonym-sets/change-synonym-sets.ts';

export interface IndexSettingsUpdate {
  readonly indices: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  /** Settings that an index has already stay as they are. */
  readonly preserveExisting: boolean;
}

export function updateIndexSettings(
  state: ClusterState,
  update: IndexSettingsUpdate,
  context: MetadataContext,
): ClusterState {
  const before = [...new Set(update.indices)].map((name) => requireIndex(state, name));
  const after = before.map((index) => withSettings(state, index, update, context));
  const changed = after.filter((index, i) => index !== before[i]);
  if (changed.length === 0) return state;
  for (const { settings } of changed) checkSynonymSets(state, settings);
  const copies = (index: IndexMetadata): number => index.numberOfShards * (1 + index.numberOfReplicas);
  const added = after.reduce((n, index, i) => n + copies(index) - copies(before[i] ?? index), 0);
  checkShardLimit(state, context, added);
  const next = withIndexBlocks(
    withIndices(state, changed),
    changed.map((index) => [index.name, blocksOfIndex(index.settings, index.state === 'close')] as const),
  );
  const rerouted = changed.filter(
    (index) => state.metadata.indices.get(index.name)?.numberOfReplicas !== index.numberOfReplicas,
  );
  // Filters may have changed: copies that could not be assigned before may be now.
  return reroute(withReplicas(next, rerouted, context.nowMs), context);
}

function withSettings(
  state: ClusterState,
  index: IndexMetadata,
  update: IndexSettingsUpdate,
  context: MetadataContext,
): IndexMetadata {
  const changed = updateSettings(settingsWithReplicas(index), update.settings, {
    isOpen: index.state === 'open',
    index: index.name,
  });
  const asked = update.preserveExisting ? { ...changed, ...index.settings } : changed;
  const range = { ...index, settings: asked, numberOfReplicas: typedIndexSettings(asked).numberOfReplicas };
  const { settings } = withExpandedReplicas(state, range, context);
  if (isDeepStrictEqual({ ...settings }, { ...index.settings })) return index;
  const { numberOfReplicas, fieldDefaults } = typedIndexSettings(settings);
  if (!isDeepStrictEqual(fieldDefaults.similarities, indexSimilarities(index.settings)))
    checkIndexSimilarities(parseMapping(index.mapping), fieldDefaults.similarities);
  checkWriteActiveShards(settings, numberOfReplicas);
  const analysis = analysisSettings(settings);
  if (!isDeepStrictEqual(analysis, analysisSettings(index.settings))) {
    checkAnalysis(settings, context.files);
    checkMappingAnalyzers(parseMapping(index.mapping), settings);
  }
  return {
    ...index,
    settings,
    settingsVersion: index.settingsVersion + 1,
    numberOfReplicas,
  };
}

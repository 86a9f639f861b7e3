/**
 * An index as a backing or a failure index of a data stream has to be.
 */
import type { IndexMetadata } from '@shoal/cluster-state';
import { mergeMapping, TIMESTAMP_RULE, typedIndexSettings } from '@shoal/schema';
import { PIPELINE_SETTINGS } from '../templates/failure-layers.ts';

/** The index hidden, and each of its documents with one timestamp from then on. */
export function asBackingIndex(index: IndexMetadata): IndexMetadata {
  const shown = withHidden(index, true);
  if (TIMESTAMP_RULE in index.mapping) return shown;
  const rule = { [TIMESTAMP_RULE]: { enabled: true } };
  const mapping = mergeMapping(index.mapping, rule, typedIndexSettings(index.settings));
  return { ...shown, mapping, mappingVersion: index.mappingVersion + 1 };
}

/** The index hidden, and its documents through no pipeline. */
export function asFailureIndex(index: IndexMetadata): IndexMetadata {
  const shown = withHidden(index, true);
  const settings = Object.entries(shown.settings).filter(([name]) => !PIPELINE_SETTINGS.includes(name));
  return { ...shown, settings: Object.fromEntries(settings) };
}

export function withHidden(index: IndexMetadata, isHidden: boolean): IndexMetadata {
  const settings = { ...index.settings, 'index.hidden': String(isHidden) };
  return { ...index, settings, settingsVersion: index.settingsVersion + 1 };
}

/**
 * Pipelines that an index names for each document: by its settings, or, while it does not exist, by those of the templates that
 * it would be created from.
 */
import { layersFor } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { isShoalError } from '@shoal/core';
import { resolveDateMathName } from '../indices/date-math-name.ts';
import { findWriteIndex } from '../indices/write-index.ts';

export interface IndexPipelines {
  /** Runs unless the request names another; null: none does. */
  readonly usual: string | null;
  /** Runs behind any other; null: none does. */
  readonly final: string | null;
}

/** Name that asks for no pipeline. */
export const NO_PIPELINE = '_none';

/** null: the index names none, or its name is no name, which whoever writes to it will say. */
export function pipelinesOfIndex(state: ClusterState, name: string, nowMs: number): IndexPipelines | null {
  const settings = settingsOf(state, name, nowMs);
  const usual = nameOf(settings['index.default_pipeline']);
  const final = nameOf(settings['index.final_pipeline']);
  return usual === null && final === null ? null : { usual, final };
}

function settingsOf(state: ClusterState, name: string, nowMs: number): Readonly<Record<string, string>> {
  try {
    const found = findWriteIndex(state, name, nowMs);
    if (found !== null) return found.index.settings;
    return layersFor(state.metadata.templates, resolveDateMathName(name, nowMs), null).settings;
  } catch (error) {
    if (isShoalError(error)) return {};
    throw error;
  }
}

function nameOf(setting: string | undefined): string | null {
  return setting === undefined || setting === NO_PIPELINE ? null : setting;
}

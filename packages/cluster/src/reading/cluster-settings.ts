/**
 * Settings of the cluster in force on a node.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { parseTimeValue } from '@shoal/core';

const MAX_KEEP_ALIVE = 'search.max_keep_alive';
/** 24 hours: default of `search.max_keep_alive`. */
const KEEP_ALIVE_MS_MAX = 24 * 3_600_000;

/** Values by full name. */
export type ClusterSettings = Readonly<Record<string, string>>;

/** A transient value hides a persistent one, and both hide what the node was started with. */
export function clusterSettings({ metadata }: ClusterState, ofNode: ClusterSettings): ClusterSettings {
  return { ...ofNode, ...metadata.persistentSettings, ...metadata.transientSettings };
}

/** Longest time that a reader may be kept, in ms. */
export function keepAliveMsMax(settings: ClusterSettings): number {
  const text = settings[MAX_KEEP_ALIVE];
  return text === undefined ? KEEP_ALIVE_MS_MAX : parseTimeValue(text, MAX_KEEP_ALIVE);
}

/** Settings in force, made anew for another state only. */
export class SettingsInForce {
  readonly #ofNode: ClusterSettings;
  #of: ClusterState | null = null;
  #settings: ClusterSettings = {};

  constructor(ofNode: ClusterSettings) {
    this.#ofNode = ofNode;
  }

  of(state: ClusterState): ClusterSettings {
    if (state !== this.#of) {
      this.#settings = clusterSettings(state, this.#ofNode);
      this.#of = state;
    }
    return this.#settings;
  }
}

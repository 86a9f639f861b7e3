/**
 * A cluster state followed through a log of differences, of which only the last state is wanted: its maps are changed in their place, while a
 * publication copies each for every state. A log of thousands of states with thousands of indices would take millions of copied entries.
 */
import { runSteps } from '@shoal/core';
import { sortedMap } from '../metadata/sorted-map.ts';
import type { ClusterState } from './cluster-state.ts';
import { applyStateDiffInSteps } from './cluster-state-diff.ts';

export class StateReplay {
  #state: ClusterState;
  /** Maps that nobody else has. Their entries are in no order until the end. */
  readonly #own = new Set<unknown>();

  /** @param base left as it is */
  constructor(base: ClusterState) {
    this.#state = base;
  }

  get stateUuid(): string {
    return this.#state.stateUuid;
  }

  /** @param diff must start from the state that was reached, see `baseOfDiff` */
  apply(diff: unknown): void {
    this.#state = runSteps(applyStateDiffInSteps(this.#state, diff, (map, changes) => this.#changed(map, changes)));
  }

  /** The state that was reached. Nothing is applied after it. */
  finish(): ClusterState {
    const { nodes, metadata, routing } = this.#state;
    return {
      ...this.#state,
      nodes: sortedMap(nodes),
      metadata: { ...metadata, indices: sortedMap(metadata.indices) },
      routing: { ...routing, indices: sortedMap(routing.indices) },
    };
  }

  #changed<V>(map: ReadonlyMap<string, V>, changes: Iterable<readonly [string, V | null]>): ReadonlyMap<string, V> {
    const own: Map<string, V> = map instanceof Map && this.#own.has(map) ? map : new Map(map);
    this.#own.add(own);
    for (const [key, value] of changes) {
      if (value === null) own.delete(key);
      else own.set(key, value);
    }
    return own;
  }
}

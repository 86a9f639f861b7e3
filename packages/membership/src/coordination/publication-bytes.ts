/**
 * States on their way to other nodes: packed once, as a whole or as the difference to what the target has.
 */

import {
  applyStateDiffInSteps,
  baseOfDiff,
  type ClusterState,
  packStateInSteps,
  readClusterStateInSteps,
  unpackStateInSteps,
  writeClusterState,
  writeStateDiff,
} from '@shoal/cluster-state';
import { ShoalError, type Steps } from '@shoal/core';
import type { StateMessage } from '@shoal/protocol';
import type { TimeSlices } from '@shoal/runtime';

/** The answer of a node that does not have the state which a difference starts from. It is then sent the whole one. */
export const INCOMPATIBLE_STATE = 'incompatible_cluster_state_version_exception';

/** Bases of differences to one state: more nodes than that on different states get the whole one. */
const BASES_MAX = 8;

/** Forms of one state, each made when it is first asked for. */
interface PackedForms {
  readonly state: ClusterState;
  full: Promise<Uint8Array> | null;
  /** By the uuid of the state that a difference starts from. */
  readonly diffs: Map<string, Promise<Uint8Array>>;
}

export class PublicationBytes {
  readonly #turns: TimeSlices;
  /** State that each node accepted last from this leader, with the process that did. */
  readonly #accepted = new Map<string, { readonly ephemeralId: string; readonly state: ClusterState }>();
  #forms: PackedForms | null = null;

  constructor(turns: TimeSlices) {
    this.#turns = turns;
  }

  async full(state: ClusterState): Promise<StateMessage> {
    const forms = this.#formsOf(state);
    forms.full ??= this.#pack(writeClusterState(state));
    return { form: 'full', bytes: await forms.full };
  }

  /** The smallest form that this node should be able to read. */
  async forNode(
    node: { readonly id: string; readonly ephemeralId: string },
    state: ClusterState,
  ): Promise<StateMessage> {
    const { diffs } = this.#formsOf(state);
    const known = this.#accepted.get(node.id);
    if (known === undefined || known.ephemeralId !== node.ephemeralId) return this.full(state);
    const base = known.state;
    let bytes = diffs.get(base.stateUuid);
    if (bytes === undefined) {
      if (diffs.size >= BASES_MAX) return this.full(state);
      bytes = this.#pack(writeStateDiff(base, state));
      diffs.set(base.stateUuid, bytes);
    }
    return { form: 'diff', bytes: await bytes };
  }

  accepted(node: { readonly id: string; readonly ephemeralId: string }, state: ClusterState): void {
    this.#accepted.set(node.id, { ephemeralId: node.ephemeralId, state });
  }

  /** This node does not lead (any more): what others have is not known. */
  forget(): void {
    this.#accepted.clear();
    this.#forms = null;
  }

  #formsOf(state: ClusterState): PackedForms {
    if (this.#forms?.state !== state) this.#forms = { state, full: null, diffs: new Map() };
    return this.#forms;
  }

  #pack(written: Readonly<Record<string, unknown>>): Promise<Uint8Array> {
    return this.#turns.run(packStateInSteps(written, 'pieces'), null);
  }
}

/**
 * @param own the state that this node accepted last
 * @throws `INCOMPATIBLE_STATE` when the message is a difference to another one
 */
export function* readStateMessage(message: StateMessage, own: ClusterState): Steps<ClusterState> {
  const value = yield* unpackStateInSteps(message.bytes);
  let state: ClusterState;
  if (message.form === 'full') {
    state = yield* readClusterStateInSteps(value);
  } else {
    const base = baseOfDiff(value);
    if (base !== own.stateUuid) {
      throw new ShoalError(
        INCOMPATIBLE_STATE,
        500,
        `Expected diff for cluster state with uuid ${own.stateUuid}, but got one for ${base}`,
      );
    }
    state = yield* applyStateDiffInSteps(own, value);
  }
  if (state.clusterName !== own.clusterName) {
    throw new ShoalError(
      'illegal_state_exception',
      500,
      `state of cluster [${state.clusterName}] sent to a node of [${own.clusterName}]`,
    );
  }
  return state;
}

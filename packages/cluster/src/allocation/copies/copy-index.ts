/**
 * Index of the copies of a cluster: counts by node, and which indices have copies that need something. It follows from state to state: of the
 * indices whose parts are the same (===) as before nothing is counted again, so that a reroute costs what changed and not what there is.
 *
 * A memo and nothing else: whatever states it followed before, it says of a state what one made for that state alone would say. Which indices
 * are left to look at (`unsettled`) may be more than need be, never fewer.
 */
import { type ClusterState, compareCodeUnits, type IndexMetadata, type IndexRouting } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import { CopyTally, changesDisk } from './copy-tally.ts';

interface Entry {
  readonly shards: IndexRouting;
  readonly settings: IndexMetadata['settings'];
  readonly state: IndexMetadata['state'];
  readonly tally: CopyTally;
  readonly shape: string;
}

/** What a round sees of an index of copies that follows its state. */
export interface FollowedCopies {
  readonly total: CopyTally;
  tallyOf(index: string): CopyTally;
  /** Names of indices with copies that have no node, in order. */
  unassigned(): readonly string[];
  /** Names of indices with copies that come to a disk or go from one, in order. */
  changingDisks(): readonly string[];
  /** Names of indices, put together where each node has as many copies of the one as of the other, and states and filters are the same. */
  alike(): Iterable<ReadonlySet<string>>;
  /** Names of indices that may have copies which may not stay where they are. @param inputs all else that this depends on, compared by identity */
  unsettled(inputs: readonly unknown[]): ReadonlySet<string>;
  /** All started copies of the index may stay where they are, under the inputs that were asked with last. */
  settle(index: string): void;
  /** Inputs changed while indices were settled: all are unsettled. */
  unsettleAll(): void;
}

/** Settings of an index that say which nodes may have it. */
const FILTER = /^index\.routing\.allocation\.(include|exclude|require)\./;

export class CopyIndex {
  readonly #entries = new Map<string, Entry>();
  #total = new CopyTally();
  readonly #unassigned = new Set<string>();
  readonly #changingDisks = new Set<string>();
  /** Names of indices by shape. */
  readonly #alike = new Map<string, Set<string>>();
  readonly #unsettled = new Set<string>();
  /** Inputs under which all indices that are not unsettled were looked at. */
  #inputs: readonly unknown[] = [];
  #routing: ClusterState['routing']['indices'] | null = null;
  #indices: ClusterState['metadata']['indices'] | null = null;
  /** Grows with every state, so that what was handed out for an earlier one is not read any more. */
  #turn = 0;

  /** The copies of the state. What was handed out for another state before must not be used any more. */
  follow({ routing, metadata }: Pick<ClusterState, 'routing' | 'metadata'>): FollowedCopies {
    if (routing.indices !== this.#routing || metadata.indices !== this.#indices) {
      for (const [name, shards] of routing.indices) this.#update(name, shards, metadata.indices.get(name));
      if (this.#entries.size > routing.indices.size) {
        for (const name of [...this.#entries.keys()]) if (!routing.indices.has(name)) this.#remove(name);
      }
      this.#routing = routing.indices;
      this.#indices = metadata.indices;
    }
    return this.#followed();
  }

  /** Forgets all: a node that is not the cluster manager has no use for it. */
  clear(): void {
    this.#entries.clear();
    this.#total = new CopyTally();
    for (const set of [this.#unassigned, this.#changingDisks, this.#unsettled, this.#alike]) set.clear();
    this.#inputs = [];
    this.#routing = null;
    this.#indices = null;
    this.#turn++;
  }

  #update(name: string, shards: IndexRouting, index: IndexMetadata | undefined): void {
    assert(index !== undefined, `routing of unknown index ${name}`);
    const { settings, state } = index;
    const before = this.#entries.get(name);
    if (before?.shards === shards && before.settings === settings && before.state === state) return;
    if (before !== undefined) this.#remove(name);
    const tally = before?.shards === shards ? before.tally : tallyOf(shards);
    const shape = shapeOf(tally, index);
    this.#entries.set(name, { shards, settings, state, tally, shape });
    this.#total.add(tally, 1);
    if (tally.unassigned > 0) this.#unassigned.add(name);
    if (shards.some((copies) => copies.some(changesDisk))) this.#changingDisks.add(name);
    this.#unsettled.add(name);
    const alike = this.#alike.get(shape) ?? new Set();
    this.#alike.set(shape, alike.add(name));
  }

  #remove(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    this.#total.add(entry.tally, -1);
    for (const names of [this.#unassigned, this.#changingDisks, this.#unsettled]) names.delete(name);
    const alike = this.#alike.get(entry.shape);
    alike?.delete(name);
    if (alike?.size === 0) this.#alike.delete(entry.shape);
  }

  #followed(): FollowedCopies {
    const turn = ++this.#turn;
    const present = (): this => {
      assert(turn === this.#turn, 'copies of a state are read after another one was followed');
      return this;
    };
    return {
      total: this.#total,
      tallyOf: (index) => {
        const entry = present().#entries.get(index);
        assert(entry !== undefined, `copies of unknown index ${index}`);
        return entry.tally;
      },
      unassigned: () => inOrder(present().#unassigned),
      changingDisks: () => inOrder(present().#changingDisks),
      alike: () => present().#alike.values(),
      unsettled: (inputs) => present().#unsettledUnder(inputs),
      settle: (index) => void present().#unsettled.delete(index),
      unsettleAll: () => {
        present().#inputs = [];
      },
    };
  }

  /**
   * Names of indices that may have copies which may not stay where they are: those that changed since they were settled, or all where the
   * inputs, which are whatever else decides, are others than before.
   */
  #unsettledUnder(inputs: readonly unknown[]): ReadonlySet<string> {
    const isSame = inputs.length === this.#inputs.length && inputs.every((input, i) => input === this.#inputs[i]);
    if (!isSame) for (const name of this.#entries.keys()) this.#unsettled.add(name);
    this.#inputs = inputs;
    return this.#unsettled;
  }
}

function tallyOf(shards: IndexRouting): CopyTally {
  const tally = new CopyTally();
  for (const copies of shards) tally.addShard(copies);
  return tally;
}

function shapeOf({ nodes }: CopyTally, { settings, state }: IndexMetadata): string {
  const counts = [...nodes].map(([nodeId, { copies }]) => `${nodeId}:${copies}`).sort(compareCodeUnits);
  const filters = Object.entries(settings).filter(([name]) => FILTER.test(name));
  return filters.length === 0 ? `${state} ${counts.join()}` : JSON.stringify([state, counts, filters.sort()]);
}

function inOrder(names: ReadonlySet<string>): readonly string[] {
  return [...names].sort(compareCodeUnits);
}

/**
 * One copy that is not started, with all that causes look at: the choice that allocation makes for it now, and what keeps it from the
 * node that lacks least.
 */
import type { ClusterState, DiscoveryNode, IndexMetadata, ShardRouting } from '@shoal/cluster-state';
import type { AllocationRound } from '../allocation/allocation-round.ts';
import type { Choice } from '../allocation/choice.ts';
import { choosePrimary } from '../allocation/choose-primary.ts';
import { chooseReplica } from '../allocation/choose-replica.ts';
import { type Decision, decide } from '../allocation/deciders/deciders.ts';
import type { DepartedNode } from '../mends/departed-node.ts';
import type { Explanation } from '../mends/finding.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import type { ClusterSettings } from '../reading/cluster-settings.ts';
import { isNeverStarted } from '../reading/resize-source.ts';

export interface Blocked {
  readonly node: DiscoveryNode;
  /** NO decisions on this node, other than that it has a copy of the shard already. */
  readonly decisions: readonly Decision[];
  readonly hasCopy: boolean;
}

export class CopyCase {
  readonly state: ClusterState;
  readonly context: MetadataContext;
  readonly round: AllocationRound;
  readonly index: IndexMetadata;
  readonly copy: ShardRouting;
  /** Copies of the same shard, the primary first. */
  readonly shardCopies: readonly ShardRouting[];
  #choice: Choice | null = null;
  #blocked: readonly Blocked[] | null = null;

  constructor(
    round: AllocationRound,
    context: MetadataContext,
    { index, copy, shardCopies }: Pick<CopyCase, 'index' | 'copy' | 'shardCopies'>,
  ) {
    this.state = round.state;
    this.context = context;
    this.round = round;
    this.index = index;
    this.copy = copy;
    this.shardCopies = shardCopies;
  }

  get settings(): ClusterSettings {
    return this.round.settings;
  }

  /** Node that held the copy last and is not in the cluster any more; null: none is known, or it is there. */
  get departed(): DepartedNode | null {
    const id = this.copy.unassigned?.lastNodeId ?? null;
    if (id === null || this.state.nodes.has(id)) return null;
    return { id, name: this.copy.unassigned?.lastNodeName ?? null };
  }

  /** What allocation would decide now. */
  get choice(): Choice {
    this.#choice ??= this.copy.isPrimary ? choosePrimary(this.round, this.copy) : chooseReplica(this.round, this.copy);
    return this.#choice;
  }

  get status(): string {
    return this.choice.kind === 'assign' ? 'assign' : this.choice.status;
  }

  get inSync(): readonly string[] {
    return this.index.inSyncAllocations[this.copy.shard] ?? [];
  }

  /** Nodes that could have the copy if nothing forbade it: all, or for a primary with documents those whose disks have them. */
  get candidates(): readonly DiscoveryNode[] {
    const { copy, round, inSync } = this;
    if (!copy.isPrimary || isNeverStarted(copy)) return round.nodes;
    return round.nodes.filter((node) => inSync.includes(round.storeOn(copy, node) ?? ''));
  }

  /** What forbids the copy on each candidate; nodes where nothing does have no decisions. */
  get blocked(): readonly Blocked[] {
    this.#blocked ??= this.candidates.map((node) => {
      const refused = decide('canAllocate', this.round.input(this.copy, node)).filter(
        ({ decision }) => decision === 'NO',
      );
      const decisions = refused.filter(({ decider }) => decider !== 'same_shard');
      return { node, decisions, hasCopy: decisions.length < refused.length };
    });
    return this.#blocked;
  }

  /** The candidate without a copy of the shard that lacks least, the first of equals; null: all have one. */
  get nearest(): Blocked | null {
    const free = this.blocked.filter(({ hasCopy }) => !hasCopy);
    return free.reduce<Blocked | null>(
      (best, one) => (best === null || one.decisions.length < best.decisions.length ? one : best),
      null,
    );
  }

  /** Names of the candidates on which the decider says NO; empty when it does not keep the copy from the nearest one. */
  blockedBy(decider: string): readonly string[] {
    const refuses = ({ decisions }: Blocked): boolean => decisions.some((decision) => decision.decider === decider);
    const { nearest } = this;
    if (nearest === null || !refuses(nearest)) return [];
    return this.blocked.filter((one) => !one.hasCopy && refuses(one)).map(({ node }) => node.name);
  }

  /** Text of a decider that says NO on the nearest candidate; empty when it does not. */
  saidBy(decider: string): string {
    return this.nearest?.decisions.find((decision) => decision.decider === decider)?.explanation ?? '';
  }
}

/** A cause of copies without a node, or on their way to one: says nothing (null) of those that it is not the cause of. */
export interface CopyCause {
  readonly name: string;
  readonly explain: (copy: CopyCase) => Explanation | null;
}

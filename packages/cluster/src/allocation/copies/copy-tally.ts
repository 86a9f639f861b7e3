/**
 * Copies counted: those of one index, or of all. Tallies of indices add up to that of the cluster, and are taken from it again when an index
 * has other copies, so that nobody counts ten thousand copies because one of them started.
 */
import { isRelocationTarget, type ShardRouting } from '@shoal/cluster-state';

/** Counts of one node. */
export interface NodeTally {
  /** Copies that are there or come there; those that leave count where they go. */
  copies: number;
  /** Primaries that start there from a store, a snapshot or nothing. */
  initialPrimaries: number;
  /** Replicas there that recover from their primaries, returning ones left out. */
  incoming: number;
  /** Replicas elsewhere that recover from primaries there, returning ones left out. */
  outgoing: number;
  /** Replicas there that recover where they are in sync already. */
  returning: number;
}

export class CopyTally {
  unassigned = 0;
  unassignedPrimaries = 0;
  /** Copies that have a node and do not serve yet, targets of moves left out. */
  starting = 0;
  startingPrimaries = 0;
  /** Copies that are on the move. */
  moving = 0;
  /** By node id; a node of which nothing is counted is left out. */
  readonly nodes: Map<string, NodeTally> = new Map();

  /** Counts the copies of one shard, the primary first. */
  addShard(copies: readonly ShardRouting[]): void {
    for (const copy of copies) this.addCopy(copy, copies[0]);
  }

  /** @param primary that of its shard, from which the copy recovers */
  addCopy(copy: ShardRouting, primary: ShardRouting | undefined): void {
    const { nodeId } = copy;
    if (nodeId === null) {
      this.unassigned++;
      if (copy.isPrimary) this.unassignedPrimaries++;
      return;
    }
    if (copy.state === 'RELOCATING') {
      this.moving++;
      return;
    }
    const node = this.node(nodeId);
    node.copies++;
    if (copy.state !== 'INITIALIZING') return;
    if (!isRelocationTarget(copy)) this.starting++;
    if (copy.isPrimary) {
      this.startingPrimaries++;
      node.initialPrimaries++;
    } else if (copy.isReturning === true) {
      node.returning++;
    } else if (copy.recoverySource === 'PEER') {
      node.incoming++;
      if (primary?.nodeId != null) this.node(primary.nodeId).outgoing++;
    }
  }

  /** Adds another tally, or takes it away. */
  add(other: CopyTally, sign: 1 | -1): void {
    this.unassigned += sign * other.unassigned;
    this.unassignedPrimaries += sign * other.unassignedPrimaries;
    this.starting += sign * other.starting;
    this.startingPrimaries += sign * other.startingPrimaries;
    this.moving += sign * other.moving;
    for (const [nodeId, counts] of other.nodes) {
      const node = this.node(nodeId);
      node.copies += sign * counts.copies;
      node.initialPrimaries += sign * counts.initialPrimaries;
      node.incoming += sign * counts.incoming;
      node.outgoing += sign * counts.outgoing;
      node.returning += sign * counts.returning;
      const { copies, initialPrimaries, incoming, outgoing, returning } = node;
      if (copies + initialPrimaries + incoming + outgoing + returning === 0) this.nodes.delete(nodeId);
    }
  }

  node(nodeId: string): NodeTally {
    let node = this.nodes.get(nodeId);
    if (node === undefined) {
      node = { copies: 0, initialPrimaries: 0, incoming: 0, outgoing: 0, returning: 0 };
      this.nodes.set(nodeId, node);
    }
    return node;
  }
}

/** True for a copy that comes to its node and is not on its disk yet, and for one that goes and still is. */
export function changesDisk(copy: ShardRouting): boolean {
  return isArriving(copy) || copy.state === 'RELOCATING';
}

export function isArriving({ state, recoverySource }: ShardRouting): boolean {
  return state === 'INITIALIZING' && recoverySource !== 'EXISTING_STORE';
}

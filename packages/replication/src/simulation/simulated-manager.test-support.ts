/**
 * The cluster manager as one place that never fails: every change is committed when it is made. Whether its states and
 * answers reach a node is the network's matter.
 */
import type { ManagerAnswer, ManagerRequest } from '../copy/copy-events.ts';
import {
  assignPrimary,
  assignReplica,
  cancelMove,
  copyFailed,
  copyStarted,
  forcePrimary,
  type GroupChange,
  handOver,
  nodeLeft,
  startMove,
} from '../group/group-changes.ts';
import type { AllocationId, NodeId, ShardGroup } from '../group/shard-group.ts';
import type { ReplicationRules } from '../rules/replication-rules.ts';

export class SimulatedManager {
  group: ShardGroup;
  private readonly rules: ReplicationRules;
  private assignments = 0;

  constructor(group: ShardGroup, rules: ReplicationRules) {
    this.group = group;
    this.rules = rules;
  }

  ask(request: ManagerRequest): ManagerAnswer {
    switch (request.kind) {
      case 'copyFailed':
        return this.take(copyFailed(this.group, request, this.rules));
      case 'copyStarted':
        return this.take(copyStarted(this.group, request, this.rules));
      case 'handOver':
        return this.take(handOver(this.group, request, this.rules));
      case 'confirmPrimary': {
        const { primary, primaryTerm } = this.group;
        return primary === request.allocationId && primaryTerm === request.primaryTerm ? 'done' : 'noLongerPrimary';
      }
    }
  }

  left(node: NodeId): void {
    this.take(nodeLeft(this.group, node, this.rules));
  }

  /** Gives an unassigned primary to a copy that a node has on disk. */
  assignPrimary(allocationId: AllocationId, node: NodeId): boolean {
    return this.take(assignPrimary(this.group, { allocationId, node }, this.rules)) === 'done';
  }

  forcePrimary(node: NodeId): boolean {
    this.assignments += 1;
    const allocationId = `${node}.${this.assignments}`;
    return this.take(forcePrimary(this.group, { allocationId, node }, this.rules)) === 'done';
  }

  assignReplica(node: NodeId): void {
    this.assignments += 1;
    this.take(assignReplica(this.group, { allocationId: `${node}.${this.assignments}`, node }, this.rules));
  }

  /** A started copy moves to a node that has none. */
  move(replaces: AllocationId, node: NodeId): boolean {
    this.assignments += 1;
    const allocationId = `${node}.${this.assignments}`;
    return this.take(startMove(this.group, { allocationId, node, replaces }, this.rules)) === 'done';
  }

  cancelMove(target: AllocationId): void {
    this.take(cancelMove(this.group, target, this.rules));
  }

  private take(change: GroupChange): ManagerAnswer {
    if (change.kind === 'changed') this.group = change.group;
    if (change.kind !== 'refused') return 'done';
    return change.reason === 'notAssignable' ? 'unavailable' : 'noLongerPrimary';
  }
}

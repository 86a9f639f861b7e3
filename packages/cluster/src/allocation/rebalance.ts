/**
 * Moves started copies from heavy nodes to light ones, index by index, as many as may be on the move.
 *
 * It ends: each move makes the sum of the squares of the counts smaller, which are whole numbers, since a copy moves only when
 * the weights differ by more than 1, the weight of a copy. Ties are broken by names and ids.
 */
import type { DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import type { AllocationRound } from './allocation-round.ts';

interface WeighedNode {
  readonly node: DiscoveryNode;
  readonly weight: number;
}

interface Imbalance {
  readonly index: string;
  /** Nodes that the filters of the index let have it, the lightest first. */
  readonly nodes: readonly WeighedNode[];
  /** Between the heaviest and the lightest. */
  readonly difference: number;
}

/** What a sum of fractions may be off by. */
const ROUNDING = 1e-6;

export function rebalance(round: AllocationRound): void {
  if (round.nodes.length < 2 || !round.mayRebalance()) return;
  while (round.mayRebalance() && imbalances(round).some((imbalance) => moveOne(round, imbalance)));
}

/** Indices that are not in balance, the least balanced first. */
function imbalances(round: AllocationRound): readonly Imbalance[] {
  const found: Imbalance[] = [];
  for (const { first, names } of round.alikeIndices()) {
    const nodes: WeighedNode[] = [];
    for (const node of round.nodes) {
      if (round.passesFilters(first, node)) nodes.push({ node, weight: round.indexWeight(first, node.id) });
    }
    nodes.sort((a, b) => a.weight - b.weight || compareTexts(a.node.id, b.node.id));
    const difference = (nodes.at(-1)?.weight ?? 0) - (nodes[0]?.weight ?? 0);
    if (isBeyond(round, difference)) found.push(...names().map((index) => ({ index, nodes, difference })));
  }
  return found.sort((a, b) => b.difference - a.difference || compareTexts(a.index, b.index));
}

/** False: no copy of the index may move to a lighter node now. */
function moveOne(round: AllocationRound, { index, nodes }: Imbalance): boolean {
  for (const heavy of [...nodes].reverse()) {
    const copies = movableOn(round, index, heavy.node);
    for (const light of copies.length === 0 ? [] : nodes) {
      if (!isBeyond(round, heavy.weight - light.weight)) break;
      const verdicts = copies.map((copy) => round.verdict(copy, light.node));
      const copy = copies[verdicts.indexOf('YES')];
      if (copy !== undefined) {
        round.move(copy, light.node);
        return true;
      }
      // A heavier node would do now, and would be left again for this one.
      if (verdicts.includes('THROTTLE')) return false;
    }
  }
  return false;
}

function movableOn(round: AllocationRound, index: string, { id }: DiscoveryNode): readonly ShardRouting[] {
  const found: ShardRouting[] = [];
  for (let shard = 0; shard < round.changes.index(index).numberOfShards; shard++) {
    const copy = round.changes.shardCopies(index, shard).find(({ nodeId }) => nodeId === id);
    if (copy?.state === 'STARTED' && round.moveRefusal(copy) === null && round.rebalanceVerdict(copy) === 'YES')
      found.push(copy);
  }
  return found;
}

function isBeyond(round: AllocationRound, difference: number): boolean {
  return difference > round.balanceThreshold + ROUNDING;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

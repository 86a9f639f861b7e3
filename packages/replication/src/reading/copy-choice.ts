/**
 * Which copy of a shard is read, and which after it when it fails: one order for searches, gets, scrolls and points in time.
 */
import { murmur3 } from '@shoal/core';
import type { AllocationId, NodeId } from '../group/shard-group.ts';
import { rankOf, type Statistics } from './copy-statistics.ts';

/** A copy that may be read: started, on a node that is there. */
export interface ReadableCopy {
  readonly allocationId: AllocationId;
  readonly node: NodeId;
}

export type CopyPreference =
  /** Nobody has said anything: the node that is likely to answer first. */
  | { readonly kind: 'adaptive' }
  /** Those on this node first; `only`: no others. */
  | { readonly kind: 'nodes'; readonly nodes: ReadonlySet<NodeId>; readonly only: boolean }
  /** The same copy for the same text as long as it is there: pages of one user do not jump between copies. */
  | { readonly kind: 'text'; readonly text: string };

export interface CopyChoice {
  readonly preference: CopyPreference;
  readonly statistics: Statistics;
  /** Requests to each node that it has not answered. */
  readonly outstanding: ReadonlyMap<NodeId, number>;
  /** Counts up with each request: where nothing else decides, copies take turns. */
  readonly turn: number;
}

/** Copies in the order in which they are to be tried; without those that the preference rules out. */
export function copiesInOrder<Copy extends ReadableCopy>(copies: readonly Copy[], choice: CopyChoice): readonly Copy[] {
  const known = [...copies].sort((a, b) => (a.allocationId < b.allocationId ? -1 : 1));
  const { preference } = choice;
  switch (preference.kind) {
    case 'text':
      return rotated(known, murmur3(preference.text) >>> 0);
    case 'nodes': {
      const preferred = known.filter(({ node }) => preference.nodes.has(node));
      const others = preference.only ? [] : known.filter(({ node }) => !preference.nodes.has(node));
      return [...byRank(preferred, choice), ...byRank(others, choice)];
    }
    case 'adaptive':
      return byRank(known, choice);
  }
}

/** Nodes without statistics first: nobody learns of them otherwise. */
function byRank<Copy extends ReadableCopy>(copies: readonly Copy[], choice: CopyChoice): readonly Copy[] {
  const { statistics, outstanding, turn } = choice;
  const ranks = new Map<AllocationId, number>();
  for (const { allocationId, node } of copies) {
    const seen = statistics.get(node);
    const rank = seen === undefined ? -1 : rankOf(seen, outstanding.get(node) ?? 0, statistics.size);
    ranks.set(allocationId, rank);
  }
  // The sort keeps the order of equals, which is another one each time.
  return [...rotated(copies, turn)].sort((a, b) => {
    return (ranks.get(a.allocationId) ?? 0) - (ranks.get(b.allocationId) ?? 0);
  });
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  if (items.length === 0) return items;
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

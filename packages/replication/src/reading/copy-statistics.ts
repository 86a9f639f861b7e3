/**
 * What a coordinating node knows of how quickly each node answers, and the rank that follows: C3 (Suresh et al., "C3: Cutting
 * Tail Latency in Cloud Data Stores via Adaptive Replica Selection", NSDI 2015).
 *
 * The paper divides by a service *rate*; with service times as measured here that is a product.
 */
import type { NodeId } from '../group/shard-group.ts';

/** Weight of the newest observation in each average. */
const NEWEST = 0.3;

/** Averages of one node, in ms but for the queue. */
export interface NodeStatistics {
  /** From the request to its answer, as the coordinating node sees it. */
  readonly responseMs: number;
  /** Work in the node itself. */
  readonly serviceMs: number;
  /** Requests that waited there. */
  readonly queue: number;
}

export type Statistics = ReadonlyMap<NodeId, NodeStatistics>;

export function observed(statistics: Statistics, node: NodeId, seen: NodeStatistics): Statistics {
  return new Map(statistics).set(node, towards(statistics.get(node) ?? seen, seen));
}

/**
 * Lower is better. `outstanding`: requests of this coordinating node that the node has not answered. Every node with
 * statistics is assumed to have a coordinator that sends as much, so that all do not run to the same one.
 */
export function rankOf(seen: NodeStatistics, outstanding: number, nodesWithStatistics: number): number {
  const { responseMs, serviceMs, queue } = seen;
  const expectedQueue = 1 + outstanding * nodesWithStatistics + queue;
  return responseMs - serviceMs + expectedQueue ** 3 * serviceMs;
}

/** Nodes that were not chosen come closer to the one that was: they are tried again although nobody measures them. */
export function pulledTowards(statistics: Statistics, chosen: NodeId, others: readonly NodeId[]): Statistics {
  const winner = statistics.get(chosen);
  if (winner === undefined) return statistics;
  const next = new Map(statistics);
  for (const node of others) {
    const loser = statistics.get(node);
    if (loser !== undefined && node !== chosen) next.set(node, towards(loser, winner));
  }
  return next;
}

function towards(from: NodeStatistics, to: NodeStatistics): NodeStatistics {
  const average = (a: number, b: number): number => a + NEWEST * (b - a);
  return {
    responseMs: average(from.responseMs, to.responseMs),
    serviceMs: average(from.serviceMs, to.serviceMs),
    queue: average(from.queue, to.queue),
  };
}

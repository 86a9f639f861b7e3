/**
 * A life of a whole cluster as data: its nodes, indices, clients and every fault with its time. What happens follows from it alone, so
 * that a plan with elements taken out is a smaller life that can be lived again.
 */
import type { NetworkFaults, WorkTimes } from '@shoal/simulation';

/** A shard by the position of its index; both are taken modulo what there is. */
export interface ShardPlace {
  readonly index: number;
  readonly shard: number;
}

/** Whichever node has that copy of a shard when the fault begins. */
export interface CopyVictim extends ShardPlace {
  readonly copy: 'primary' | 'replica';
}

/** Position of a node from 0, or whichever node is cluster manager, or has a copy, when the fault begins. */
export type Victim = number | 'manager' | CopyVictim;

export type Fault =
  /** Nothing passes between these nodes and the others. */
  | { readonly kind: 'halves'; readonly left: readonly number[] }
  | { readonly kind: 'isolated'; readonly node: Victim }
  /** Each node reaches its two neighbours alone. */
  | { readonly kind: 'ring' }
  /** Two halves that do not see each other, and one node that sees both. */
  | { readonly kind: 'bridge'; readonly node: number }
  | { readonly kind: 'oneWay'; readonly from: Victim; readonly to: number }
  /** The node and the cluster manager of now do not see each other; all others see both. */
  | { readonly kind: 'managerCut'; readonly node: Victim }
  /** The primary and the replicas of a shard do not see each other; all others see them. */
  | ({ readonly kind: 'copyCut' } & ShardPlace)
  /** The node of a primary crashes, and so does that of the copy that leads next, so long after it knows. */
  | ({ readonly kind: 'promotedCrash'; readonly delayMs: number; readonly silent: boolean } & ShardPlace)
  /** A copy is moved to a node that has none of its shard. */
  | { readonly kind: 'move'; readonly copy: CopyVictim }
  | { readonly kind: 'reset'; readonly from: number; readonly to: number }
  | { readonly kind: 'spikes'; readonly chance: number; readonly spikeMs: number }
  /** The processes die with what was not synced. `silent`: so do their machines, and nobody is told. */
  | { readonly kind: 'crash'; readonly nodes: readonly Victim[]; readonly silent: boolean }
  | { readonly kind: 'pause'; readonly node: Victim }
  | { readonly kind: 'slowDisk'; readonly node: Victim; readonly latencyMaxMs: number }
  | { readonly kind: 'failingSyncs'; readonly node: Victim; readonly chance: number }
  | { readonly kind: 'failingWrites'; readonly node: Victim; readonly chance: number }
  | { readonly kind: 'failingReads'; readonly node: Victim; readonly chance: number }
  /** So many bytes more fit on the disk. */
  | { readonly kind: 'fullDisk'; readonly node: Victim; readonly bytesLeft: number }
  | { readonly kind: 'wallClock'; readonly node: number; readonly jumpMs: number }
  /** An orderly end and a new start. */
  | { readonly kind: 'rollingRestart'; readonly node: number }
  | { readonly kind: 'replicaCount'; readonly index: number; readonly replicas: number }
  /** An index is closed, and opened again when this is over: its copies start again from their disks, twice. */
  | { readonly kind: 'closedIndex'; readonly index: number };

export type FaultKind = Fault['kind'];

export interface PlannedFault {
  /** Since the faults began. */
  readonly atMs: number;
  readonly lastsMs: number;
  readonly fault: Fault;
}

/** How often a client does what: weights, of which 0 is never. */
export interface ClientMix {
  readonly index: number;
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly conditional: number;
  readonly bulk: number;
  readonly get: number;
  readonly search: number;
  readonly scroll: number;
  readonly refresh: number;
  readonly flush: number;
  readonly sideIndex: number;
}

export interface IndexPlan {
  readonly name: string;
  readonly shards: number;
  readonly replicas: number;
}

/** How often the nodes of a long life check and look for one another; those of others do as the product does by itself. */
export const LONG_CHECK_EVERY_MS = 10_000;

export interface LifePlan {
  readonly seed: number | string;
  /** A life of hours to days. Its nodes check one another rarely, since such a life would be made of checks. */
  readonly long?: true;
  readonly nodes: number;
  readonly indices: readonly IndexPlan[];
  /** Documents of each index that clients contend for. */
  readonly documents: number;
  readonly clients: number;
  /** Mean pause of a client between two calls. */
  readonly thinkMs: number;
  /** A client that hears nothing for so long goes on; what it asked may still be done. */
  readonly patienceMs: number;
  /** Clients that went on hear what became of their writes, when it is told them. */
  readonly lateAnswers: boolean;
  /** Clients write much when a stroke falls on the copies of a shard. */
  readonly bursts: boolean;
  readonly mix: ClientMix;
  readonly quietMs: number;
  readonly faultsMs: number;
  readonly network: NetworkFaults;
  readonly diskLatencyMaxMs: number;
  readonly work: WorkTimes;
  /** By their time. */
  readonly faults: readonly PlannedFault[];
}

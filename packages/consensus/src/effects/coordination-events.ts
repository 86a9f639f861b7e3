/**
 * The border of the pure coordinator core: what goes in (`CoordinationEvent`) and what comes out (`CoordinationEffect`).
 *
 * Contract for the shell:
 *
 * 1. One event at a time. `step(event)` returns effects; the shell performs them **in order** and only then feeds the next
 *    event. The one effect that takes time is `persist`: nothing behind it in the list may start, and no further event may
 *    be fed, before the disk says durable. So no reply can overtake an fsync. Several `persist` in a row without another
 *    effect between them may be written as one (the last one contains the others). A failed persist stops the process.
 *    A node without the `cluster_manager` role does not vote and may write in the background.
 * 2. All other effects are started and not waited for: `send`, `apply`, `probe` report later by an event.
 * 3. Every `send` is a request and gets exactly one `response` or `requestFailed` event, the latter at `timeoutMs` at the
 *    latest. A late response after that is dropped by the shell. The shell owns the deadline of requests; the core owns
 *    all other timers.
 * 4. Every incoming `request` event is answered exactly once by a `reply` or `refuse` effect with its `replyTo`, maybe
 *    many events later (a join is answered when the node is in the cluster). After `close` open ones are never answered.
 * 5. Messages to the local node never leave the core.
 * 6. `apply` effects are performed one after the other in the order given; each reports one `applied` event.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { Address } from '@shoal/runtime';
import type { AcceptedState, DurableState, NodeId, ValueModel } from '../steps/accepted-state.ts';
import type { CoordRequest, CoordResponse } from '../steps/coord-message.ts';
import type { CoordinationSettings } from './coordination-settings.ts';

export type Mode = 'candidate' | 'leader' | 'follower';

/** Way in which a new cluster is formed. Only used while the node has no voting configuration. */
export type BootstrapPlan =
  | { readonly kind: 'none' }
  /** `cluster.initial_cluster_manager_nodes`: names, `host` or `host:port`. */
  | { readonly kind: 'initialNodes'; readonly names: readonly string[] }
  /** `discovery.type: single-node`: this node alone, for ever. It never looks for others. */
  | { readonly kind: 'singleNode' }
  /** No discovery settings and bound to loopback: whatever is found after `bestEffortBootstrapMs`. */
  | { readonly kind: 'bestEffort' };

export interface CoordinationConfig<V> {
  readonly local: DiscoveryNode;
  readonly settings: CoordinationSettings;
  readonly bootstrap: BootstrapPlan;
  readonly model: ValueModel<V>;
  /** State read from disk; `initialDurableState` for an empty disk. */
  readonly durable: DurableState<V>;
}

export type CoordinationEvent<V> =
  /** The first event, once. */
  | { readonly kind: 'start' }
  /** The last event, once: cancels timers, fails proposals. */
  | { readonly kind: 'close' }
  | {
      readonly kind: 'request';
      /** The sender as its message names it. */
      readonly from: DiscoveryNode;
      /** Chosen by the shell, unique in this process. */
      readonly replyTo: number;
      readonly request: CoordRequest<V>;
    }
  /** `requestId` as in the `send`. A `refuse` of the peer arrives as `requestFailed` with cause `refused`. */
  | { readonly kind: 'response'; readonly requestId: number; readonly response: CoordResponse }
  | {
      readonly kind: 'requestFailed';
      readonly requestId: number;
      readonly cause: FailureCause;
      readonly reason: string;
    }
  /** The transport connection to this process of the node closed (all of them, or one that a check ran on). */
  | { readonly kind: 'nodeDisconnected'; readonly node: NodeId; readonly ephemeralId: string }
  /** Answer to `probe` and `probeSeeds`, and any other connection whose handshake named a node of this cluster. */
  | { readonly kind: 'peerFound'; readonly node: DiscoveryNode }
  | { readonly kind: 'probeFailed'; readonly address: string; readonly reason: string }
  | { readonly kind: 'timer'; readonly id: TimerId }
  | {
      readonly kind: 'propose';
      readonly ticket: number;
      /** Name of the change, for logs and the list of pending tasks. */
      readonly source: string;
      /**
       * Runs at most once, on the leader, on the newest state at that time. Pure; must not throw (errors of a single task are
       * kept by the caller's closure). The same object back means "no change": completed at once as committed.
       */
      readonly update: (value: V) => V;
    }
  | { readonly kind: 'applied'; readonly ticket: number; readonly failure: string | null }
  /** Reported when it changes: data path writable, event loop alive. A node starts healthy. */
  | { readonly kind: 'health'; readonly healthy: boolean; readonly reason: string }
  | { readonly kind: 'settings'; readonly settings: CoordinationSettings }
  /** This node is about to end: where it leads, another voter is to, before its silence is noticed. */
  | { readonly kind: 'handOver' };

/** `refused`: the peer answered, with a reason. `disconnected`: fails at once. `timeout`: no answer in time. */
export type FailureCause = 'refused' | 'disconnected' | 'timeout';

/** A timer is known by its id: scheduling one that runs replaces it, cancelling one that does not run is fine. */
export type TimerId = string;

/** `ping` and `reg` are sockets of their own, so that bulk data never delays a check or an election. */
export type Channel = 'state' | 'ping' | 'reg';

export type ProposalResult =
  /** Committed; `allApplied` says whether every node of the state applied it before the publication ended. */
  | { readonly kind: 'committed'; readonly allApplied: boolean }
  /** Never published, since this node is not the leader (any more). Safe to send to another one. */
  | { readonly kind: 'notManager'; readonly reason: string }
  /** Published and not known to be committed: it may still come into force under a later leader. */
  | { readonly kind: 'unknown'; readonly reason: string };

export type LogLevel = 'debug' | 'info' | 'warn';

export type CoordinationEffect<V> =
  | {
      readonly kind: 'send';
      /** Connect to it when no connection is open (within `timeoutMs`). */
      readonly to: DiscoveryNode;
      /** Unique in this process. */
      readonly requestId: number;
      readonly channel: Channel;
      readonly timeoutMs: number;
      readonly request: CoordRequest<V>;
    }
  | { readonly kind: 'reply'; readonly replyTo: number; readonly response: CoordResponse }
  | { readonly kind: 'refuse'; readonly replyTo: number; readonly reason: string }
  /**
   * Write all of `durable`; `what` is a hint what changed since the last one (`term`: currentTerm only; `commit`: configs
   * and flags of the accepted header only). Everything behind it waits: see rule 1.
   */
  | { readonly kind: 'persist'; readonly what: 'term' | 'accepted' | 'commit'; readonly durable: DurableState<V> }
  /**
   * Bring a state into force here. `manager` null: the last applied state again, with the no-manager block and no manager
   * id. Otherwise a committed state: the data parts may be applied asynchronously before reporting `applied`.
   */
  | {
      readonly kind: 'apply';
      readonly ticket: number;
      readonly state: AcceptedState<V>;
      readonly manager: DiscoveryNode | null;
    }
  | { readonly kind: 'schedule'; readonly id: TimerId; readonly afterMs: number }
  /** Like `schedule`, after `plusMs` plus a uniform random part in (0, maxMs], drawn by the shell. */
  | { readonly kind: 'randomDelay'; readonly id: TimerId; readonly maxMs: number; readonly plusMs: number }
  | { readonly kind: 'cancelTimer'; readonly id: TimerId }
  /** Resolve the seed hosts and open a probe connection to each address that is not known as a peer. */
  | { readonly kind: 'probeSeeds' }
  /** Open a connection and a handshake; answer `peerFound` (identity) or `probeFailed`. Ignored while an earlier probe of it runs. */
  | { readonly kind: 'probe'; readonly address: Address }
  | { readonly kind: 'complete'; readonly ticket: number; readonly result: ProposalResult }
  /** This node's mode, term or leader changed. Clients see a manager only by `apply`. */
  | {
      readonly kind: 'modeChanged';
      readonly mode: Mode;
      readonly term: number;
      readonly leader: DiscoveryNode | null;
    }
  /** This process must stop at once: another one that is alive has its identity. */
  | { readonly kind: 'fatal'; readonly reason: string }
  | {
      readonly kind: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly fields: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    };

/** State of the core, for diagnosis. */
export interface CoordinationSnapshot {
  readonly mode: Mode;
  readonly term: number;
  readonly leader: DiscoveryNode | null;
  readonly acceptedTerm: number;
  readonly acceptedVersion: number;
  readonly electionWon: boolean;
  readonly publicationRunning: boolean;
  readonly peers: readonly DiscoveryNode[];
  /** Addresses that could not be probed, with the last reason. */
  readonly unreachable: readonly { readonly address: string; readonly reason: string }[];
  /** Text that says what is missing to elect a cluster manager; null when one is known. */
  readonly missing: string | null;
}

export interface CoordinationCore<V> {
  step(event: CoordinationEvent<V>): readonly CoordinationEffect<V>[];
  readonly mode: Mode;
  snapshot(): CoordinationSnapshot;
  /**
   * Fast path: true when a follower check of this term by that node may be answered `ok` without `step`, so that checks
   * are answered while a persist holds the queue.
   */
  acceptsFollowerCheck(from: NodeId, term: number): boolean;
}

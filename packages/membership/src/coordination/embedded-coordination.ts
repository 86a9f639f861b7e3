/**
 * The embedded coordination backend: performs the effects of the pure coordinator.
 *
 * One event at a time. A `persist` holds everything behind it, effects and events, until the disk says durable, so that no
 * answer can overtake an fsync. All other effects are started and report back by events.
 */

import type { Voter } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import {
  type BootstrapPlan,
  type CoordinationCore,
  type CoordinationEffect,
  type CoordinationEvent,
  type CoordinationSettings,
  createCoordination,
  type DurableState,
  type ProposalResult,
  type ValueModel,
} from '@shoal/consensus';
import { assert, isAssertionFailure, messageOf, ShoalError, showHostPort, unreachable } from '@shoal/core';
import { type Cancel, DiskError, type Runtime } from '@shoal/runtime';
import type { Transport } from '@shoal/transport';
import type { NodeConnections } from '../connections/node-connections.ts';
import type { RefusedPeers } from '../connections/refused-peers.ts';
import { SeedProber } from '../connections/seed-prober.ts';
import type { CoordinationLog } from '../disk/coordination-log.ts';
import type { SpaceReserve } from '../disk/space-reserve.ts';
import type { CoordinationDiagnosis } from '../service/cluster-service.ts';
import type { BackendEvents, CoordinationBackend } from '../service/coordination-backend.ts';
import { CoordinationMessenger } from './coordination-messenger.ts';
import { joinFailure } from './join-failure.ts';

export interface EmbeddedOptions {
  readonly transport: Transport;
  readonly connections: NodeConnections;
  readonly refused: RefusedPeers;
  readonly seedHosts: readonly string[];
  readonly bootstrap: BootstrapPlan;
  readonly settings: CoordinationSettings;
  readonly model: ValueModel<ClusterState>;
  readonly durable: DurableState<ClusterState>;
  /** null: nothing outlives the process. */
  readonly log: DurableLog | null;
  /** Space for a state that finds the disk full; null or left out: none. */
  readonly reserve?: Pick<SpaceReserve, 'release'> | null;
}

/** Log in which the consensus state outlives the process. */
export type DurableLog = Pick<CoordinationLog, 'save' | 'close'>;

const FULL_DISK_RETRY_MS = 1_000;
/** Timer of the shell; the core uses no such name. */
const FULL_DISK_TIMER = 'shell:fullDisk';

type Effect = CoordinationEffect<ClusterState>;
type Event = CoordinationEvent<ClusterState>;

export class EmbeddedCoordination implements CoordinationBackend {
  readonly #runtime: Runtime;
  readonly #options: EmbeddedOptions;
  readonly #prober: SeedProber;
  readonly #messenger: CoordinationMessenger;
  readonly #events: Event[] = [];
  readonly #effects: Effect[] = [];
  readonly #timers = new Map<string, Cancel>();
  /** Voting nodes as they were last seen: one that is gone is no member any more, and votes all the same. */
  readonly #lastSeen = new Map<string, DiscoveryNode>();
  readonly #proposals = new Map<number, (result: ProposalResult) => void>();
  #core: CoordinationCore<ClusterState> | null = null;
  #on: BackendEvents | null = null;
  #durable: DurableState<ClusterState>;
  #applying: Promise<void> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();
  #isBusy = false;
  #isStopped = false;
  /** False from the first sign of it, while the core still waits for a disk that does not answer. */
  #isHealthy = true;
  #lastTicket = 0;

  constructor(runtime: Runtime, options: EmbeddedOptions) {
    this.#runtime = runtime;
    this.#options = options;
    this.#durable = options.durable;
    this.#rememberVoters();
    this.#prober = new SeedProber(runtime, options.transport, options.seedHosts, {
      found: (node) => this.feed({ kind: 'peerFound', node }),
      failed: (address, reason) => this.feed({ kind: 'probeFailed', address, reason }),
    });
    this.#messenger = new CoordinationMessenger(runtime, options.transport, options.connections, {
      feed: (event) => this.feed(event),
      acceptedState: () => this.#durable.accepted.value,
      acceptsFollowerCheck: (from, term) => this.#core?.acceptsFollowerCheck(from, term) ?? false,
      isHealthy: () => this.#isHealthy,
      joinRefused: (node, reason, isIncoming) => {
        const failure = joinFailure(reason);
        if (failure !== null) options.refused.note({ node, failure, reason, isIncoming });
      },
      fatal: (error) => this.#fatal(error),
    });
  }

  get isLeader(): boolean {
    return this.#core?.mode === 'leader';
  }

  async start(me: DiscoveryNode, events: BackendEvents): Promise<void> {
    assert(this.#core === null, 'coordination was started already');
    const { settings, bootstrap, model, durable } = this.#options;
    this.#on = events;
    this.#core = createCoordination({ local: me, settings, bootstrap, model, durable });
    this.feed({ kind: 'start' });
  }

  propose(source: string, update: (state: ClusterState) => ClusterState): Promise<ProposalResult> {
    if (this.#isStopped) return Promise.resolve({ kind: 'notManager', reason: 'node closes' });
    const ticket = ++this.#lastTicket;
    return new Promise((resolve) => {
      this.#proposals.set(ticket, resolve);
      this.feed({ kind: 'propose', ticket, source, update });
    });
  }

  /** A connection that this node had dialled is gone. */
  nodeDisconnected(node: { readonly id: string; readonly ephemeralId: string }): void {
    this.feed({ kind: 'nodeDisconnected', node: node.id, ephemeralId: node.ephemeralId });
  }

  healthChanged(healthy: boolean, reason: string): void {
    this.#isHealthy = healthy;
    if (!healthy) this.#messenger.refuseChecks();
    this.feed({ kind: 'health', healthy, reason });
  }

  settingsChanged(settings: CoordinationSettings): void {
    this.feed({ kind: 'settings', settings });
  }

  handOver(): void {
    this.feed({ kind: 'handOver' });
  }

  diagnose(): CoordinationDiagnosis {
    const snapshot = this.#core?.snapshot();
    return {
      mode: snapshot?.mode ?? 'candidate',
      term: snapshot?.term ?? 0,
      clusterManagerId: snapshot?.leader?.id ?? null,
      attempts: this.#prober.attempts,
      voters: this.#voters(snapshot?.peers ?? []),
      refused: this.#options.refused.recent(),
      acceptedVersion: this.#durable.accepted.value.version,
      receivedStates: this.#messenger.receivedStates,
      missing: snapshot?.missing ?? null,
    };
  }

  #rememberVoters(): void {
    const { committedConfig, value } = this.#durable.accepted;
    for (const id of this.#lastSeen.keys()) if (!committedConfig.includes(id)) this.#lastSeen.delete(id);
    for (const id of committedConfig) {
      const node = value.nodes.get(id);
      if (node !== undefined) this.#lastSeen.set(id, node);
    }
  }

  #voters(peers: readonly DiscoveryNode[]): readonly Voter[] {
    const { committedConfig } = this.#durable.accepted;
    const own = this.#options.transport.identity.nodeId;
    return committedConfig.map((id) => {
      const node = peers.find((peer) => peer.id === id) ?? this.#lastSeen.get(id);
      const address = node === undefined ? null : showHostPort(node.address);
      return { id, name: node?.name ?? null, address, isFound: id === own || peers.some((peer) => peer.id === id) };
    });
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    // What waits behind an fsync is not worth waiting for: nobody was answered yet.
    this.#events.length = 0;
    this.feed({ kind: 'close' });
    this.#isStopped = true;
    this.#prober.close();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    for (const resolve of this.#proposals.values()) resolve({ kind: 'unknown', reason: 'node closes' });
    this.#proposals.clear();
    await this.#saving;
    await this.#options.log?.close();
  }

  feed(event: Event): void {
    if (this.#isStopped || this.#core === null) return;
    this.#events.push(event);
    this.#pump();
  }

  #pump(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (!this.#isStopped) {
        const effect = this.#effects.shift();
        if (effect === undefined) {
          const event = this.#events.shift();
          if (event === undefined) break;
          const produced = this.#core?.step(event) ?? [];
          for (const each of produced) this.#effects.push(each);
        } else if (effect.kind === 'persist') {
          if (this.#persist(effect.durable)) return;
        } else {
          this.#perform(effect);
        }
      }
    } catch (error) {
      this.#fatal(error);
    }
    this.#isBusy = false;
  }

  /** True when the pump has to wait: it goes on by itself when the disk is done. */
  #persist(durable: DurableState<ClusterState>): boolean {
    let last = durable;
    for (let next = this.#effects[0]; next?.kind === 'persist'; next = this.#effects[0]) {
      // The last of a row contains the others, and none of them was answered yet.
      last = next.durable;
      this.#effects.shift();
    }
    assert(
      last.currentTerm >= this.#durable.currentTerm,
      `term ${last.currentTerm} is written after term ${this.#durable.currentTerm}`,
    );
    this.#durable = last;
    this.#rememberVoters();
    const { log } = this.#options;
    if (log === null) return false;
    this.#save(log, last);
    return true;
  }

  #save(log: DurableLog, durable: DurableState<ClusterState>): void {
    this.#saving = log.save(durable).then(
      () => {
        this.#isBusy = false;
        this.#pump();
      },
      (error: unknown) => {
        if (!(error instanceof DiskError) || error.kind !== 'full') return this.#fatal(error);
        // Nobody was answered. Until there is room this node neither votes nor follows; its health probe says why, and the
        // others go on without it. So the retries end with the full disk or with the process.
        this.#runtime.log.warn('no room for the cluster state, trying again', { reason: error.message });
        return this.#saveAgain(log, durable);
      },
    );
  }

  /** At once where space was kept for this, else after a while. */
  async #saveAgain(log: DurableLog, durable: DurableState<ClusterState>): Promise<void> {
    if ((await this.#options.reserve?.release()) === true) {
      if (!this.#isStopped) this.#save(log, durable);
      return;
    }
    this.#timers.set(
      FULL_DISK_TIMER,
      this.#runtime.sched.after(FULL_DISK_RETRY_MS, () => {
        if (!this.#isStopped) this.#save(log, durable);
      }),
    );
  }

  #perform(effect: Exclude<Effect, { readonly kind: 'persist' }>): void {
    const { sched, random, log } = this.#runtime;
    switch (effect.kind) {
      case 'send':
        this.#messenger.send(effect);
        return;
      case 'reply':
        this.#messenger.reply(effect.replyTo, effect.response);
        return;
      case 'refuse':
        this.#messenger.refuse(effect.replyTo, effect.reason);
        return;
      case 'apply':
        this.#apply(effect);
        return;
      case 'schedule':
        this.#schedule(effect.id, effect.afterMs);
        return;
      case 'randomDelay':
        this.#schedule(effect.id, effect.plusMs + 1 + random.below(Math.max(1, Math.floor(effect.maxMs))));
        return;
      case 'cancelTimer':
        this.#timers.get(effect.id)?.();
        this.#timers.delete(effect.id);
        return;
      case 'probeSeeds':
        this.#prober.probeSeeds();
        return;
      case 'probe':
        this.#prober.probe(effect.address);
        return;
      case 'complete': {
        const resolve = this.#proposals.get(effect.ticket);
        assert(resolve !== undefined, `proposal ${effect.ticket} ends as ${effect.result.kind}, and nobody made it`);
        this.#proposals.delete(effect.ticket);
        // In a later turn: whoever waits may propose again.
        sched.soon(() => resolve(effect.result));
        return;
      }
      case 'modeChanged':
        if (effect.mode !== 'leader') this.#messenger.forgetFollowers();
        this.#on?.modeChanged(effect.mode);
        return;
      case 'fatal':
        this.#fatal(new ShoalError('illegal_state_exception', 500, effect.reason));
        return;
      case 'log':
        log[effect.level](effect.message, effect.fields);
        return;
      default:
        unreachable(effect);
    }
  }

  #apply({ ticket, state, manager }: Extract<Effect, { readonly kind: 'apply' }>): void {
    const run = async (): Promise<void> => {
      let failure: string | null = null;
      try {
        if (manager === null) await this.#on?.managerLost();
        else await this.#on?.committed({ ...state.value, clusterManagerId: manager.id });
      } catch (error) {
        if (isAssertionFailure(error)) return this.#fatal(error);
        failure = messageOf(error);
        this.#runtime.log.warn('cluster state could not be applied', { version: state.version, reason: failure });
      }
      this.feed({ kind: 'applied', ticket, failure });
    };
    this.#applying = this.#applying.then(run);
  }

  #schedule(id: string, afterMs: number): void {
    this.#timers.get(id)?.();
    this.#timers.set(
      id,
      this.#runtime.sched.after(afterMs, () => {
        this.#timers.delete(id);
        this.feed({ kind: 'timer', id });
      }),
    );
  }

  #fatal(error: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#on?.fatal(error);
  }
}

/**
 * One process of a simulated node: a coordinator core and the plainest shell that keeps its contract.
 *
 * Effects in order; a persist holds both the effects behind it and the inbox. Once killed, nothing of it acts again.
 */
import type { DiscoveryNode } from '@shoal/protocol';
import type { SeededRandom } from '@shoal/simulation';
import { createCoordinator } from '../core/coordination-core.ts';
import type {
  CoordinatorConfig,
  CoordinatorCore,
  CoordinatorEffect,
  CoordinatorEvent,
  ProposalResult,
} from '../effects/coordination-events.ts';
import type { AcceptedState, DurableState } from '../steps/accepted-state.ts';
import type { CoordRequest, CoordResponse } from '../steps/coord-message.ts';
import type { VirtualTime } from './message-network.test-support.ts';
import type { SimValue } from './sim-value.test-support.ts';

type Effect = CoordinatorEffect<SimValue>;
type Event = CoordinatorEvent<SimValue>;

/** What a process wants of the world around it. */
export interface ProcessWorld {
  readonly time: VirtualTime;
  request(from: CoordinatorProcess, effect: Extract<Effect, { kind: 'send' }>): void;
  answer(from: CoordinatorProcess, replyTo: number, answer: CoordResponse | { readonly refused: string }): void;
  probe(from: CoordinatorProcess, host: string | null): void;
  /** How long this write takes, in milliseconds. */
  persistMs(process: CoordinatorProcess): number;
  persisted(process: CoordinatorProcess, durable: DurableState<SimValue>): void;
  applyMs(process: CoordinatorProcess): number;
  completed(process: CoordinatorProcess, ticket: number, result: ProposalResult): void;
  /** Before an effect is performed, for the checkers. */
  observe(process: CoordinatorProcess, effect: Effect): void;
  afterEvent(process: CoordinatorProcess, event: Event): void;
}

export class CoordinatorProcess {
  readonly node: DiscoveryNode;
  readonly core: CoordinatorCore<SimValue>;
  /** What the core has accepted, as far as its effects have told. */
  acceptedInMemory: AcceptedState<SimValue>;
  /** The last committed state brought into force, and under which manager. */
  applied: { readonly state: AcceptedState<SimValue>; readonly manager: DiscoveryNode | null } | null = null;
  isAlive = true;
  private readonly world: ProcessWorld;
  private readonly random: SeededRandom;
  private readonly inbox: Event[] = [];
  private effects: Effect[] = [];
  private isSuspended = false;
  private readonly timers = new Map<string, object>();
  private readonly outstanding = new Set<number>();
  private applyFreeAtMs = 0;

  constructor(config: CoordinatorConfig<SimValue>, world: ProcessWorld, random: SeededRandom) {
    this.node = config.local;
    this.core = createCoordinator(config);
    this.acceptedInMemory = config.durable.accepted;
    this.world = world;
    this.random = random;
  }

  /** Nothing it scheduled runs any more. */
  kill(): void {
    this.isAlive = false;
    this.inbox.length = 0;
    this.effects = [];
  }

  feed(event: Event): void {
    if (!this.isAlive) return;
    this.inbox.push(event);
    this.work();
  }

  /** A response or failure of an open request; anything later than the first is dropped. */
  settle(requestId: number, event: Event): void {
    if (this.outstanding.delete(requestId)) this.feed(event);
  }

  request(from: DiscoveryNode, replyTo: number, request: CoordRequest<SimValue>): void {
    this.feed({ kind: 'request', from, replyTo, request });
  }

  private later(ms: number, run: () => void): void {
    this.world.time.after(ms, () => {
      if (this.isAlive) run();
    });
  }

  private work(): void {
    while (this.isAlive && !this.isSuspended) {
      const effect = this.effects.shift();
      if (effect !== undefined) {
        this.world.observe(this, effect);
        this.perform(effect);
        continue;
      }
      const event = this.inbox.shift();
      if (event === undefined) return;
      this.effects.push(...this.core.step(event));
      this.world.afterEvent(this, event);
    }
  }

  private perform(effect: Effect): void {
    switch (effect.kind) {
      case 'persist':
        this.persist(effect.durable);
        return;
      case 'send': {
        const { requestId } = effect;
        this.outstanding.add(requestId);
        const failed = { kind: 'requestFailed', requestId, cause: 'timeout', reason: 'timed out' } as const;
        this.later(effect.timeoutMs, () => this.settle(requestId, failed));
        this.world.request(this, effect);
        return;
      }
      case 'reply':
        this.world.answer(this, effect.replyTo, effect.response);
        return;
      case 'refuse':
        this.world.answer(this, effect.replyTo, { refused: effect.reason });
        return;
      case 'apply':
        this.apply(effect);
        return;
      case 'schedule':
        this.schedule(effect.id, effect.afterMs);
        return;
      case 'randomDelay':
        this.schedule(effect.id, effect.plusMs + 1 + this.random.unit() * effect.maxMs);
        return;
      case 'cancelTimer':
        this.timers.delete(effect.id);
        return;
      case 'probeSeeds':
        this.world.probe(this, null);
        return;
      case 'probe':
        this.world.probe(this, effect.address.host);
        return;
      case 'complete':
        this.world.completed(this, effect.ticket, effect.result);
        return;
      case 'modeChanged':
      case 'log':
        return;
    }
  }

  private persist(durable: DurableState<SimValue>): void {
    this.isSuspended = true;
    this.acceptedInMemory = durable.accepted;
    this.later(this.world.persistMs(this), () => {
      this.world.persisted(this, durable);
      this.isSuspended = false;
      this.work();
    });
  }

  private apply(effect: Extract<Effect, { kind: 'apply' }>): void {
    const { nowMs } = this.world.time;
    this.applyFreeAtMs = Math.max(this.applyFreeAtMs, nowMs) + this.world.applyMs(this);
    this.later(this.applyFreeAtMs - nowMs, () => {
      this.applied = { state: effect.state, manager: effect.manager };
      this.feed({ kind: 'applied', ticket: effect.ticket, failure: null });
    });
  }

  private schedule(id: string, afterMs: number): void {
    const token = {};
    this.timers.set(id, token);
    this.later(afterMs, () => {
      if (this.timers.get(id) !== token) return;
      this.timers.delete(id);
      this.feed({ kind: 'timer', id });
    });
  }
}

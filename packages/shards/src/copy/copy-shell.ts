/**
 * The shell of one copy of a shard: feeds `stepCopy` and performs its effects on the engine, in the thread that owns both.
 *
 * It decides nothing. Effects are performed in their order; work of the engine is done one piece after the other, and each piece is
 * answered by one event. What leaves the thread goes through the port.
 */
import { asShoalError, assert, isAssertionFailure, isMalformedMessage, toWireError, unreachable } from '@shoal/core';
import type { ExecutedWrite, PrimaryClaim } from '@shoal/engine';
import { readCopyCall, readCopyResponse, writeCopyResponse } from '@shoal/protocol';
import {
  type CopyContext,
  type CopyEffect,
  type CopyEvent,
  type CopyResponse,
  type CopyState,
  type ManagerAnswer,
  openCopy,
  type ShardGroup,
  stepCopy,
} from '@shoal/replication';
import { OperationPermits, type Runtime } from '@shoal/runtime';
import type { HistoryOperation, OperationList } from '@shoal/shard-api';
import type { CopyOutput } from '../calls/copy-output.ts';
import { type PackedBody, packBody, unpackBody } from '../calls/packed-body.ts';
import { noSafeCommit } from '../calls/shard-errors.ts';
import { Timers } from '../calls/timers.ts';
import { CopySends } from './copy-sends.ts';
import type { CopyStore } from './copy-store.ts';
import { type CopyWriteAnswer, CopyWrites } from './copy-writes.ts';
import { EffectQueue } from './effect-queue.ts';
import { HistoryReads } from './history-reads.ts';
import { LogSync } from './log-sync.ts';
import { WaitingCopies } from './waiting-copies.ts';

/** How often the copy looks at leases, checkpoints and answers that are late. */
const TICK_MS = 5_000;

type Effect = CopyEffect<HistoryOperation>;
type Event = CopyEvent<HistoryOperation>;
type Numbered = Pick<ExecutedWrite, 'ranges' | 'operations' | 'repeated'>;

/** Effects that are no work of the engine's log. */
type OutsideEffect = Exclude<Effect, { readonly kind: LogEffectKind }>;
type LogEffectKind =
  | ('persistTerm' | 'beginHistory' | 'trim' | 'keepGlobalCheckpoint' | 'keepLeases' | 'retain' | 'write' | 'sync')
  | ('execute' | 'rollback' | 'confirm' | 'lead' | 'readHistory' | 'readMore' | 'endRead');

const NOTHING_NUMBERED: Numbered = { ranges: [], operations: [], repeated: -1 };

export interface CopyShellOptions {
  readonly runtime: Pick<Runtime, 'clock' | 'sched'>;
  readonly allocationId: string;
  readonly store: CopyStore;
  readonly port: (output: CopyOutput) => void;
  /** Longest time between the execution of a write and its sync; 0: it is synced at once and acknowledged afterwards. */
  readonly syncDelayMs: () => number;
  readonly context: () => CopyContext;
  /** An invariant is broken: the thread must end. */
  readonly broken: (error: unknown) => void;
}

export class CopyShell {
  readonly #options: CopyShellOptions;
  readonly #store: CopyStore;
  readonly #effects: EffectQueue<Effect>;
  readonly #jobs = new OperationPermits();
  readonly #reads: HistoryReads;
  readonly #writes: CopyWrites;
  readonly #waiting = new WaitingCopies();
  readonly #log: LogSync;
  readonly #sends: CopySends;
  readonly #timers: Timers;
  /** Null until the store has said what is there. */
  #state: CopyState<HistoryOperation> | null = null;
  /** Group that came before that. */
  #pendingGroup: ShardGroup | null = null;
  readonly #events: Event[] = [];
  #isStepping = false;
  #hasFailed = false;
  #isClosed = false;

  constructor(options: CopyShellOptions) {
    this.#options = options;
    this.#timers = new Timers(options.runtime.sched);
    this.#store = options.store;
    const engineFailed = (error: unknown): void => this.#engineFailed(error);
    this.#effects = new EffectQueue((effect) => this.#perform(effect), engineFailed);
    const take = (event: Event): void => this.#take(event);
    const { store, port, broken } = options;
    this.#reads = new HistoryReads((first, last) => store.changes(first, last), take, engineFailed);
    const unread = (requestId: number): void => this.#take({ kind: 'requestFailed', requestId });
    this.#sends = new CopySends({ store, port, broken, unread, engineFailed });
    this.#log = new LogSync({
      timers: this.#timers,
      sync: () => options.store.sync(),
      delayMs: options.syncDelayMs,
      synced: (through) => this.#take({ kind: 'synced', through }),
      failed: engineFailed,
    });
    this.#writes = new CopyWrites(take);
  }

  get state(): CopyState<HistoryOperation> | null {
    return this.#state;
  }

  /** Opens the copy from what its store has. Groups and writes that come meanwhile wait. */
  async open(): Promise<void> {
    const stored = await this.#store.stored();
    if (this.#isClosed) return;
    const { allocationId, runtime } = this.#options;
    this.#state = openCopy(allocationId, stored, runtime.clock.wallMs());
    if (this.#pendingGroup !== null) this.#take({ kind: 'groupChanged', group: this.#pendingGroup });
    this.#timers.after(TICK_MS, () => this.#tick());
  }

  groupChanged(group: ShardGroup): void {
    if (this.#state === null) this.#pendingGroup = group;
    else this.#take({ kind: 'groupChanged', group });
  }

  /**
   * Resolves when every copy in sync has what was executed, or is committed to be out.
   *
   * @throws ShoalError on which the sender looks for the primary again; where the copy leads no more it may have been executed
   */
  write(
    operations: OperationList,
    from: number,
    claim: PrimaryClaim | null,
    activeCopiesMin: number,
  ): Promise<CopyWriteAnswer> {
    const waitsForSync = this.#options.syncDelayMs() === 0;
    return this.#writes.add({ operations, from, claim, activeCopiesMin, waitsForSync }, this.#state);
  }

  /**
   * Answers another copy.
   *
   * @param timeoutMs how long it waits
   * @throws malformed_message_exception; a ShoalError when no answer comes
   */
  request(body: PackedBody, timeoutMs: number): Promise<PackedBody> {
    const { request, chunk } = readCopyCall(unpackBody(body));
    if (this.#state === null || this.#isClosed) {
      return Promise.resolve(packBody(writeCopyResponse({ kind: 'refused', reason: 'notHere', term: 0 })));
    }
    const untilMs = this.#options.runtime.clock.monotonicMs() + timeoutMs;
    return this.#waiting.add({ untilMs, chunk }, (replyTo) => this.#take({ kind: 'request', replyTo, request }));
  }

  /** @param body null: no answer came, whatever the other copy did */
  answered(requestId: number, body: PackedBody | null): void {
    const response = body === null ? null : readableResponse(body);
    this.#take(response === null ? { kind: 'requestFailed', requestId } : { kind: 'response', requestId, response });
  }

  managerAnswered(ask: number, answer: ManagerAnswer): void {
    this.#take({ kind: 'managerAnswered', ask, answer });
  }

  /** The engine has failed by itself. */
  engineFailed(error: unknown): void {
    this.#engineFailed(error);
  }

  /** The copy leaves this node: nothing is answered any more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#effects.close();
    this.#reads.close();
    this.#sends.close();
    this.#timers.close();
    this.#writes.close();
    this.#waiting.close();
  }

  /** Events that come of an effect wait until the effects of the step before are started. */
  #take(event: Event): void {
    if (this.#isClosed || this.#state === null) return;
    this.#events.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) this.#step(next);
    } catch (error) {
      this.close();
      this.#options.broken(error);
    } finally {
      this.#isStepping = false;
    }
  }

  #step(event: Event): void {
    const before = this.#state;
    if (before === null || this.#isClosed) return;
    const { state, effects } = stepCopy(before, event, this.#options.context());
    this.#state = state;
    this.#effects.add(effects);
    if (state.primary?.recoveries !== before.primary?.recoveries) this.#releaseEnded(before, state);
    if (state.phase !== before.phase) this.#writes.phaseChanged(state);
    if (before.phase === 'recovering' && state.phase === 'replica') this.#store.recovered();
  }

  /** Files are held for a target as long as it recovers from here. */
  #releaseEnded(before: CopyState<HistoryOperation>, { primary }: CopyState<HistoryOperation>): void {
    for (const target of before.primary?.recoveries.keys() ?? []) {
      if (primary?.recoveries.has(target) !== true) this.#store.releaseCommit(target);
    }
  }

  #perform(effect: Effect): Promise<void> | null {
    switch (effect.kind) {
      case 'persistTerm':
        return this.#jobs.alone(() => this.#store.enterTerm(effect.term));
      case 'beginHistory':
        return this.#jobs.alone(() => this.#store.beginHistory(effect.historyUuid));
      case 'trim':
        return this.#jobs.alone(() => this.#store.trim(effect.above, effect.belowTerm));
      case 'keepGlobalCheckpoint':
        this.#store.keepGlobalCheckpoint(effect.globalCheckpoint);
        return null;
      case 'keepLeases':
        this.#store.keepLeases(effect.leases);
        return null;
      case 'retain':
        this.#store.retain(effect.from, effect.commitThrough);
        return null;
      case 'write':
        this.#write(effect);
        return null;
      case 'execute':
      case 'rollback':
      case 'confirm':
      case 'lead':
        this.#jobs
          .alone(() => this.#runJob(effect))
          .then(
            () => this.#executed(effect.job, NOTHING_NUMBERED),
            (error: unknown) => this.#engineFailed(error),
          );
        return null;
      case 'sync':
        this.#log.ask(effect.number);
        return null;
      case 'readHistory':
        this.#reads.begin(effect.job, effect.first, effect.last);
        return null;
      case 'readMore':
        this.#reads.more(effect.job);
        return null;
      case 'endRead':
        this.#reads.end(effect.job);
        return null;
      default:
        return this.#performOutside(effect);
    }
  }

  #performOutside(effect: OutsideEffect): Promise<void> | null {
    switch (effect.kind) {
      case 'acquireCommit':
      case 'verifyCommit':
      case 'installFiles':
        this.#performFiles(effect).catch((error: unknown) => this.#engineFailed(error));
        return null;
      case 'keepChunk': {
        const chunk = this.#waiting.chunkOf(effect.replyTo);
        if (chunk === null) return null; // Who sent it waits no more, and sends it again.
        // The first one shuts the engine, on which the copy may still be going back to what is agreed.
        return this.#jobs.alone(() => this.#store.keepChunk(effect.file, effect.chunk, chunk));
      }
      case 'send':
        this.#sends.send(effect);
        return null;
      case 'sendLater':
        this.#timers.after(effect.delayMs, () => this.#take({ kind: 'sendNow', requestId: effect.requestId }));
        return null;
      case 'answer':
        this.#waiting.answer(effect.replyTo, () => packBody(writeCopyResponse(effect.response)));
        return null;
      case 'askManager':
        this.#sends.askManager(effect);
        return null;
      case 'readNow':
        this.#take({ kind: 'wasRead', ticket: effect.ticket, maxSeqNo: this.#store.maxSeqNo });
        return null;
      case 'reply':
        this.#writes.replied(effect.ticket, effect.outcome);
        return null;
      case 'closed':
        // A failure is told as one: after a sound end the copy may be opened again as the same allocation.
        if (!this.#hasFailed) this.#options.port({ kind: 'closed', reason: effect.reason, error: null });
        return null;
      default:
        return unreachable(effect);
    }
  }

  #write({ job, ticket, collects }: Extract<Effect, { readonly kind: 'write' }>): void {
    const write = this.#writes.find(ticket);
    assert(write !== null, `write ${ticket} is executed after its answer`);
    const { operations, from, claim } = write;
    this.#jobs
      .run(() => this.#store.write(operations, from, claim, collects))
      .then(
        (executed) => {
          this.#writes.executed(ticket, executed);
          this.#executed(job, executed);
        },
        (error: unknown) => {
          if (isAssertionFailure(error)) return this.#options.broken(error);
          this.#writes.refused(ticket, asShoalError(error));
          this.#executed(job, NOTHING_NUMBERED);
        },
      );
  }

  #executed(job: number, { ranges, operations, repeated }: Numbered): void {
    const event = { kind: 'executed', job, ranges, operations, repeated } as const;
    this.#take(event);
  }

  #runJob(effect: Extract<Effect, { readonly kind: 'execute' | 'rollback' | 'confirm' | 'lead' }>): Promise<void> {
    switch (effect.kind) {
      case 'execute':
        return this.#store.apply(effect.operations, this.#state?.term ?? 0);
      case 'rollback':
        return this.#store.rollback(effect.to, effect.drops);
      case 'confirm':
        return this.#store.confirm();
      case 'lead':
        return this.#store.lead(effect.term);
      default:
        return unreachable(effect);
    }
  }

  async #performFiles(
    effect: Extract<Effect, { readonly kind: 'acquireCommit' | 'verifyCommit' | 'installFiles' }>,
  ): Promise<void> {
    const { job } = effect;
    switch (effect.kind) {
      case 'acquireCommit': {
        const commit = await this.#store.acquireCommit(effect.target);
        if (commit === null) throw noSafeCommit();
        this.#take({ kind: 'commitAcquired', job, commit });
        return;
      }
      case 'verifyCommit':
        this.#take({ kind: 'commitVerified', job, isSound: await this.#store.verifyCommit(effect.target) });
        return;
      case 'installFiles': {
        const isSound = await this.#jobs.alone(() => this.#store.installFiles(effect.commit, effect.historyUuid));
        this.#take({ kind: 'filesInstalled', job, isSound });
        return;
      }
      default:
        unreachable(effect);
    }
  }

  #engineFailed(error: unknown): void {
    if (isAssertionFailure(error)) {
      this.#options.broken(error);
      return;
    }
    if (this.#isClosed || this.#state?.phase === 'closed') return;
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const cause = asShoalError(error);
    this.#take({ kind: 'engineFailed', reason: `${cause.type}: ${cause.reason ?? ''}` });
    this.#options.port({ kind: 'closed', reason: cause.message, error: toWireError(cause) });
  }

  #tick(): void {
    const nowMs = this.#options.runtime.clock.monotonicMs();
    this.#waiting.endLate(nowMs);
    this.#take({ kind: 'tick', nowMs: this.#options.runtime.clock.wallMs() });
    this.#timers.after(TICK_MS, () => this.#tick());
  }
}

/** Null for what is no answer of a copy: as good as none. */
function readableResponse(body: PackedBody): CopyResponse | null {
  try {
    return readCopyResponse(unpackBody(body));
  } catch (error) {
    if (!isMalformedMessage(error)) throw error;
    return null;
  }
}

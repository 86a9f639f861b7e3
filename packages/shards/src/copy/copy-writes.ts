/**
 * Writes of clients on one copy, from their arrival to the answer: they wait while the copy becomes primary, and are told where it is not.
 */
import { assert, type ShoalError, unreachable } from '@shoal/core';
import type { ExecutedWrite, PrimaryClaim } from '@shoal/engine';
import type { CopyEvent, CopyState, ReplyOutcome } from '@shoal/replication';
import type { HistoryOperation, OperationList, WriteOutcome } from '@shoal/shard-api';
import { copyClosed, leadsNoMore, notLeading, tooFewCopies } from '../calls/shard-errors.ts';

export interface CopyWrite {
  readonly operations: OperationList;
  /** So many of the operations are done already. */
  readonly from: number;
  readonly claim: PrimaryClaim | null;
  readonly activeCopiesMin: number;
  readonly waitsForSync: boolean;
}

export interface CopyWriteAnswer extends WriteOutcome {
  /** Copies that have what was executed, this one among them. */
  readonly successful: number;
  /** Allocation ids of copies that are out for it. */
  readonly failed: readonly string[];
}

interface OpenWrite {
  readonly write: CopyWrite;
  readonly resolve: (answer: CopyWriteAnswer) => void;
  readonly reject: (error: ShoalError) => void;
  /** What the engine did; null until it has. */
  outcome: WriteOutcome | null;
  /** Why the engine did nothing. */
  refusal: ShoalError | null;
}

type WriteEvent = Extract<CopyEvent<HistoryOperation>, { readonly kind: 'write' }>;
type State = CopyState<HistoryOperation>;

export class CopyWrites {
  readonly #begin: (event: WriteEvent) => void;
  readonly #open = new Map<string, OpenWrite>();
  /** Tickets that wait until the copy leads, oldest first. */
  #held: string[] = [];
  #nextTicket = 1;

  constructor(begin: (event: WriteEvent) => void) {
    this.#begin = begin;
  }

  /** Writes that are not answered yet. */
  get size(): number {
    return this.#open.size;
  }

  /** @param state of the copy; null: it is not open yet */
  add(write: CopyWrite, state: State | null): Promise<CopyWriteAnswer> {
    const ticket = `w${this.#nextTicket++}`;
    return new Promise((resolve, reject) => {
      this.#open.set(ticket, { write, resolve, reject, outcome: null, refusal: null });
      if (state === null || becomesPrimary(state)) this.#held.push(ticket);
      else this.#beginNow(ticket);
    });
  }

  /** Writes that waited go on when the copy leads, and are refused when it will not. */
  phaseChanged(state: State): void {
    if (becomesPrimary(state)) return;
    const held = this.#held;
    this.#held = [];
    for (const ticket of held) this.#beginNow(ticket);
  }

  /** What a ticket asks for; null when it is answered. */
  find(ticket: string): CopyWrite | null {
    return this.#open.get(ticket)?.write ?? null;
  }

  executed(ticket: string, { results, mappingUpdate }: ExecutedWrite): void {
    const open = this.#open.get(ticket);
    if (open !== undefined) open.outcome = { results, mappingUpdate };
  }

  refused(ticket: string, error: ShoalError): void {
    const open = this.#open.get(ticket);
    if (open !== undefined) open.refusal = error;
  }

  replied(ticket: string, outcome: ReplyOutcome): void {
    const open = this.#open.get(ticket);
    if (open === undefined) return;
    this.#open.delete(ticket);
    switch (outcome.kind) {
      case 'acknowledged':
        acknowledge(open, outcome);
        return;
      case 'notPrimary':
        open.reject(notLeading());
        return;
      case 'notEnoughActiveCopies':
        open.reject(tooFewCopies(outcome.active, outcome.wanted));
        return;
      case 'unknown':
        open.reject(open.refusal ?? leadsNoMore());
        return;
      case 'readConfirmed':
        assert(false, `write ${ticket} is answered as a read`);
        return;
      default:
        unreachable(outcome);
    }
  }

  close(): void {
    for (const { reject } of this.#open.values()) reject(copyClosed());
    this.#open.clear();
    this.#held = [];
  }

  #beginNow(ticket: string): void {
    const open = this.#open.get(ticket);
    if (open === undefined) return;
    const { activeCopiesMin, waitsForSync } = open.write;
    this.#begin({ kind: 'write', ticket, activeCopiesMin, waitsForSync });
  }
}

function acknowledge(
  { outcome, refusal, resolve, reject }: OpenWrite,
  { successful, failed }: Extract<ReplyOutcome, { readonly kind: 'acknowledged' }>,
): void {
  if (refusal !== null) {
    reject(refusal);
    return;
  }
  assert(outcome !== null, 'a write is acknowledged that the engine has not executed');
  resolve({ ...outcome, successful, failed });
}

function becomesPrimary({ phase, group, allocationId }: State): boolean {
  if (phase === 'promoting') return true;
  return phase === 'opening' && (group === null || group.primary === allocationId);
}

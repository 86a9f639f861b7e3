/**
 * Clients of one shard: few documents, unique values, some writes upon conditions, reads that must be right. Every call is
 * kept with its times, for the check of the whole history.
 */

import type { RegisterCall } from '@shoal/simulation';
import type { ReplyOutcome } from '../copy/copy-events.ts';
import type { StoredVersion } from '../sequence/shard-operation.ts';
import type { ShardWorld } from './shard-world.test-support.ts';
import type { SimulatedCopy } from './simulated-copy.test-support.ts';
import type { SimOperation, SimulatedStore } from './simulated-store.test-support.ts';

/** A client that hears nothing for so long goes on; its call may still take effect. */
const CALL_TIMEOUT_MS = 4_000;

interface OpenCall {
  readonly id: string;
  readonly calledAt: number;
  /** Null: a read. */
  readonly write: { readonly value: string | null; readonly expects: string | null } | null;
  readonly next: () => void;
  isOver: boolean;
  readValue: string | null;
  readVersion: StoredVersion | null;
}

interface Known {
  readonly value: string;
  readonly version: StoredVersion;
}

export class SimulatedClients {
  private readonly world: ShardWorld;
  private readonly calls = new Map<string, OpenCall>();
  private readonly watched = new Map<string, (outcome: ReplyOutcome) => void>();
  private readonly known = new Map<string, Known>();
  private count = 0;
  /** Clients stop for good when the world ends. */
  isStopped = false;

  constructor(world: ShardWorld) {
    this.world = world;
  }

  /** One client: a call after the other. */
  run(): void {
    if (this.isStopped) return;
    this.world.events.after(this.world.faults.thinkMs(), () => {
      if (!this.isStopped) this.call(() => this.run());
    });
  }

  /** A call although all clients have stopped. */
  writeOnce(): void {
    this.call(() => undefined);
  }

  /** A single write through this copy, whose outcome the caller looks at. */
  writeThrough(
    copy: SimulatedCopy,
    { id, value }: { readonly id: string; readonly value: string | null },
    then: (outcome: ReplyOutcome) => void,
  ): void {
    copy.write(this.watch(then), { id, value, condition: null, fails: false });
  }

  readThrough(copy: SimulatedCopy, id: string, then: (outcome: ReplyOutcome) => void): void {
    const ticket = this.watch(then);
    this.world.trace(`a read of ${id} through ${copy.allocationId}`);
    copy.take({ kind: 'confirmedRead', ticket });
  }

  private watch(then: (outcome: ReplyOutcome) => void): string {
    this.count += 1;
    const ticket = `t${this.count}`;
    this.watched.set(ticket, then);
    return ticket;
  }

  readNow(ticket: string, store: SimulatedStore): void {
    const call = this.calls.get(ticket);
    if (call === undefined) return;
    const stored = store.documents.get(call.id);
    call.readValue = stored?.value ?? null;
    call.readVersion = stored ?? null;
  }

  /** @param operation what became of a write; null: nothing, or it is a read */
  replied(ticket: string, outcome: ReplyOutcome, operation: SimOperation | null): void {
    this.watched.get(ticket)?.(outcome);
    if (this.world.isPlanned) {
      const isKnown = outcome.kind !== 'unknown' && !(outcome.kind === 'acknowledged' && outcome.failed.length > 0);
      this.world.require(isKnown, `nothing failed, and ${ticket} ended as ${JSON.stringify(outcome)}`);
    }
    const call = this.calls.get(ticket);
    if (outcome.kind === 'acknowledged' && operation !== null) this.world.acknowledged([operation]);
    if (call === undefined || call.isOver) return;
    switch (outcome.kind) {
      case 'acknowledged': {
        // Refused by the engine: the document is as it was.
        if (operation === null || operation.document === null) this.end(ticket, call, 'nothing');
        else {
          const { value } = operation.document;
          const { seqNo, primaryTerm: term } = operation;
          if (value !== null) this.known.set(call.id, { value, version: { seqNo, term } });
          this.end(ticket, call, 'done');
        }
        return;
      }
      case 'readConfirmed':
        if (call.readValue !== null && call.readVersion !== null) {
          this.known.set(call.id, { value: call.readValue, version: call.readVersion });
        }
        this.end(ticket, call, 'done');
        return;
      case 'unknown':
        this.end(ticket, call, 'unknown');
        return;
      default:
        this.end(ticket, call, 'nothing');
    }
  }

  /** Calls that nobody has answered yet have an unknown outcome. */
  giveUp(): void {
    for (const [ticket, call] of this.calls) this.end(ticket, call, 'unknown');
  }

  /** A final look at every document, as reads that come after everything. */
  readAll(store: SimulatedStore): void {
    const now = this.world.events.nowMs;
    for (const id of this.world.documentIds) {
      const value = store.documents.get(id)?.value ?? null;
      this.world.checker.called(id, { calledAt: now, returnedAt: now + 1, effect: { kind: 'read', value } });
    }
  }

  private call(next: () => void): void {
    const { world } = this;
    const { random, faults } = world;
    const copy = world.primaryAsSeen();
    if (copy === null) {
      next();
      return;
    }
    this.count += 1;
    const ticket = `t${this.count}`;
    const id = random.pick(world.documentIds);
    const isRead = random.chance(faults.reads);
    const known = this.known.get(id);
    const condition = known !== undefined && random.chance(faults.conditions) ? known : null;
    const value = random.chance(faults.deletes) ? null : `${id}#${this.count}`;
    const write = isRead ? null : { value, expects: condition?.value ?? null };
    const calledAt = world.events.nowMs;
    const call: OpenCall = { id, calledAt, write, next, isOver: false, readValue: null, readVersion: null };
    this.calls.set(ticket, call);
    world.events.after(CALL_TIMEOUT_MS, () => this.end(ticket, call, 'unknown'));
    if (isRead) copy.take({ kind: 'confirmedRead', ticket });
    else {
      const fails = random.chance(faults.engineRefuses);
      copy.write(ticket, { id, value, condition: condition?.version ?? null, fails });
    }
  }

  private end(ticket: string, call: OpenCall, outcome: 'done' | 'unknown' | 'nothing'): void {
    if (call.isOver) return;
    call.isOver = true;
    // A call whose outcome is unknown stays: its acknowledgement may still come and is checked then.
    if (outcome !== 'unknown') this.calls.delete(ticket);
    const returnedAt = outcome === 'done' ? this.world.events.nowMs : Number.POSITIVE_INFINITY;
    const { id, calledAt, write } = call;
    if (outcome !== 'nothing' && (write !== null || outcome === 'done')) {
      this.world.checker.called(id, { calledAt, returnedAt, effect: effectOf(call) });
    }
    if (!this.isStopped) call.next();
  }
}

function effectOf({ write, readValue }: OpenCall): RegisterCall['effect'] {
  if (write === null) return { kind: 'read', value: readValue };
  const { value, expects } = write;
  return expects === null ? { kind: 'write', value } : { kind: 'conditionalWrite', expects, value };
}

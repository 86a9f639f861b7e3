/**
 * Everything that clients asked of documents and were told, and what must hold of it: what is read was written by somebody, and all
 * acknowledged writes of a document have an order that explains every answer and the value that it has in the end.
 */
import { isLinearizable, type RegisterCall } from '@shoal/simulation';
import { demand } from './violation.test-support.ts';

/** Place of an operation in the history of its shard. */
export interface Numbered {
  readonly seqNo: number;
  readonly term: number;
}

/** A document as it was shown, by its value, which only one write has. */
export interface Shown extends Numbered {
  readonly value: string;
}

export type WriteOutcome =
  | { readonly kind: 'done'; readonly effect: RegisterCall['effect']; readonly at: Numbered | null }
  /** It may take effect at any later time or never. */
  | { readonly kind: 'unknown' }
  /** It was refused, and nothing was done. */
  | { readonly kind: 'nothing' };

export class History {
  /** Writes that were acknowledged. */
  acknowledgedCount = 0;
  unknownCount = 0;
  /** Answers that came after their client had gone on. */
  lateCount = 0;
  readonly #calls = new Map<string, RegisterCall[]>();
  /** Values that writes were called with, by document. */
  readonly #values = new Map<string, Set<string>>();
  /** Values by document, sequence number and term. */
  readonly #operations = new Map<string, string>();

  get keys(): readonly string[] {
    return [...this.#calls.keys()];
  }

  /** A write begins: from now on its value may be seen. */
  began(key: string, value: string | null): void {
    const values = this.#values.get(key) ?? new Set();
    if (value !== null) values.add(value);
    this.#values.set(key, values);
  }

  /** @returns the call of which nobody knows the outcome; null when it is known */
  ended(key: string, { effect, calledAt, returnedAt }: RegisterCall, outcome: WriteOutcome): RegisterCall | null {
    if (outcome.kind === 'nothing') return null;
    if (outcome.kind === 'done') {
      this.#done(key, { calledAt, returnedAt, effect: outcome.effect }, outcome.at);
      return null;
    }
    this.unknownCount += 1;
    const unknown = { calledAt, returnedAt: Number.POSITIVE_INFINITY, effect };
    this.#add(key, unknown);
    return unknown;
  }

  /** The answer came after all: from now on the outcome of the call is known. */
  endedLate(key: string, unknown: RegisterCall, outcome: WriteOutcome, returnedAt: number): void {
    if (outcome.kind === 'unknown') return;
    const calls = this.#calls.get(key) ?? [];
    const at = calls.indexOf(unknown);
    demand(at >= 0, () => `a call on ${key} is answered twice`);
    calls.splice(at, 1);
    this.unknownCount -= 1;
    this.lateCount += 1;
    if (outcome.kind === 'done') {
      this.#done(key, { calledAt: unknown.calledAt, returnedAt, effect: outcome.effect }, outcome.at);
    }
  }

  /** A document was shown to somebody, by a get or as a hit. */
  shown(key: string, { value, seqNo, term }: Shown): void {
    const known = this.#values.get(key);
    demand(known?.has(value) === true, () => `${key} is shown as ${value}, which nobody wrote`);
    this.#identified(key, { seqNo, term }, value);
  }

  /** The value that a document has when everything is over; null: it is not there. */
  final(key: string, value: string | null, nowMs: number): void {
    this.#add(key, { calledAt: nowMs, returnedAt: nowMs + 1, effect: { kind: 'read', value } });
  }

  checkOrders(): void {
    for (const [key, calls] of this.#calls) {
      demand(isLinearizable(calls), () => `no order of the calls on ${key} explains them:\n${printed(calls)}`);
    }
  }

  /** One (document, sequence number, term) is one operation, wherever it is seen. */
  #identified(key: string, { seqNo, term }: Numbered, value: string | null): void {
    const name = `${key} ${seqNo}/${term}`;
    const content = value ?? 'deleted';
    const known = this.#operations.get(name) ?? content;
    demand(known === content, () => `operation ${name} is ${known} and ${content}`);
    this.#operations.set(name, known);
  }

  #done(key: string, call: RegisterCall, at: Numbered | null): void {
    this.acknowledgedCount += 1;
    this.#add(key, call);
    if (at !== null) this.#identified(key, at, call.effect.value);
  }

  #add(key: string, call: RegisterCall): void {
    const calls = this.#calls.get(key) ?? [];
    calls.push(call);
    this.#calls.set(key, calls);
  }
}

function printed(calls: readonly RegisterCall[]): string {
  const lines = calls.map(({ calledAt, returnedAt, effect }) => {
    const expects = effect.kind === 'conditionalWrite' ? ` upon ${effect.expects}` : '';
    return `  ${calledAt.toFixed(1)}..${returnedAt.toFixed(1)} ${effect.kind} ${effect.value}${expects}`;
  });
  return lines.join('\n');
}

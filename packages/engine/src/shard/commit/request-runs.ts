/**
 * Runs of operations by the request that they are of, in columns: every write that a shard executes comes by here, and leaves nothing
 * for the collector of garbage.
 */
import { assert } from '@shoal/core';
import { RECORDED_RESULTS, RequestToken, type WriteResult } from '@shoal/shard-api';

type Done = Extract<WriteResult, { readonly kind: 'done' }>;

/** Operations of one request, position after position and number after number. */
export interface RecentRun extends Pick<Done, 'version' | 'primaryTerm'> {
  readonly token: RequestToken;
  /** Position of the first one in its request. */
  readonly position: number;
  /** Number of the first one. */
  readonly seqNo: number;
  /** At least 1. */
  readonly count: number;
  readonly result: Exclude<Done['result'], 'noop'>;
}

export type RecentWrite = Omit<RecentRun, 'count'>;

const CAPACITY_MIN = 16;
/** Slots for each run: chains of slots stay short. */
const SLOTS_PER_RUN = 2;
const NONE = -1;
/** Odd, so that no two counts fall together; the golden ratio spreads neighbours. */
const SPREAD = 0x9e37_79b1;

/** Fields of a run in `#words`: words of the token, position, count, position behind the highest of its request up to it. */
const ROW = 6;
const POSITION = 3;
const COUNT = 4;
const END = 5;
/** Fields of a run in `#numbers`. */
const NUMBERS = 3;
const SEQ_NO = 0;
const VERSION = 1;
const TERM = 2;

export class RequestRuns {
  /** Runs. */
  size = 0;
  /** Somebody looked at this time and has added nothing since; null: nobody has. */
  seenMs: number | null = null;
  #words = new Uint32Array(CAPACITY_MIN * ROW);
  #numbers = new Float64Array(CAPACITY_MIN * NUMBERS);
  #results = new Uint8Array(CAPACITY_MIN);
  /** Run of the same request that was added before. */
  #before = new Int32Array(CAPACITY_MIN);
  /** Newest run of a request, by a hash of its token; open addressing. */
  #slots = new Int32Array(CAPACITY_MIN * SLOTS_PER_RUN).fill(NONE);
  /** Token that was looked for last, which the next operation is of as well, and its slot; null where it may have moved. */
  #lastToken: RequestToken | null = null;
  #lastSlot = 0;

  /** Operation at a position of a request; null: it is not here. */
  find(token: RequestToken, position: number): RecentWrite | null {
    if (this.size === 0) return null;
    const newest = this.#slots[this.#slotOf(token)] as number;
    // Every operation that is executed for the first time ends here.
    if (newest === NONE || position >= this.#word(newest, END)) return null;
    // What was executed twice, by a primary whose operation nobody else has, counts as the second one.
    for (let run = newest; run !== NONE; run = this.#before[run] as number) {
      const first = this.#word(run, POSITION);
      if (position >= first && position < first + this.#word(run, COUNT)) {
        const { count: _, ...found } = this.#run(run);
        return { ...found, position, seqNo: found.seqNo + position - first };
      }
    }
    return null;
  }

  add(write: RecentWrite, count: number): void {
    const { token, position } = write;
    assert(count > 0, 'a run of no writes');
    this.seenMs = null;
    let slot = this.#slotOf(token);
    const newest = this.#slots[slot] as number;
    const end = position + count;
    if (newest !== NONE && this.#continues(newest, write)) {
      this.#words[newest * ROW + COUNT] = this.#word(newest, COUNT) + count;
      this.#words[newest * ROW + END] = Math.max(this.#word(newest, END), end);
      return;
    }
    if (this.size === this.#results.length) {
      this.#grow();
      slot = this.#slotOf(token);
    }
    const run = this.size++;
    const { words } = token;
    this.#words[run * ROW] = words[0];
    this.#words[run * ROW + 1] = words[1];
    this.#words[run * ROW + 2] = words[2];
    this.#words[run * ROW + POSITION] = position;
    this.#words[run * ROW + COUNT] = count;
    this.#words[run * ROW + END] = newest === NONE ? end : Math.max(this.#word(newest, END), end);
    this.#numbers[run * NUMBERS + SEQ_NO] = write.seqNo;
    this.#numbers[run * NUMBERS + VERSION] = write.version;
    this.#numbers[run * NUMBERS + TERM] = write.primaryTerm;
    this.#results[run] = RECORDED_RESULTS.indexOf(write.result);
    this.#before[run] = newest;
    this.#slots[slot] = run;
  }

  /** Forgets all, and keeps the room for as many. */
  clear(): void {
    this.size = 0;
    this.seenMs = null;
    this.#slots.fill(NONE);
    this.#lastToken = null;
  }

  /** What is left without the operations above a number. */
  through(seqNo: number): RequestRuns {
    const kept = new RequestRuns();
    for (const run of this) {
      const count = Math.min(run.count, seqNo + 1 - run.seqNo);
      if (count > 0) kept.add(run, count);
    }
    return kept;
  }

  *[Symbol.iterator](): Generator<RecentRun> {
    for (let run = 0; run < this.size; run++) yield this.#run(run);
  }

  #run(run: number): RecentRun {
    const result = RECORDED_RESULTS[this.#results[run] as number];
    assert(result !== undefined, `run ${run} of ${this.size} has no result`);
    return {
      token: new RequestToken([this.#word(run, 0), this.#word(run, 1), this.#word(run, 2)]),
      position: this.#word(run, POSITION),
      count: this.#word(run, COUNT),
      seqNo: this.#number(run, SEQ_NO),
      version: this.#number(run, VERSION),
      primaryTerm: this.#number(run, TERM),
      result,
    };
  }

  #continues(run: number, { position, seqNo, version, primaryTerm, result }: RecentWrite): boolean {
    const count = this.#word(run, COUNT);
    return (
      position === this.#word(run, POSITION) + count &&
      seqNo === this.#number(run, SEQ_NO) + count &&
      version === this.#number(run, VERSION) &&
      primaryTerm === this.#number(run, TERM) &&
      result === RECORDED_RESULTS[this.#results[run] as number]
    );
  }

  #word(run: number, field: number): number {
    return this.#words[run * ROW + field] as number;
  }

  #number(run: number, field: number): number {
    return this.#numbers[run * NUMBERS + field] as number;
  }

  /** Slot of a token, or the empty one where it belongs. */
  #slotOf(token: RequestToken): number {
    if (this.#lastToken !== null && this.#lastToken.equals(token)) return this.#lastSlot;
    this.#lastToken = token;
    this.#lastSlot = this.#probe(token.words);
    return this.#lastSlot;
  }

  #probe([first, second, third]: RequestToken['words']): number {
    const mask = this.#slots.length - 1;
    const hash = Math.imul(third ^ Math.imul(first ^ second, SPREAD), SPREAD);
    for (let slot = (hash >>> 16) & mask; ; slot = (slot + 1) & mask) {
      const run = this.#slots[slot] as number;
      if (run === NONE) return slot;
      if (this.#word(run, 2) === third && this.#word(run, 1) === second && this.#word(run, 0) === first) return slot;
    }
  }

  #grow(): void {
    const capacity = this.#results.length * 2;
    this.#words = grown(this.#words, new Uint32Array(capacity * ROW));
    this.#numbers = grown(this.#numbers, new Float64Array(capacity * NUMBERS));
    this.#results = grown(this.#results, new Uint8Array(capacity));
    this.#before = grown(this.#before, new Int32Array(capacity));
    this.#slots = new Int32Array(capacity * SLOTS_PER_RUN).fill(NONE);
    this.#lastToken = null;
    // In the order in which they came: the newest one of each request stays.
    for (let run = 0; run < this.size; run++) {
      this.#slots[this.#probe([this.#word(run, 0), this.#word(run, 1), this.#word(run, 2)])] = run;
    }
  }
}

function grown<Column extends Uint8Array | Int32Array | Uint32Array | Float64Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}

/**
 * An automaton over bytes as one that is always in one state: its states are sets of those of a `ByteNfa`, made when they
 * are first entered, as long as the pattern has work left.
 *
 * Every state leads to an accepted text: a byte that leads nowhere is known at once, which is what seeking in a sorted
 * dictionary needs.
 */
import { assert } from '@shoal/core';
import type { AutomatonEffort } from './automaton-effort.ts';
import type { ByteNfa } from './byte-nfa.ts';

/** No state: nothing that begins so is accepted. */
export const DEAD = -1;
const UNKNOWN = -2;

export class LazyDfa {
  readonly start: number;
  private readonly nfa: ByteNfa;
  private readonly effort: AutomatonEffort;
  /** Bytes that no edge tells apart are one class; classes ascend with their bytes. */
  private readonly classOf = new Uint8Array(256);
  private readonly firstOfClass: number[] = [];
  private readonly sets: Uint32Array[] = [];
  private readonly accepts: boolean[] = [];
  private readonly universals: boolean[] = [];
  private readonly ids = new Map<string, number>();
  /** By state and class. */
  private table = new Int32Array(0);
  /** 1 for the states of the set that is being made. */
  private readonly marks: Uint8Array;

  constructor(nfa: ByteNfa, effort: AutomatonEffort) {
    assert(nfa.start < nfa.empties.length, `start ${nfa.start} of ${nfa.empties.length} states`);
    assert(
      nfa.edgeStarts.length === nfa.empties.length + 1,
      `${nfa.edgeStarts.length} edge starts of ${nfa.empties.length} states`,
    );
    this.nfa = nfa;
    this.effort = effort;
    this.marks = new Uint8Array(nfa.empties.length);
    this.splitBytes();
    this.start = this.stateOf([nfa.start]);
  }

  get size(): number {
    return this.sets.length;
  }

  get classCount(): number {
    return this.firstOfClass.length;
  }

  /** First byte of a class. */
  classStart(index: number): number {
    return this.firstOfClass[index] ?? 256;
  }

  isAccepting(state: number): boolean {
    return this.accepts[state] === true;
  }

  /** Everything that begins as what led here is accepted. */
  isUniversal(state: number): boolean {
    return this.universals[state] === true;
  }

  step(state: number, byte: number): number {
    const at = state * this.firstOfClass.length + (this.classOf[byte] as number);
    const known = this.table[at] as number;
    return known === UNKNOWN ? this.enter(state, byte, at) : known;
  }

  /** The least byte >= `from` that does not end in a dead state; -1 when there is none. */
  nextByte(state: number, from: number): number {
    if (from > 255) return -1;
    for (let c = this.classOf[from] as number; c < this.firstOfClass.length; c++) {
      const byte = Math.max(from, this.firstOfClass[c] as number);
      if (this.step(state, byte) !== DEAD) return byte;
    }
    return -1;
  }

  /** Whether the bytes from..to - 1 are accepted. */
  matches(bytes: Uint8Array, from = 0, to: number = bytes.length): boolean {
    let state = this.start;
    for (let i = from; i < to && state !== DEAD; i++) state = this.step(state, bytes[i] as number);
    return state !== DEAD && this.isAccepting(state);
  }

  /** Makes every state that can be reached. @throws ShoalError when they are too many */
  exploreAll(): void {
    for (let state = 0; state < this.sets.length; state++) {
      for (const byte of this.firstOfClass) this.step(state, byte);
    }
  }

  private splitBytes(): void {
    const { lows, highs } = this.nfa;
    const isFirst = new Uint8Array(257);
    isFirst[0] = 1;
    for (let e = 0; e < lows.length; e++) {
      isFirst[lows[e] as number] = 1;
      isFirst[(highs[e] as number) + 1] = 1;
    }
    for (let byte = 0; byte < 256; byte++) {
      if (isFirst[byte] === 1) this.firstOfClass.push(byte);
      this.classOf[byte] = this.firstOfClass.length - 1;
    }
  }

  private enter(state: number, byte: number, at: number): number {
    const { edgeStarts, lows, highs, targets } = this.nfa;
    const found: number[] = [];
    for (const from of this.sets[state] ?? []) {
      const end = edgeStarts[from + 1] as number;
      for (let e = edgeStarts[from] as number; e < end; e++) {
        if ((lows[e] as number) <= byte && byte <= (highs[e] as number)) found.push(targets[e] as number);
      }
    }
    const next = found.length === 0 ? DEAD : this.stateOf(found);
    this.table[at] = next;
    return next;
  }

  private stateOf(seeds: readonly number[]): number {
    const { nfa, marks } = this;
    const reached: number[] = [];
    const waiting = [...seeds];
    for (let s = waiting.pop(); s !== undefined; s = waiting.pop()) {
      if (marks[s] === 1) continue;
      marks[s] = 1;
      reached.push(s);
      for (const next of nfa.empties[s] ?? []) waiting.push(next);
    }
    for (const s of reached) marks[s] = 0;
    this.effort.take(reached.length);
    const isUniversal = reached.some((s) => nfa.isUniversal[s] === 1);
    // States that only lead on without reading make no difference.
    const core = reached.filter((s) => s === nfa.accept || nfa.edgeStarts[s] !== nfa.edgeStarts[s + 1]);
    const set = Uint32Array.from(core).sort();
    const key = set.join(',');
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.sets.length;
    if (id >= this.effort.statesMax) throw this.effort.tooComplex();
    this.ids.set(key, id);
    this.sets.push(set);
    this.accepts.push(core.includes(nfa.accept));
    this.universals.push(isUniversal);
    this.growTable();
    return id;
  }

  private growTable(): void {
    const needed = this.sets.length * this.firstOfClass.length;
    assert(this.firstOfClass.length > 0, 'bytes are in no class');
    if (needed <= this.table.length) return;
    const grown = new Int32Array(Math.max(1024, needed * 2)).fill(UNKNOWN);
    grown.set(this.table);
    this.table = grown;
  }
}

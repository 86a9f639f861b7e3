/**
 * The terms of a sorted dictionary that an automaton of edits accepts, found range by range.
 *
 * Terms that begin alike stand side by side: of a range that shares its first bytes only the next byte is looked at, so that a
 * search in the dictionary compares one byte a step, and what leads nowhere is passed over with the whole range behind it.
 * Ranges of a few terms are read term by term. Nothing is allocated for a term.
 */
import { DEAD, type LazyDfa } from '@shoal/automata';
import { assert } from '@shoal/core';
import type { TermDictionary } from '../../format/reader/segment-reader.ts';
import { PREFIX_STRIDE, type TermPrefixes } from '../../format/reader/term-prefixes.ts';

/** Ranges up to this size are read term by term. */
const FEW_TERMS = 16;
/** Numbers of one waiting range: first ordinal, that behind its last, bytes shared, and the state after those. */
const RANGE_NUMBERS = 4;

/** Calls `found` with where each accepted term begins and ends in the bytes of the dictionary; in no particular order. */
export function walkNearTerms(terms: TermDictionary, dfa: LazyDfa, found: (from: number, to: number) => void): void {
  new NearTermWalk(terms, dfa, found).run(terms.size, terms.prefixes());
}

class NearTermWalk {
  private readonly bytes: Uint8Array;
  private readonly starts: Uint32Array;
  private readonly termLength: number;
  private readonly dfa: LazyDfa;
  private readonly found: (from: number, to: number) => void;
  private readonly waiting: number[] = [];

  constructor(terms: TermDictionary, dfa: LazyDfa, found: (from: number, to: number) => void) {
    const { termBytes, termStarts, termLength } = terms.sorted();
    this.bytes = termBytes;
    this.starts = termStarts;
    this.termLength = termLength;
    this.dfa = dfa;
    this.found = found;
  }

  run(size: number, prefixes: TermPrefixes | null): void {
    const lastPrefix = prefixes === null ? size : prefixes.firsts[prefixes.count];
    assert(lastPrefix === size, `prefixes of ${lastPrefix} of ${size} terms`);
    if (prefixes === null) this.walk(0, size, 0, this.dfa.start);
    else this.byPrefix(prefixes);
  }

  private byPrefix({ count, bytes, lengths, shared, firsts }: TermPrefixes): void {
    const { dfa } = this;
    /** After so many bytes of the beginning at hand. */
    const states = new Int32Array(PREFIX_STRIDE + 1).fill(dfa.start);
    /** The byte that left the automaton: beginnings that share it leave too. */
    let left = PREFIX_STRIDE;
    for (let i = 0; i < count; i++) {
      let at = shared[i] as number;
      if (at > left) continue;
      left = PREFIX_STRIDE;
      const length = lengths[i] as number;
      let state = states[at] as number;
      for (; at < length; at++) {
        state = dfa.step(state, bytes[i * PREFIX_STRIDE + at] as number);
        if (state === DEAD) {
          left = at;
          break;
        }
        states[at + 1] = state;
      }
      if (state !== DEAD) this.walk(firsts[i] as number, firsts[i + 1] as number, length, state);
    }
  }

  private walk(first: number, last: number, shared: number, from: number): void {
    const { waiting } = this;
    this.range(first, last, shared, from);
    while (waiting.length >= RANGE_NUMBERS) {
      const state = waiting.pop() as number;
      const depth = waiting.pop() as number;
      const high = waiting.pop() as number;
      this.range(waiting.pop() as number, high, depth, state);
    }
  }

  private startOf(ordinal: number): number {
    return this.termLength === 0 ? (this.starts[ordinal] as number) : ordinal * this.termLength;
  }

  private byteAt(ordinal: number, depth: number): number {
    return this.bytes[this.startOf(ordinal) + depth] as number;
  }

  /** Terms low..high - 1, whose first `depth` bytes are the same and lead to `state`. */
  private range(first: number, high: number, shared: number, from: number): void {
    const { dfa } = this;
    let low = first;
    let depth = shared;
    let state = from;
    while (high - low > FEW_TERMS) {
      // The shortest stands first.
      if (this.startOf(low + 1) - this.startOf(low) === depth) {
        if (dfa.isAccepting(state)) this.found(this.startOf(low), this.startOf(low + 1));
        low++;
        continue;
      }
      const byte = this.byteAt(low, depth);
      if (byte !== this.byteAt(high - 1, depth)) {
        this.split(low, high, depth, state);
        return;
      }
      state = dfa.step(state, byte);
      if (state === DEAD) return;
      depth++;
    }
    this.follow(low, high, depth, state);
  }

  /** Does what `range` does, for terms that all have a byte behind those. */
  private split(first: number, high: number, depth: number, state: number): void {
    const { dfa, waiting } = this;
    let low = first;
    while (low < high) {
      const byte = this.byteAt(low, depth);
      const next = dfa.step(state, byte);
      if (next === DEAD) {
        const wanted = dfa.nextByte(state, byte + 1);
        if (wanted < 0) return;
        low = this.seek(low + 1, high, depth, wanted);
      } else {
        const end = this.seek(low + 1, high, depth, byte + 1);
        waiting.push(low, end, depth + 1, next);
        low = end;
      }
    }
  }

  /** The first term of from..high - 1 whose byte is at least `wanted`; `high` when there is none. */
  private seek(from: number, high: number, depth: number, wanted: number): number {
    const { bytes, starts, termLength } = this;
    let low = from;
    let above = high;
    for (let step = 1; low < high; step *= 2) {
      const at = low + step - 1;
      if (at >= high) break;
      const start = termLength === 0 ? (starts[at] as number) : at * termLength;
      if ((bytes[start + depth] as number) >= wanted) {
        above = at;
        break;
      }
      low = at + 1;
    }
    while (low < above) {
      const middle = (low + above) >>> 1;
      const start = termLength === 0 ? (starts[middle] as number) : middle * termLength;
      if ((bytes[start + depth] as number) < wanted) low = middle + 1;
      else above = middle;
    }
    return low;
  }

  /** Reads the terms low..high - 1 from `depth` on. */
  private follow(low: number, high: number, depth: number, from: number): void {
    const { dfa, bytes } = this;
    let end = this.startOf(low);
    for (let ordinal = low; ordinal < high; ordinal++) {
      const start = end;
      end = this.startOf(ordinal + 1);
      let state = from;
      for (let at = start + depth; at < end && state !== DEAD; at++) state = dfa.step(state, bytes[at] as number);
      if (state !== DEAD && dfa.isAccepting(state)) this.found(start, end);
    }
  }
}

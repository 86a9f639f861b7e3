/**
 * The terms of a sorted dictionary that an automaton accepts, found by seeking.
 *
 * Where a term leaves the automaton, the next text that could stay in it is known, and the dictionary is searched for it:
 * whole ranges that cannot match are never looked at. Terms share the steps of the beginning that they share.
 */
import { DEAD, type LazyDfa } from '@shoal/automata';
import { assert, runSteps, type Steps } from '@shoal/core';
import type { TermDictionary } from '../../format/reader/segment-reader.ts';

/** Room for the first term; grows with longer ones. */
const TERM_BYTES_START = 256;

/** Ranges of ordinals: starts and ends (exclusive) by turns, ascending, neither empty nor touching. */
export type OrdinalRuns = readonly number[];

/** Terms looked at in one step, about a millisecond. */
const TERMS_A_STEP = 1_024;

/** Form of terms that the automaton is about, whose order is not that of the terms; null: the terms themselves. */
export type ShownTerm = ((term: Uint8Array) => Uint8Array) | null;

export function matchingTerms(terms: TermDictionary, dfa: LazyDfa, shown: ShownTerm = null): OrdinalRuns {
  return runSteps(matchingTermsInSteps(terms, dfa, shown));
}

export function matchingTermsInSteps(terms: TermDictionary, dfa: LazyDfa, shown: ShownTerm = null): Steps<OrdinalRuns> {
  return shown === null ? new TermWalk(terms, dfa).run() : matchingShownTerms(terms, dfa, shown);
}

/** Every term is looked at: where the automaton rules one out says nothing of the next. */
function* matchingShownTerms(terms: TermDictionary, dfa: LazyDfa, shown: NonNullable<ShownTerm>): Steps<OrdinalRuns> {
  const runs: number[] = [];
  for (let ordinal = 0; ordinal < terms.size; ordinal++) {
    if (dfa.matches(shown(terms.term(ordinal)))) addRun(runs, ordinal, ordinal + 1);
    if ((ordinal + 1) % TERMS_A_STEP === 0) yield;
  }
  return runs;
}

/** Adds a range behind all others, as one with the last where they touch. */
function addRun(runs: number[], from: number, to: number): void {
  if (runs.length > 0 && runs[runs.length - 1] === from) runs[runs.length - 1] = to;
  else runs.push(from, to);
}

/** Every ordinal of the runs, ascending. */
export function* ordinalsOf(runs: OrdinalRuns): Generator<number> {
  for (let i = 0; i < runs.length; i += 2) {
    for (let ordinal = runs[i] ?? 0; ordinal < (runs[i + 1] ?? 0); ordinal++) yield ordinal;
  }
}

class TermWalk {
  private readonly terms: TermDictionary;
  private readonly dfa: LazyDfa;
  private readonly runs: number[] = [];
  /** Bytes of the last term as far as they were read, and the state before each of them. */
  private bytes = new Uint8Array(TERM_BYTES_START);
  private states = new Int32Array(TERM_BYTES_START + 1);
  private read = 0;

  constructor(terms: TermDictionary, dfa: LazyDfa) {
    this.terms = terms;
    this.dfa = dfa;
    this.states[0] = dfa.start;
  }

  *run(): Steps<OrdinalRuns> {
    const { terms, dfa } = this;
    if (dfa.isUniversal(dfa.start)) return terms.size === 0 ? [] : [0, terms.size];
    let ordinal = 0;
    let looked = 0;
    while (ordinal < terms.size) {
      if (++looked % TERMS_A_STEP === 0) yield;
      const term = terms.term(ordinal);
      if (term.length >= this.bytes.length) this.grow(term.length * 2);
      const isAlive = this.follow(term);
      const state = this.states[this.read] as number;
      if (dfa.isUniversal(state)) ordinal = this.addAllWithPrefix(ordinal);
      else if (isAlive) {
        if (dfa.isAccepting(state)) addRun(this.runs, ordinal, ordinal + 1);
        ordinal++;
      } else {
        const target = this.nextCandidate(term[this.read] as number);
        if (target === null) break;
        ordinal = terms.ceiling(target, ordinal + 1);
      }
    }
    const end = this.runs.at(-1) ?? 0;
    assert(
      end <= terms.size && this.runs.length % 2 === 0,
      `${this.runs.length} ends up to ${end} of ${terms.size} terms`,
    );
    return this.runs;
  }

  private grow(length: number): void {
    const bytes = new Uint8Array(length);
    bytes.set(this.bytes);
    this.bytes = bytes;
    const states = new Int32Array(length + 1);
    states.set(this.states);
    this.states = states;
  }

  /** Reads the term from where it differs from the last one; false when it leaves the automaton at byte `read`. */
  private follow(term: Uint8Array): boolean {
    const { bytes, states, dfa } = this;
    let at = 0;
    while (at < this.read && at < term.length && bytes[at] === term[at]) at++;
    while (at < term.length && !dfa.isUniversal(states[at] as number)) {
      const byte = term[at] as number;
      const next = dfa.step(states[at] as number, byte);
      if (next === DEAD) {
        this.read = at;
        return false;
      }
      bytes[at++] = byte;
      states[at] = next;
    }
    this.read = at;
    return true;
  }

  private addAllWithPrefix(ordinal: number): number {
    const after = this.nextAfter(this.read - 1, (byte) => (byte < 255 ? byte + 1 : -1));
    const end = after === null ? this.terms.size : this.terms.ceiling(after, ordinal + 1);
    addRun(this.runs, ordinal, end);
    return end;
  }

  /** The least text behind the current term, which left at `byte`, that the automaton does not rule out. */
  private nextCandidate(byte: number): Uint8Array | null {
    const { dfa, states, bytes } = this;
    bytes[this.read] = byte;
    return this.nextAfter(this.read, (last, at) => dfa.nextByte(states[at] as number, last + 1));
  }

  /** The text up to a place, with a greater byte there; the later the place the lesser the text. */
  private nextAfter(from: number, greater: (byte: number, at: number) => number): Uint8Array | null {
    for (let at = from; at >= 0; at--) {
      const byte = greater(this.bytes[at] as number, at);
      if (byte < 0) continue;
      const text = this.bytes.slice(0, at + 1);
      text[at] = byte;
      return text;
    }
    return null;
  }
}

/**
 * A finite automaton over the bytes of UTF-8 text, not yet deterministic: what patterns are compiled to.
 *
 * Built piece by piece: a piece leads from one state to another, and pieces are joined by steps that read nothing. The
 * number of states is bounded, since a short pattern may describe a huge automaton.
 */
import { assert } from '@shoal/core';
import type { AutomatonEffort } from './automaton-effort.ts';
import { byteSequences } from './utf8-ranges.ts';

/** States of one pattern, before anything is made deterministic. */
const STATES_MAX = 50_000;

export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** States that read the rest of a character: of one, two and three bytes. */
interface Tails {
  readonly one: number;
  readonly two: number;
  readonly three: number;
}

/** The finished automaton: edges by state, states that lead nowhere left out. */
export interface ByteNfa {
  readonly start: number;
  readonly accept: number;
  /** Edges of state s stand at edgeStarts[s] .. edgeStarts[s + 1] - 1. */
  readonly edgeStarts: Uint32Array;
  readonly lows: Uint8Array;
  readonly highs: Uint8Array;
  readonly targets: Uint32Array;
  readonly empties: readonly (readonly number[])[];
  /** 1: whatever follows is accepted. */
  readonly isUniversal: Uint8Array;
}

export class ByteNfaBuilder {
  private readonly froms: number[] = [];
  private readonly lows: number[] = [];
  private readonly highs: number[] = [];
  private readonly targets: number[] = [];
  private readonly empties: number[][] = [];
  private readonly tails = new Map<number, Tails>();
  private readonly loops: number[] = [];
  private readonly effort: AutomatonEffort;

  constructor(effort: AutomatonEffort) {
    this.effort = effort;
  }

  state(): number {
    if (this.empties.length >= STATES_MAX) throw this.effort.tooComplex();
    return this.empties.push([]) - 1;
  }

  edge(from: number, low: number, high: number, to: number): void {
    this.froms.push(from);
    this.lows.push(low);
    this.highs.push(high);
    this.targets.push(to);
  }

  /** A step that reads nothing. */
  join(from: number, to: number): void {
    this.empties[from]?.push(to);
  }

  bytes(bytes: Uint8Array): Piece {
    const start = this.state();
    let end = start;
    for (const byte of bytes) {
      const next = this.state();
      this.edge(end, byte, byte, next);
      end = next;
    }
    return { start, end };
  }

  /** One character out of a range of code points, both ends included. */
  characters(from: number, low: number, high: number, to: number): void {
    for (const sequence of byteSequences(low, high)) {
      let at = from;
      for (const [i, range] of sequence.entries()) {
        const next = i === sequence.length - 1 ? to : this.state();
        this.edge(at, range.low, range.high, next);
        at = next;
      }
    }
  }

  /** Any one character. Terms are well-formed, so that bytes are only counted. */
  anyCharacter(from: number, to: number): void {
    let tails = this.tails.get(to);
    if (!tails) {
      tails = { one: this.state(), two: this.state(), three: this.state() };
      this.tails.set(to, tails);
      this.edge(tails.three, 0x80, 0xbf, tails.two);
      this.edge(tails.two, 0x80, 0xbf, tails.one);
      this.edge(tails.one, 0x80, 0xbf, to);
    }
    this.edge(from, 0x00, 0x7f, to);
    this.edge(from, 0xc0, 0xdf, tails.one);
    this.edge(from, 0xe0, 0xef, tails.two);
    this.edge(from, 0xf0, 0xff, tails.three);
  }

  /** Any text, the empty one included. */
  anyText(): Piece {
    const loop = this.state();
    this.anyCharacter(loop, loop);
    this.loops.push(loop);
    return { start: loop, end: loop };
  }

  finish({ start, end }: Piece): ByteNfa {
    const states = this.empties.length;
    assert(start < states && end < states, `a piece from ${start} to ${end} of ${states} states`);
    // Whatever is accepted ends in a state of its own, so that it is one.
    const accept = this.state();
    this.join(end, accept);
    const useful = this.statesLeadingTo(accept);
    const count = this.empties.length;
    const edgeStarts = new Uint32Array(count + 1);
    const kept: number[] = [];
    for (let e = 0; e < this.froms.length; e++) {
      if (useful[this.targets[e] as number] !== 1) continue;
      kept.push(e);
      const after = (this.froms[e] as number) + 1;
      edgeStarts[after] = (edgeStarts[after] as number) + 1;
    }
    for (let s = 0; s < count; s++) edgeStarts[s + 1] = (edgeStarts[s + 1] as number) + (edgeStarts[s] as number);
    kept.sort((a, b) => (this.froms[a] as number) - (this.froms[b] as number));
    const empties = this.empties.map((targets) => targets.filter((to) => useful[to] === 1));
    const nfa: ByteNfa = {
      start,
      accept,
      edgeStarts,
      lows: Uint8Array.from(kept, (e) => this.lows[e] as number),
      highs: Uint8Array.from(kept, (e) => this.highs[e] as number),
      targets: Uint32Array.from(kept, (e) => this.targets[e] as number),
      empties,
      isUniversal: new Uint8Array(count),
    };
    for (const loop of this.loops) if (reachesEmptily(nfa, loop, accept)) nfa.isUniversal[loop] = 1;
    assert(kept.length === edgeStarts[count], `${kept.length} edges are not ${edgeStarts[count]}`);
    return nfa;
  }

  private statesLeadingTo(accept: number): Uint8Array {
    const before: number[][] = this.empties.map(() => []);
    for (const [e, to] of this.targets.entries()) before[to]?.push(this.froms[e] as number);
    for (const [from, targets] of this.empties.entries()) for (const to of targets) before[to]?.push(from);
    const useful = new Uint8Array(this.empties.length);
    const waiting = [accept];
    useful[accept] = 1;
    for (let s = waiting.pop(); s !== undefined; s = waiting.pop()) {
      for (const from of before[s] ?? []) {
        if (useful[from] === 1) continue;
        useful[from] = 1;
        waiting.push(from);
      }
    }
    return useful;
  }
}

function reachesEmptily(nfa: ByteNfa, from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const state of seen) {
    if (state === to) return true;
    for (const next of nfa.empties[state] ?? []) seen.add(next);
  }
  return false;
}

/**
 * A tree of a pattern to an automaton.
 *
 * What is not (`~`) and what is both (`&`) need deterministic automata of their parts: those are made here, as bounded as
 * the whole, and become part of it.
 */
import { unreachable } from '@shoal/core';
import type { AutomatonEffort } from './automaton-effort.ts';
import { type ByteNfa, ByteNfaBuilder, type Piece } from './byte-nfa.ts';
import { DEAD, LazyDfa } from './lazy-dfa.ts';
import { numberTexts } from './number-interval.ts';
import { type CharacterRange, type Expression, invertedRanges } from './regexp-syntax.ts';

export interface ExpressionOptions {
  /** Letters of ASCII match in both cases; others as they are written. */
  readonly ignoresCase: boolean;
  /** Work that the parts and the whole may cost together. */
  readonly effort: AutomatonEffort;
}

export function expressionNfa(expression: Expression, options: ExpressionOptions): ByteNfa {
  const builder = new ByteNfaBuilder(options.effort);
  return builder.finish(new ExpressionCompiler(builder, options).piece(expression));
}

class ExpressionCompiler {
  private readonly to: ByteNfaBuilder;
  private readonly options: ExpressionOptions;

  constructor(to: ByteNfaBuilder, options: ExpressionOptions) {
    this.to = to;
    this.options = options;
  }

  piece(expression: Expression): Piece {
    switch (expression.kind) {
      case 'text':
        return this.text(expression.text);
      case 'characters':
        return this.characters(expression.ranges, expression.isNegated === true);
      case 'anyCharacter': {
        const piece = this.empty();
        this.to.anyCharacter(piece.start, piece.end);
        return piece;
      }
      case 'anyText':
        return this.to.anyText();
      case 'nothing':
        return this.empty();
      case 'union':
        return this.union(expression.parts);
      case 'concatenation':
        return this.sequence(expression.parts.map((part) => this.piece(part)));
      case 'repetition':
        return this.repetition(expression.of, expression.min, expression.max);
      case 'numbers':
        return this.piece(numberTexts(expression));
      case 'complement':
        return this.product(this.dfaOf(expression.of), anyTextDfa(this.options.effort), (a, b) => !a && b);
      case 'intersection':
        return this.product(this.dfaOf(expression.left), this.dfaOf(expression.right), (a, b) => a && b);
      default:
        return unreachable(expression);
    }
  }

  /** Two states that nothing joins yet. */
  private empty(): Piece {
    return { start: this.to.state(), end: this.to.state() };
  }

  private text(text: string): Piece {
    const { to } = this;
    const start = to.state();
    let end = start;
    for (const c of text) {
      const next = to.state();
      for (const { low, high } of this.withCases([rangeOf(c)])) to.characters(end, low, high, next);
      end = next;
    }
    return { start, end };
  }

  private characters(ranges: readonly CharacterRange[], isNegated: boolean): Piece {
    const piece = this.empty();
    const meant = this.withCases(ranges);
    for (const { low, high } of isNegated ? invertedRanges(meant) : meant)
      this.to.characters(piece.start, low, high, piece.end);
    return piece;
  }

  /** Single letters in both cases; ranges stay as they are, as Lucene leaves them. */
  private withCases(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
    if (!this.options.ignoresCase) return ranges;
    return ranges.flatMap((range) => {
      const letter = String.fromCodePoint(range.low);
      if (range.low !== range.high || !/^[a-zA-Z]$/.test(letter)) return [range];
      return [rangeOf(letter.toLowerCase()), rangeOf(letter.toUpperCase())];
    });
  }

  private union(parts: readonly Expression[]): Piece {
    const whole = this.empty();
    for (const part of parts) {
      const { start, end } = this.piece(part);
      this.to.join(whole.start, start);
      this.to.join(end, whole.end);
    }
    return whole;
  }

  private sequence(pieces: readonly Piece[]): Piece {
    const start = this.to.state();
    let end = start;
    for (const piece of pieces) {
      this.to.join(end, piece.start);
      end = piece.end;
    }
    return { start, end };
  }

  private repetition(of: Expression, min: number, max: number | null): Piece {
    if (max !== null && max < min) return this.empty();
    if (of.kind === 'anyCharacter' && max === null) {
      const once: Expression = { kind: 'anyCharacter' };
      const required = Array.from({ length: Math.min(min, this.options.effort.statesMax) }, () => this.piece(once));
      return this.sequence([...required, this.to.anyText()]);
    }
    const { to } = this;
    const start = to.state();
    let end = start;
    for (let i = 0; i < min; i++) {
      const piece = this.piece(of);
      to.join(end, piece.start);
      end = piece.end;
    }
    return max === null ? this.withLoop(start, end, of) : this.withOptional(start, end, of, max - min);
  }

  private withLoop(start: number, from: number, of: Expression): Piece {
    const { to } = this;
    const hub = to.state();
    to.join(from, hub);
    const piece = this.piece(of);
    to.join(hub, piece.start);
    to.join(piece.end, hub);
    return { start, end: hub };
  }

  private withOptional(start: number, from: number, of: Expression, count: number): Piece {
    const { to } = this;
    const end = to.state();
    let at = from;
    to.join(at, end);
    for (let i = 0; i < count; i++) {
      const piece = this.piece(of);
      to.join(at, piece.start);
      to.join(piece.end, end);
      at = piece.end;
    }
    return { start, end };
  }

  private dfaOf(expression: Expression): LazyDfa {
    const dfa = new LazyDfa(expressionNfa(expression, this.options), this.options.effort);
    dfa.exploreAll();
    return dfa;
  }

  /** Both automata side by side, as far as `accepts` may still hold. */
  private product(a: LazyDfa, b: LazyDfa, accepts: (a: boolean, b: boolean) => boolean): Piece {
    const { to } = this;
    const { effort } = this.options;
    const whole = this.empty();
    const firsts = firstBytes(a, b);
    const states = new Map<string, { readonly a: number; readonly b: number; readonly state: number }>();
    const enter = (stateA: number, stateB: number): number => {
      const key = `${stateA},${stateB}`;
      const known = states.get(key);
      if (known) return known.state;
      if (states.size >= effort.statesMax) throw effort.tooComplex();
      const state = to.state();
      states.set(key, { a: stateA, b: stateB, state });
      if (accepts(isAccepting(a, stateA), isAccepting(b, stateB))) to.join(state, whole.end);
      return state;
    };
    to.join(whole.start, enter(a.start, b.start));
    for (const from of states.values()) {
      effort.take(firsts.length);
      for (const [i, first] of firsts.entries()) {
        const next = enter(stepOf(a, from.a, first), stepOf(b, from.b, first));
        to.edge(from.state, first, (firsts[i + 1] ?? 256) - 1, next);
      }
    }
    return whole;
  }
}

/** Texts of whole characters: what is not a pattern is still a text. */
function anyTextDfa(effort: AutomatonEffort): LazyDfa {
  const builder = new ByteNfaBuilder(effort);
  return new LazyDfa(builder.finish(builder.anyText()), effort);
}

function rangeOf(c: string): CharacterRange {
  const point = c.codePointAt(0) ?? 0;
  return { low: point, high: point };
}

function stepOf(dfa: LazyDfa, state: number, byte: number): number {
  return state === DEAD ? DEAD : dfa.step(state, byte);
}

function isAccepting(dfa: LazyDfa, state: number): boolean {
  return state !== DEAD && dfa.isAccepting(state);
}

/** Bytes at which a class of either automaton begins. */
function firstBytes(a: LazyDfa, b: LazyDfa): number[] {
  const firsts = new Set<number>();
  for (const dfa of [a, b]) for (let c = 0; c < dfa.classCount; c++) firsts.add(dfa.classStart(c));
  return [...firsts].sort((x, y) => x - y);
}

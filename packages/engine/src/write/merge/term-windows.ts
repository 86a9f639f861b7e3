/**
 * Windows over the terms of all inputs of a merge: the terms that stand between the same two in each of them, so that windows are
 * merged one after the other and no more of an input is in memory than its share.
 */
import { assert } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { FlatTerms } from '../../format/terms/flat-terms.ts';
import { InputTerms } from './input-terms.ts';

/** Bytes of a window at least, however many inputs share. */
const BYTES_MIN = 64 * 1024;

export class TermWindows {
  /** Inputs; null: it has no terms of the field. */
  readonly inputs: readonly (InputTerms | null)[];
  /** The window is one term, whose blocks alone are more than a share. */
  isLongTerm = false;
  /** Share of an input. */
  readonly bytes: number;

  /** `bytes`: of the windows of all inputs together. */
  constructor(terms: readonly (FlatTerms | null)[], bytes: number) {
    this.inputs = terms.map((one) => one && new InputTerms(one));
    assert(bytes > 0, `windows of ${bytes} bytes`);
    this.bytes = Math.min(bytes, Math.max(BYTES_MIN, bytes / terms.length));
  }

  /** Moves on to the terms behind; false when there are none. */
  next(): boolean {
    const left: InputTerms[] = [];
    let key: Uint8Array | null = null;
    for (const input of this.inputs) {
      if (input === null) continue;
      input.pass();
      input.look(this.bytes);
      if (input.isAtEnd) continue;
      left.push(input);
      if (input.reach === input.terms.size) continue;
      const term = input.term(input.reach);
      if (key === null || compareBytes(term, 0, term.length, key) < 0) key = term.slice();
    }
    for (const input of left) input.to = key === null ? input.reach : input.ceiling(key);
    this.isLongTerm = key !== null && left.every(({ from, to }) => from === to);
    if (this.isLongTerm && key !== null) this.takeTerm(left, key);
    assert(left.length === 0 || left.some(({ from, to }) => from < to), 'a window of no terms');
    return left.length > 0;
  }

  /** The window of the one term `key`, which is the smallest that is left. */
  private takeTerm(left: readonly InputTerms[], key: Uint8Array): void {
    for (const input of left) {
      const term = input.term(input.from);
      if (compareBytes(term, 0, term.length, key) === 0) input.to = input.from + 1;
    }
  }
}

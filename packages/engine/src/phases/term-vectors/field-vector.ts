/**
 * Term vector of one field of one document: its terms with their places, found by analysing the text as it is indexed.
 */
import type { Analyzer } from '@shoal/analysis';
import { assert, illegalArgument } from '@shoal/core';
import type { TermVectorParts } from '@shoal/schema';
import { joinValues, walkTokens } from '../fetch/highlight/marked-text.ts';

/** Tokens of all fields of one answer: each is an object in it. */
const TOKENS_MAX = 1_000_000;

export interface VectorToken {
  readonly position: number;
  readonly start: number;
  readonly end: number;
  readonly payload: Uint8Array | null;
}

/** Occurrences by term, in the byte order of the terms. */
export type FieldVector = ReadonlyMap<string, readonly VectorToken[]>;

/** Text of one field and how it is cut. */
export interface VectorField {
  readonly path: string;
  readonly values: readonly string[];
  readonly analyzer: Analyzer;
  readonly positionIncrementGap: number;
  readonly parts: TermVectorParts;
}

/** Counts the tokens of one answer. */
export class TokenBudget {
  private left = TOKENS_MAX;

  /** @throws illegal_argument_exception where the answer would have too many */
  take(): void {
    this.left--;
    if (this.left < 0) throw illegalArgument(`the term vectors of the document have more than [${TOKENS_MAX}] tokens`);
  }
}

export function fieldVector(field: VectorField, budget: TokenBudget): FieldVector {
  const found = new Map<string, VectorToken[]>();
  walkTokens(
    joinValues(field.values),
    field.analyzer,
    field.positionIncrementGap,
    (term, start, end, position, payload) => {
      budget.take();
      assert(end >= start, `${field.path}: a token from ${start} to ${end}`);
      const tokens = found.get(term);
      const token = { position, start, end, payload };
      if (tokens === undefined) found.set(term, [token]);
      else tokens.push(token);
    },
  );
  const sorted = [...found].map(([term, tokens]) => ({ bytes: Buffer.from(term, 'utf8'), term, tokens }));
  sorted.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  return new Map(sorted.map(({ term, tokens }) => [term, tokens]));
}

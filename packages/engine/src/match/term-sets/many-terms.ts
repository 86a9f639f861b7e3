/**
 * A `terms` or `ids` query of so many values that even to put them in order takes long.
 */
import { StepMeter, type Steps, sortInSteps } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, utf8Bytes } from '../context/compile-context.ts';
import type { FindInSteps } from '../context/prepared-docs.ts';
import { preparedWeight } from '../context/prepared-weight.ts';
import type { Weight } from '../weight/weight.ts';
import { docsOfManyTerms } from './multi-term-docs.ts';

/** More are encoded, sorted and sought in steps, and never kept. */
export const TERMS_AT_ONCE_MAX = 4_096;
/** Values that an explanation names. */
const LISTED_MAX = 1_024;
/** Microseconds that it takes to encode a term, about. */
const ENCODE_UNITS = 0.4;

/** @param shownField what explanations call the field */
export function manyTermsWeight(
  ctx: CompileContext,
  field: string,
  values: readonly string[],
  use: ClauseUse,
  shownField: string = field,
): Weight {
  // Once for all segments.
  let sorted: readonly Uint8Array[] | null = null;
  const find: FindInSteps = function* (view) {
    sorted ??= yield* encodedInOrder(values);
    return yield* docsOfManyTerms(view, field, sorted);
  };
  return preparedWeight(ctx, null, find, use, listedTerms(shownField, values));
}

/** `n:(1 2 3)`, cut where there are many. */
export function listedTerms(field: string, values: readonly unknown[]): string {
  const isCut = values.length > LISTED_MAX;
  return `${field}:(${(isCut ? values.slice(0, LISTED_MAX) : values).join(' ')}${isCut ? ' ...' : ''})`;
}

/** Values as terms, in the order of a dictionary; a value that is given twice occurs twice. */
function* encodedInOrder(values: readonly string[]): Steps<readonly Uint8Array[]> {
  const meter = new StepMeter();
  const terms: Uint8Array[] = [];
  for (const value of values) {
    terms.push(utf8Bytes(value));
    if (meter.isDue(ENCODE_UNITS)) yield;
  }
  return yield* sortInSteps(terms, (a, b) => compareBytes(a, 0, a.length, b), meter);
}

/**
 * Why a document has its score: a tree of values with Lucene's words for each.
 *
 * The value of a node comes from its details by what its description says: a sum, a product, the greatest.
 */
import { FloatNumber } from '@shoal/core';

export interface Explanation {
  readonly isMatch: boolean;
  /** Whole numbers are counts; scores are shown with a point. */
  readonly value: FloatNumber | number;
  readonly description: string;
  readonly details: readonly Explanation[];
}

export function explained(value: number, description: string, details: readonly Explanation[] = []): Explanation {
  return { isMatch: true, value: new FloatNumber(value), description, details };
}

/** A value that is shown as it is: of double precision, or one that another explanation has. */
export function explainedExactly(
  value: Explanation['value'],
  description: string,
  details: readonly Explanation[],
): Explanation {
  return { isMatch: true, value, description, details };
}

/** A number of things. */
export function counted(value: number, description: string): Explanation {
  return { isMatch: true, value, description, details: [] };
}

export function noMatch(description: string, details: readonly Explanation[] = []): Explanation {
  return { isMatch: false, value: new FloatNumber(0), description, details };
}

export function explainedValue({ value }: Explanation): number {
  return typeof value === 'number' ? value : value.value;
}

/** Explanation in the form of an answer. */
export function renderExplanation({ value, description, details }: Explanation): Readonly<Record<string, unknown>> {
  return { value, description, details: details.map(renderExplanation) };
}

/** `^2.0` behind whatever is worth more than itself. */
export function boostText(boost: number): string {
  return boost === 1 ? '' : `^${String(new FloatNumber(boost))}`;
}

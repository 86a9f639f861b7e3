/**
 * Numbers as members of an answer.
 */
import { DoubleNumber } from '@shoal/core';

export type Members = Readonly<Record<string, unknown>>;

/** A double as Java prints it; what has no value is null. */
export function shownDouble(value: number): DoubleNumber | null {
  return Number.isNaN(value) ? null : new DoubleNumber(value);
}

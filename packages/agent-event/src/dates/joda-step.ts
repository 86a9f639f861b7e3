/**
 * One step of a date parser: what reads one letter of a format, and what it puts into the fields of a date.
 */
import type { DateFields } from './date-fields.ts';

export interface JodaOptions {
  /** BCP 47 or Java's `en_US`: for names of months and days. */
  readonly locale: string;
  readonly nowMs: () => number;
}

/** Reads at `position` and answers the position behind; -1 when the text does not fit. */
export type Step = (text: string, position: number, fields: DateFields) => number;
export type Assign = (fields: DateFields, value: number) => void;

export function isDigit(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code >= 48 && code <= 57;
}

/**
 * Entry behind which a page begins: the last one that earlier pages have shown.
 */
import type { QueryValue } from '@shoal/query';

/** Behind which entry of the reader a search begins. */
export interface AfterEntry {
  /** One a sort key; the score without any. */
  readonly values: readonly QueryValue[];
  readonly ord: number;
}

/** Ordinal behind all documents. */
const ALL_ORDS = 0xffff_ffff;

/** Score and ordinal of the entry in a search by score: what is below the score, or has it and comes later, is left. */
export function lastShown(after: AfterEntry | null): { readonly below: number; readonly ord: number } {
  if (after === null) return { below: Number.POSITIVE_INFINITY, ord: ALL_ORDS };
  return { below: Math.fround(Number(after.values[0])), ord: after.ord };
}

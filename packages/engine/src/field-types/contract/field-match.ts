/**
 * Matches of a query value in a field: which terms or numbers of the field's columns and postings it means.
 */
import type { QueryValue, RangeRelation } from '@shoal/query';

/** Inclusive range of numbers; bigints only for whole numbers, which may be beyond 2^53. */
export interface NumberBounds {
  readonly from: number | bigint;
  readonly to: number | bigint;
}

/** Range of terms in byte order; null: open. */
export interface TermBounds {
  readonly from: Uint8Array | null;
  readonly includesFrom: boolean;
  readonly to: Uint8Array | null;
  readonly includesTo: boolean;
}

export type FieldMatch =
  /** One term, scored by its frequency. */
  | { readonly kind: 'term'; readonly term: Uint8Array }
  /** One term, each of its documents scored alike. */
  | { readonly kind: 'exactTerm'; readonly term: Uint8Array }
  | { readonly kind: 'termRange'; readonly bounds: TermBounds }
  | { readonly kind: 'numberRange'; readonly bounds: NumberBounds }
  | PairedTerms;

/** Terms of two parts of one length each: those within `bounds` whose second part is not before `from` nor after `to`. */
export interface PairedTerms {
  readonly kind: 'pairedTerms';
  readonly bounds: TermBounds;
  readonly second: { readonly from: Uint8Array | null; readonly to: Uint8Array | null };
  /** Ends of the range that is asked for, as Lucene prints them. */
  readonly text: string;
}

/** Ends of a range as the request gives them; null: open. */
export interface RangeEnds {
  readonly from: QueryValue;
  readonly includesFrom: boolean;
  readonly to: QueryValue;
  readonly includesTo: boolean;
}

/** Range of a query. */
export interface ValueRange extends RangeEnds {
  /** Date format of the ends; null: the field's. */
  readonly format: string | null;
  /** Zone of dates that name none; null: UTC. */
  readonly timeZone: string | null;
  /** Which ranges of a field of ranges are meant. */
  readonly relation: RangeRelation;
}

/** Range of exactly one value. */
export function exactly(value: QueryValue): ValueRange {
  return {
    from: value,
    includesFrom: true,
    to: value,
    includesTo: true,
    format: null,
    timeZone: null,
    relation: 'intersects',
  };
}

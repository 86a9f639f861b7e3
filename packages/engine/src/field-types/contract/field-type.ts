/**
 * Contract of a field type: what having the type means for documents, queries, sorting, aggregations and answers.
 *
 * One object a type, listed in `field-types.ts`; every layer of the engine asks it instead of branching on the name of the
 * type. It says which terms and numbers are meant; finding documents by them is the business of the layers above.
 */
import type { BucketKey, KeyKind, ValueFormat } from '@shoal/aggregations';
import { illegalArgument } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import type { DateFormatter, DateMathClock, FieldMapping, MappingJson } from '@shoal/schema';
import type { ShownBytes } from '@shoal/shard-api';
import type { TermEncoding } from '../../bytes/term-table.ts';
import type { FieldMatch, ValueRange } from './field-match.ts';
import type { IndexedValue } from './indexed-value.ts';

/** Formatter of a date format, made once for each format. */
export type DateFormats = (format: string) => DateFormatter;

/** Moment of a request. It is read only where the request says `now`: an answer that needed it is not cached. */
export type RequestClock = DateMathClock;

/** Terms that a field writes. */
export interface TermsPart {
  readonly encoding: TermEncoding;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  /** False: the terms are only the values of a column. */
  readonly hasPostings: boolean;
}

/** Parts of a segment that a field writes. */
export interface FieldParts {
  readonly terms: TermsPart | null;
  /** Texts go through the field's analyzer; false: a value is one term. */
  readonly isAnalyzed: boolean;
  /** Column of the values' terms by document. */
  readonly hasOrdinals: boolean;
  /** Column of numbers: whole ones or floating point; null: none. */
  readonly numbers: 'long' | 'double' | null;
  /** Boxes around the values are kept: of points in the column of numbers, or of shapes, which are kept too. Left out without. */
  readonly boxes?: 'points' | 'shapes';
  /** The column has the number of words of each text. Left out where it has the values. */
  readonly countsTokens?: true;
}

/** Parts of a field that writes none; the others are built from it. */
export const NO_PARTS: FieldParts = { terms: null, isAnalyzed: false, hasOrdinals: false, numbers: null };

/** Inclusive range of whole numbers. */
export interface WholeRange {
  readonly min: bigint;
  readonly max: bigint;
}

/** Sorting by a column of numbers. */
export interface NumberSort {
  readonly column: 'numbers';
  /** Numbers made of those of the column that are compared instead; left out: the column's own. */
  readonly derived?: 'millis' | 'nanos' | 'wholes' | 'doubles';
  /**
   * Reader of values given by `search_after`, never null: in the form that they are shown in, so dates also in their format.
   * `format`: of the sort, or of the field.
   */
  reader(format: string, clock: RequestClock): (value: QueryValue) => number | bigint;
  /** Number that `missing` of the request stands for. */
  missing(value: QueryValue): number | bigint;
  /** Form of the values in an answer; a range for whole numbers, whose ends stand for no value. */
  readonly shown: 'float' | 'double' | WholeRange;
}

/** Sorting by a column of terms. */
export interface TermSort {
  readonly column: 'terms';
  /** Term of a value of the request: of `search_after`, or one that takes the place of none. */
  term(value: QueryValue): Uint8Array;
  /** Form of the values in an answer. */
  readonly shown: ShownBytes;
}

/** No sorting by values. `refusal`: what a request is told; left out where there is nothing special to say. */
export interface NoSort {
  readonly column: 'none';
  readonly refusal?: string;
}

export type SortAccess = NumberSort | TermSort | NoSort;

/** Request context of a value of an aggregation. */
export interface KeyReading {
  readonly clock: RequestClock;
  readonly dateFormat: string;
  /** Zone of date texts without an offset. */
  readonly timeZone: string;
}

/** Ranges of a column of terms. */
export interface RangeReader {
  /** Type of the values. */
  readonly type: 'integer' | 'long' | 'float' | 'double' | 'date' | 'ip';
  /** Ends of the range that a term holds, both in it; never called for addresses. */
  read(term: Uint8Array): { readonly from: number; readonly to: number };
}

/** Numbers, each with how often it was met. */
export interface CountedNumbers {
  /** Distinct, ascending. */
  readonly values: Float64Array;
  /** At least 1 each; as many as values. */
  readonly counts: Uint32Array;
}

export interface AggregationValues {
  readonly keyKind: KeyKind;
  /** Encoding of the terms of text keys; unused where keys are numbers. */
  readonly encoding: TermEncoding;
  /** `include` and `exclude` may be regular expressions. */
  readonly takesPatterns: boolean;
  /** Values can be counted, but are neither keys of buckets nor amounts. */
  readonly isCountedOnly?: true;
  /** What a request is told that names such a field. Left out where aggregations take it. */
  refusal?(field: FieldMapping): string;
  /** All values of a document count as one. */
  readonly countsDocuments?: true;
  /** Values are ranges, which are in every interval that they touch. Left out for others. */
  readonly ranges?: RangeReader;
  /** Reader of the counted values that a term holds, where a document has those instead of values. Left out for others. */
  readonly histogram?: (term: Uint8Array) => CountedNumbers;
  /** Form of the keys in an answer. `pattern`: "format" of the request. */
  format(wanted: {
    readonly pattern: string | null;
    readonly dateFormat: string;
    readonly timeZone: string;
  }): ValueFormat;
  /** Value of the request in the form of the column's keys. */
  key(value: QueryValue, reading: KeyReading): BucketKey;
}

/** Printer of a document's values from a column. */
export type ColumnPrinter =
  | { readonly column: 'terms'; readonly print: (bytes: Uint8Array) => unknown }
  | {
      readonly column: 'numbers';
      readonly print: (value: number | bigint) => unknown;
      /** True: several values of a document are shown in the order of their texts, not of their numbers. */
      readonly sortsTexts?: boolean;
    };

/** One value of a field that a document's value makes. */
export interface FieldValue {
  readonly field: FieldMapping;
  readonly value: IndexedValue;
}

export interface FieldType {
  /**
   * Value of a document, one of its scalars or what the type takes whole, in the form that the field indexes; null when there is nothing to index (an empty string for a
   * number, a value that `ignore_above` leaves out).
   *
   * @throws ShoalError `illegal_argument_exception` when it does not fit; the caller names the field
   */
  read(field: FieldMapping, value: unknown, dates: DateFormats): IndexedValue | null;
  /** Refuses a value that was read and no segment can hold; `ignore_malformed` does not forgive it. */
  check(field: FieldMapping, value: IndexedValue): void;
  parts(field: FieldMapping): FieldParts;
  /** What is wrong with a value is told without the field and the value: the reason names them. Left out: with both. */
  readonly tellsOwnErrors?: true;
  /** Refusal of a document with a second value; left out where a field may have several. */
  isSingle?(field: FieldMapping): string;
  /** Refusal of queries for documents that have a value; left out where they find them. */
  readonly refusesExists?: string;
  /**
   * What is indexed of a value that was read, in several fields; left out where that is the value itself.
   *
   * @throws ShoalError `illegal_argument_exception` when a part of it does not fit
   */
  spread?(
    field: FieldMapping,
    value: IndexedValue,
    document: { readonly id: string; readonly routing: string | null },
  ): readonly FieldValue[];
  /** Parameters that a value of a document gives the field's declaration; null for none. Left out where values never do. */
  learned?(field: FieldMapping, value: unknown): MappingJson | null;

  /** Queries for text: of analyzed words, of whole values (patterns and fuzzy too), or none but by exact value. */
  readonly textQueries: 'words' | 'whole' | 'none';
  /** Form of a term that patterns and fuzzy queries are about, which says nothing of the order of terms; left out where it is the term itself. */
  shownTerm?(term: Uint8Array): Uint8Array;
  /** Documents with a value; null: no document can have it. */
  term(field: FieldMapping, value: QueryValue, clock: RequestClock): FieldMatch | null;
  /** Documents with a value in a range. */
  range(field: FieldMapping, range: ValueRange, clock: RequestClock): FieldMatch;
  /** Meaning of the column of numbers in score functions; null: no such column. */
  readonly numbers: 'quantity' | 'instant' | 'flag' | null;

  /** The column of numbers holds nanoseconds: aggregations and score functions read milliseconds. Left out for others. */
  readonly holdsNanos?: true;

  /** Values stand in a column, where `doc_values` is not off. */
  readonly hasColumn: boolean;
  /** Requests may name a date format for the values. */
  readonly takesDateFormat: boolean;
  readonly sort: SortAccess;
  readonly collapse: 'terms' | 'numbers' | 'none';
  readonly aggregation: AggregationValues;

  /** Printer for `docvalue_fields`; null: values have no column. `format`: of the request. */
  columnPrinter(field: FieldMapping, format: string | null): ColumnPrinter | null;
  /** `fields` shows what the column has, since documents do not say it. Left out where they do. */
  readonly showsColumn?: true;
  /** `fields` lists the items of a list that is one value, as values. Left out where it lists values. */
  readonly showsItems?: true;
  /** `fields` may name a form of a geometry; left out where they may not. */
  readonly takesGeometryFormat?: true;
  /** Printer for `fields`: from an indexed value to the shown one. `format`: of the request. */
  printer(field: FieldMapping, format: string | null, dates: DateFormats): (value: IndexedValue) => unknown;
}

/** @throws ShoalError when the field has no postings to search in */
export function checkIndexed(field: FieldMapping): void {
  if (field.isIndexed) return;
  throw illegalArgument(`Cannot search on field [${field.path}] since it is not indexed.`);
}

/** @throws ShoalError for a format of a field whose values have one form only */
export function checkNoFormat(field: FieldMapping, format: string | null): void {
  if (format === null) return;
  throw illegalArgument(`Field [${field.path}] of type [${field.kind}] does not support custom formats`);
}

/** Value as it is; printer of types that show what they index. */
export function asIndexed(): (value: IndexedValue) => unknown {
  return (value) => value;
}

/**
 * What a list of hits shows: of a search, of the documents inside a hit, or of the best documents of a bucket.
 */
import type { HighlightRequest } from './highlight-request.ts';
import type { ScriptField } from './script-fields.ts';
import type { ShownField } from './shown-fields.ts';
import type { SortField } from './sort-field.ts';

export interface HitOptions {
  readonly from: number;
  readonly size: number;
  /** Empty: by score, best first. */
  readonly sort: readonly SortField[];
  /** Scores are wanted beside sort values. */
  readonly tracksScores: boolean;
  readonly source: SourceFilter;
  /** Names and patterns of `stored_fields`, `_none_` alone for not even the id; null when not given. */
  readonly storedFields: readonly string[] | null;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  /** Every hit says how its score came about. */
  readonly isExplained: boolean;
  /** null when not given. */
  readonly highlight: HighlightRequest | null;
  /** `fields`: values out of the source. */
  readonly fields: readonly ShownField[];
  /** `docvalue_fields`: values out of the columns. */
  readonly docValueFields: readonly ShownField[];
  /** `script_fields`: values that scripts make. */
  readonly scriptFields: readonly ScriptField[];
}

export interface SourceFilter {
  /** false: no `_source` at all. */
  readonly enabled: boolean;
  /** Patterns of dotted paths; empty: everything. */
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
  /** Fields of vectors are left out too, whichever they are. Default: false. */
  readonly excludesVectors?: boolean;
}

/** Source filter of a request without one. */
export const WHOLE_SOURCE: SourceFilter = { enabled: true, includes: [], excludes: [] };

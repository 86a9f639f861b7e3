/**
 * Terms of a field that begin with a text, told by the dictionaries of a shard without a look at its documents.
 */
export interface TermsEnumRequest {
  /** A field, an alias of one, or a key below a field that takes objects whole; `_field_names`: names of fields with values. */
  readonly field: string;
  /** What the terms begin with. */
  readonly prefix: string;
  /** Letters of ASCII match in either case. */
  readonly isCaseInsensitive: boolean;
  /** Only terms behind this one; null: all. */
  readonly after: string | null;
  /** Terms wanted, the first ones in the order of their bytes. */
  readonly size: number;
  /** Longest that a shard looks, in milliseconds. */
  readonly timeoutMs: number;
}

export interface ShardTerms {
  /** In the order of their bytes, each once. */
  readonly terms: readonly string[];
  /** False where the time was over before the end. */
  readonly isComplete: boolean;
}

/**
 * What a shard answers to the suggestions of a search: for each the texts that were looked at, and what each may have been meant as.
 *
 * It stands here because the engine fills it, the protocol carries it, and the coordinator merges those of all shards.
 */

/** A word of the index. */
export interface TermOption {
  readonly kind: 'term';
  readonly text: string;
  readonly score: number;
  /** Documents that have it. */
  readonly freq: number;
}

/** A whole text. */
export interface PhraseOption {
  readonly kind: 'phrase';
  readonly text: string;
  readonly score: number;
  /** Text with marks around corrected words; null when none are asked for. */
  readonly highlighted: string | null;
  /** Whether a document matches; null when nobody asked. */
  readonly isCollateMatch: boolean | null;
}

/** An input of a document. */
export interface CompletionOption {
  readonly kind: 'completion';
  readonly text: string;
  readonly score: number;
  readonly document: SuggestedDocument;
  /** Contexts of the field by name in which it was found. */
  readonly contexts: readonly NamedContexts[];
}

export interface NamedContexts {
  readonly name: string;
  readonly values: readonly string[];
}

export interface SuggestedDocument {
  /** Orders documents of the shard that are worth the same. */
  readonly ord: number;
  readonly id: string;
  readonly routing: string | null;
  /** Filtered `_source` JSON; null when not wanted. */
  readonly source: Uint8Array | null;
}

export type SuggestOption = TermOption | PhraseOption | CompletionOption;

/** A word or text that was looked at. Offsets are UTF-16 positions in the text of the suggestion. */
export interface SuggestEntry {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  /** Score that an option must exceed; null where all count. */
  readonly cutoff: number | null;
  readonly options: readonly SuggestOption[];
}

/** Entries by suggestion, in the order of the request. */
export type ShardSuggestions = readonly (readonly SuggestEntry[])[];

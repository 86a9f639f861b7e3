/**
 * Options of spelling correction: which terms of a shard are taken for the word that was meant.
 *
 * The `term` suggester has them beside its own options, the `phrase` suggester in each of its candidate generators.
 */
import { illegalArgument, type JsonMember, type ValueReader } from '@shoal/core';
import { readInteger, readNumber, readString } from '../members/request-values.ts';

const MODES = ['missing', 'popular', 'always'] as const;
const ORDERS = ['score', 'frequency'] as const;
const DISTANCES = ['internal', 'damerau_levenshtein', 'levenshtein', 'jaro_winkler', 'ngram'] as const;

/** Words that are corrected: those not in the index, those less frequent than the correction, or all. */
export type SuggestMode = (typeof MODES)[number];
export type SuggestOrder = (typeof ORDERS)[number];
/** How alike two words are, as a number from 0 to 1. */
export type StringDistance = (typeof DISTANCES)[number];

export interface SpellingOptions {
  readonly mode: SuggestMode;
  /** Least similarity of a correction, 0..1. */
  readonly accuracy: number;
  readonly order: SuggestOrder;
  readonly distance: StringDistance;
  /** 1 or 2. */
  readonly maxEdits: number;
  /** Candidates that are looked at, as a multiple of the corrections wanted. */
  readonly maxInspections: number;
  /** Words in more documents are not corrected: a share of the documents below 1, else their number. */
  readonly maxTermFreq: number;
  /** Code points at the start that a correction must share. */
  readonly prefixLength: number;
  /** Code points that a word must have to be corrected. */
  readonly minWordLength: number;
  /** Corrections in fewer documents are left out: a share of the documents below 1, else their number. */
  readonly minDocFreq: number;
}

export const SPELLING_DEFAULTS: SpellingOptions = {
  mode: 'missing',
  accuracy: 0.5,
  order: 'score',
  distance: 'internal',
  maxEdits: 2,
  maxInspections: 5,
  maxTermFreq: 0.01,
  prefixLength: 1,
  minWordLength: 4,
  minDocFreq: 0,
};

/** Largest `max_inspections`, `prefix_length` and `min_word_length`. */
const COUNT_MAX = 0x7fff_ffff;
/** Candidates that one word is compared with at most; more would be held for each word of the text. */
const INSPECTIONS_MAX = 100_000;

type Change = Partial<SpellingOptions>;

const READERS: ReadonlyMap<string, (member: JsonMember) => Change> = new Map<string, (member: JsonMember) => Change>([
  ['suggest_mode', (m) => ({ mode: suggestMode(readString(m.value, m.name)) })],
  ['accuracy', (m) => ({ accuracy: share(m, 'accuracy') })],
  ['sort', (m) => ({ order: suggestOrder(readString(m.value, m.name)) })],
  ['string_distance', (m) => ({ distance: stringDistance(readString(m.value, m.name)) })],
  ['max_edits', (m) => ({ maxEdits: maxEdits(readInteger(m.value, m.name)) })],
  ['max_inspections', (m) => ({ maxInspections: positive(m, 'maxInspections') })],
  ['max_term_freq', (m) => ({ maxTermFreq: frequency(m, 'maxTermFreq') })],
  ['prefix_length', (m) => ({ prefixLength: positive(m, 'prefixLength') })],
  ['min_word_length', (m) => ({ minWordLength: wordLength(m) })],
  ['min_doc_freq', (m) => ({ minDocFreq: frequency(m, 'minDocFreq') })],
]);

/** Names of the options. */
export const SPELLING_OPTIONS: readonly string[] = [...READERS.keys()];

/** What a member changes of the options; null for one that is none of them. */
export function parseSpellingOption(member: JsonMember): Change | null {
  return READERS.get(member.name)?.(member) ?? null;
}

/** Refuses options by which one word would be compared with too many. @param size corrections wanted */
export function checkInspections({ maxInspections }: SpellingOptions, size: number): void {
  if (maxInspections * size <= INSPECTIONS_MAX) return;
  throw illegalArgument(
    `[max_inspections] of [${maxInspections}] for [${size}] suggestions is above [${INSPECTIONS_MAX}] terms`,
  );
}

export function readSpellingOptions(r: ValueReader): SpellingOptions {
  return {
    mode: r.oneOf('mode', MODES),
    accuracy: r.number('accuracy'),
    order: r.oneOf('order', ORDERS),
    distance: r.oneOf('distance', DISTANCES),
    maxEdits: r.integer('maxEdits', 1, 2),
    maxInspections: r.integer('maxInspections', 0, COUNT_MAX),
    maxTermFreq: r.number('maxTermFreq'),
    prefixLength: r.integer('prefixLength', 0, COUNT_MAX),
    minWordLength: r.integer('minWordLength', 1, COUNT_MAX),
    minDocFreq: r.number('minDocFreq'),
  };
}

function suggestMode(text: string): SuggestMode {
  const mode = MODES.find((one) => one === text.toLowerCase());
  if (mode !== undefined) return mode;
  throw illegalArgument(
    `No enum constant org.elasticsearch.search.suggest.term.TermSuggestionBuilder.SuggestMode.${text.toUpperCase()}`,
  );
}

function suggestOrder(text: string): SuggestOrder {
  const order = ORDERS.find((one) => one === text.toLowerCase());
  if (order !== undefined) return order;
  throw illegalArgument(`No enum constant org.elasticsearch.search.suggest.SortBy.${text.toUpperCase()}`);
}

function stringDistance(text: string): StringDistance {
  const distance = DISTANCES.find((one) => one === text.toLowerCase());
  if (distance !== undefined) return distance;
  throw illegalArgument(`Illegal distance option ${text}`);
}

function share({ name, value }: JsonMember, shown: string): number {
  const number = readNumber(value, name);
  if (number >= 0 && number <= 1) return number;
  throw illegalArgument(`${shown} must be between 0 and 1`);
}

function maxEdits(edits: number): number {
  if (edits === 1 || edits === 2) return edits;
  throw illegalArgument('maxEdits must be between 1 and 2');
}

function positive({ name, value }: JsonMember, shown: string): number {
  const count = readInteger(value, name);
  if (count >= 0) return count;
  throw illegalArgument(`${shown} must be positive`);
}

function wordLength({ name, value }: JsonMember): number {
  const length = readInteger(value, name);
  if (length >= 1) return length;
  throw illegalArgument('minWordLength must be greater or equal to 1');
}

function frequency({ name, value }: JsonMember, shown: string): number {
  const number = readNumber(value, name);
  if (number < 0) throw illegalArgument(`${shown} must be positive`);
  if (number > 1 && !Number.isInteger(number)) {
    throw illegalArgument(`if ${shown} is greater than 1, it must not be a fraction`);
  }
  return number;
}

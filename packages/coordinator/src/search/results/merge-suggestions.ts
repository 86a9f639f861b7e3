/**
 * Suggestions of many shards as one: entries side by side, equal words and texts once, the best first.
 */
import { illegalArgument, ShoalError, unreachable } from '@shoal/core';
import type { Suggestion } from '@shoal/query';
import type {
  CompletionOption,
  PhraseOption,
  ShardSuggestions,
  SuggestEntry,
  SuggestOption,
  TermOption,
} from '@shoal/shard-api';

/** Option with the shard that gave it, by its position among the targets. */
export interface MergedOption {
  readonly option: SuggestOption;
  readonly position: number;
}

export interface MergedEntry extends Omit<SuggestEntry, 'options' | 'cutoff'> {
  readonly options: readonly MergedOption[];
}

export interface MergedSuggestion {
  readonly suggestion: Suggestion;
  readonly entries: readonly MergedEntry[];
}

/** @param byTarget suggestions of the target at each position; null of one that gave none */
export function mergeSuggestions(
  suggestions: readonly Suggestion[],
  byTarget: readonly (ShardSuggestions | null)[],
): readonly MergedSuggestion[] {
  return suggestions.flatMap((suggestion, i) => {
    const given = byTarget.flatMap((ofShard, position) => {
      const entries = ofShard?.[i];
      return entries === undefined ? [] : [{ position, entries }];
    });
    return given.length === 0 ? [] : [{ suggestion, entries: mergeEntries(suggestion, given) }];
  });
}

interface ShardEntries {
  readonly position: number;
  readonly entries: readonly SuggestEntry[];
}

function mergeEntries(suggestion: Suggestion, given: readonly ShardEntries[]): readonly MergedEntry[] {
  const [leader, ...others] = given;
  if (leader === undefined) return [];
  for (const { entries } of others) {
    if (entries.length !== leader.entries.length) {
      throw new ShoalError(
        'illegal_state_exception',
        500,
        `Can't merge suggest result, this might be caused by suggest calls across multiple indices with different analysis chains. Suggest entries have different sizes actual [${entries.length}] expected [${leader.entries.length}]`,
      );
    }
  }
  return leader.entries.map((first, i) => {
    const parts = given.flatMap(({ position, entries }) => {
      const entry = entries[i];
      return entry === undefined ? [] : [{ position, entry }];
    });
    return mergeEntry(suggestion, first, parts);
  });
}

function mergeEntry(
  { suggester }: Suggestion,
  { text, offset, length }: SuggestEntry,
  parts: readonly { readonly position: number; readonly entry: SuggestEntry }[],
): MergedEntry {
  let cutoff = Number.NEGATIVE_INFINITY;
  const options: MergedOption[] = [];
  for (const { position, entry } of parts) {
    if (entry.text !== text) {
      throw illegalArgument(
        `Can't merge suggest entries, this might be caused by suggest calls across multiple indices with different analysis chains. Suggest entries have different text actual [${entry.text}] expected [${text}]`,
      );
    }
    cutoff = Math.max(cutoff, entry.cutoff ?? Number.NEGATIVE_INFINITY);
    for (const option of entry.options) options.push({ option, position });
  }
  const merged =
    suggester.kind === 'completion' ? bestCompletions(options, suggester.skipsDuplicates) : sameTexts(options);
  const isByFrequency = suggester.kind === 'term' && suggester.spelling.order === 'frequency';
  const order = suggester.kind === 'completion' ? compareCompletions : compareOptions(isByFrequency);
  const kept = merged.filter(({ option }) => option.score > cutoff).sort(order);
  return { text, offset, length, options: kept.slice(0, suggester.size) };
}

/** Options of one text as one: the better score, and all documents. */
function sameTexts(options: readonly MergedOption[]): MergedOption[] {
  const byText = new Map<string, MergedOption>();
  for (const { option, position } of options) {
    const known = byText.get(option.text);
    byText.set(option.text, { option: known === undefined ? option : joined(known.option, option), position });
  }
  return [...byText.values()];
}

function joined(a: SuggestOption, b: SuggestOption): SuggestOption {
  const score = Math.max(a.score, b.score);
  switch (a.kind) {
    case 'term':
      return { ...a, score, freq: a.freq + freqOf(b) } satisfies TermOption;
    case 'phrase':
      return { ...a, score, isCollateMatch: collateMatch(a, b) } satisfies PhraseOption;
    case 'completion':
      return a;
    default:
      return unreachable(a);
  }
}

function freqOf(option: SuggestOption): number {
  return option.kind === 'term' ? option.freq : 0;
}

/** A match in any shard is one. */
function collateMatch(a: PhraseOption, b: SuggestOption): boolean | null {
  const other = b.kind === 'phrase' ? b.isCollateMatch : null;
  return a.isCollateMatch === null ? other : a.isCollateMatch || other === true;
}

/** Every document stays, unless only one of each text is wanted: then the best. */
function bestCompletions(options: readonly MergedOption[], skipsDuplicates: boolean): MergedOption[] {
  const sorted = [...options].sort(compareCompletions);
  if (!skipsDuplicates) return sorted;
  const seen = new Set<string>();
  return sorted.filter(({ option: { text } }) => !seen.has(text) && seen.add(text));
}

/** The better first, among equal scores the first text, then the first shard, then its first document. */
function compareCompletions(a: MergedOption, b: MergedOption): number {
  return (
    b.option.score - a.option.score ||
    compareTexts(a.option.text, b.option.text) ||
    a.position - b.position ||
    ordOf(a.option) - ordOf(b.option)
  );
}

function ordOf(option: SuggestOption): number {
  return option.kind === 'completion' ? (option satisfies CompletionOption).document.ord : 0;
}

function compareOptions(isByFrequency: boolean): (a: MergedOption, b: MergedOption) => number {
  return ({ option: a }, { option: b }) => {
    const byScore = b.score - a.score;
    const byFrequency = freqOf(b) - freqOf(a);
    return (isByFrequency ? byFrequency || byScore : byScore || byFrequency) || compareTexts(a.text, b.text);
  };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

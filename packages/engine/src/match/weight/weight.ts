/**
 * Weight of a query: it knows the statistics over the shard and makes a scorer for each segment.
 *
 * A weight that has a kernel plan also has a scorer, and both find the same documents with the same scores: which one runs is
 * a matter of speed alone.
 */
import { assert, FloatNumber } from '@shoal/core';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { type Explanation, noMatch } from './explanation.ts';
import type { PlanShape } from './plan-shape.ts';
import type { Scorer } from './scorer.ts';

export interface Weight {
  /** null when nothing in the segment matches. */
  scorer(view: SegmentView): Scorer | null;
  /** The score of every match, where it is the same for all. */
  readonly constantScore?: number;
  /** How kernels run it; left out where only the scorer can. */
  readonly plan?: KernelPlan;
  /** What it looks for, as Lucene writes it, without its boost; for explanations. */
  readonly text?: string;
  /** The text with the boost of the query; left out where that is 1. */
  readonly boostedText?: string;
  /** The text is a list of clauses, which stands in parentheses inside others; left out where it is one thing. */
  readonly isClauseList?: boolean;
  /** Why a document has its score; left out where the score is all that there is to say. */
  explain?(view: SegmentView, doc: number): Explanation;
  /** Terms of which every match has one, where there is no plan to tell them; left out or null where none are known. */
  requiredTerms?(): RequiredTerms;
  /** Matches of the segment when they are known without walking it, deleted documents not counted; -1 when not. */
  count(view: SegmentView): number;
}

export interface RequiredTerm {
  readonly field: string;
  readonly term: Uint8Array;
}

/** Every match has at least one of them, none: there are no matches. null: a match may have any terms. */
export type RequiredTerms = readonly RequiredTerm[] | null;

/** The weight as others name it: with the boost that its query has. Its scores have that boost already. */
export function boostedWeight(weight: Weight, boost: number): Weight {
  if (boost === 1) return weight;
  assert(boost >= 0, `a boost of ${boost}`);
  return { ...weight, boostedText: `(${textOfWeight(weight)})^${String(new FloatNumber(boost))}` };
}

/** What the weight looks for, as Lucene writes it inside of others. */
export function textOfWeight({ text, boostedText }: Weight): string {
  return boostedText ?? text ?? 'query';
}

/** A weight that matches no document, and why. */
export function noneWeight(reason: string): Weight {
  return {
    text: `MatchNoDocsQuery("${reason}")`,
    scorer: () => null,
    requiredTerms: () => [],
    explain: () => noMatch(reason),
    count: () => 0,
  };
}

export const NONE_WEIGHT: Weight = noneWeight('');

export interface KernelPlan {
  readonly shape: PlanShape;
  /** Documents must match all of these too, and none of `excluded`. */
  readonly filter: readonly Weight[];
  readonly excluded: readonly Weight[];
}

/**
 * Weight of a query: it knows the statistics over the shard and makes a scorer for each segment.
 *
 * A weight that has a kernel plan also has a scorer, and both find the same documents with the same scores: which one runs is
 * a matter of speed alone.
 */
import { assert, FloatNumber } from '@shoal/core';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { type Explanation, explained, noMatch } from './explanation.ts';
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
  /** The query before terms of the shard took the place of what finds them; left out where it is the text too. */
  readonly plainText?: string;
  /** Boost that stands around the texts; left out where it is 1. */
  readonly ownBoost?: number;
  /** The text is a list of clauses, which stands in parentheses inside others; left out where it is one thing. */
  readonly isClauseList?: boolean;
  /** The plain text is one; left out where it is one thing. */
  readonly isPlainList?: boolean;
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

/** How a query is told: as it runs on the shard, or as it was asked for. */
export type Wording = 'rewritten' | 'plain';

/** The weight as others name it: with the boost that its query has. Its scores have that boost already. */
export function boostedWeight(weight: Weight, boost: number): Weight {
  if (boost === 1) return weight;
  assert(boost >= 0, `a boost of ${boost}`);
  const { plainText, text, isClauseList, isPlainList, ...others } =
    weight.ownBoost === undefined ? weight : withBoostInside(weight);
  const own = boost === 0 ? unscored(weight, text ?? UNTOLD) : { text: text ?? UNTOLD };
  return { ...others, ...own, plainText: plainText ?? text ?? UNTOLD, ownBoost: boost };
}

const UNTOLD = 'query';

function withBoostInside(weight: Weight): Weight {
  return { ...weight, text: textOfWeight(weight), plainText: textOfWeight(weight, 'plain') };
}

/** What is worth nothing is not scored at all, and tells so. */
function unscored(weight: Weight, inner: string): Pick<Weight, 'text' | 'explain'> {
  const text = inner.startsWith('ConstantScore(') ? inner : `ConstantScore(${inner})`;
  return {
    text,
    explain: (view, doc) =>
      weight.scorer(view)?.advance(doc) === doc
        ? explained(0, `${text}^0.0`)
        : noMatch(`${text} doesn't match id ${doc}`),
  };
}

/** What the weight looks for, as Lucene writes it inside of others. */
export function textOfWeight(weight: Weight, wording: Wording = 'rewritten'): string {
  const { text = UNTOLD, plainText, ownBoost } = weight;
  const told = wording === 'plain' ? (plainText ?? text) : text;
  return ownBoost === undefined ? told : `(${told})^${String(new FloatNumber(ownBoost))}`;
}

/** Whether a part of it is told otherwise than it was asked for. */
export function hasPlainText({ plainText, text }: Weight): boolean {
  return plainText !== undefined && plainText !== text;
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
/** Nothing matches, whatever the shard holds. */
export const NOTHING_WANTED: Weight = noneWeight('User requested "match_none" query.');

export interface KernelPlan {
  readonly shape: PlanShape;
  /** Documents must match all of these too, and none of `excluded`. */
  readonly filter: readonly Weight[];
  readonly excluded: readonly Weight[];
}

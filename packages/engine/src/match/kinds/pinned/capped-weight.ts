/**
 * Matches of a weight with scores up to a limit.
 */
import { assert } from '@shoal/core';
import { explainWeight } from '../../explain/explain-weight.ts';
import type { Candidates } from '../../weight/doc-iterator.ts';
import { explained, explainedValue } from '../../weight/explanation.ts';
import type { Scorer } from '../../weight/scorer.ts';
import { textOfWeight, type Weight } from '../../weight/weight.ts';

export function cappedWeight(inner: Weight, scoreMax: number): Weight {
  assert(scoreMax > 0, `scores up to ${scoreMax}`);
  return {
    text: textOfWeight(inner),
    scorer(view) {
      const scorer = inner.scorer(view);
      return scorer === null ? null : new CappedScorer(scorer, scoreMax);
    },
    explain(view, doc) {
      const explanation = explainWeight(inner, view, doc);
      if (!explanation.isMatch || explainedValue(explanation) <= scoreMax) return explanation;
      const text = `Capped score of ${String(explanation.value)}, max of`;
      return explained(scoreMax, text, [explanation, explained(scoreMax, 'maximum score')]);
    },
    count: (view) => inner.count(view),
  };
}

class CappedScorer implements Scorer {
  readonly cost: number;
  readonly candidates: Candidates | null;
  private readonly inner: Scorer;
  private readonly scoreMax: number;

  constructor(inner: Scorer, scoreMax: number) {
    this.inner = inner;
    this.cost = inner.cost;
    this.candidates = inner.candidates ?? null;
    this.scoreMax = scoreMax;
  }

  get doc(): number {
    return this.inner.doc;
  }

  next(): number {
    return this.inner.next();
  }

  advance(target: number): number {
    return this.inner.advance(target);
  }

  score(): number {
    return Math.min(this.inner.score(), this.scoreMax);
  }
}

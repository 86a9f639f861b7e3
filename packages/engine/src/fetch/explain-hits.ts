/**
 * How the scores of hits came about.
 */
import { writeJson } from '@shoal/core';
import type { HitExplanation, Query } from '@shoal/query';
import type { CompileContext } from '../search/compile-context.ts';
import { compileQuery } from '../search/compile-query.ts';
import { explainWeight } from '../search/explain/explain-weight.ts';
import { renderExplanation } from '../search/explain/explanation.ts';
import type { Weight } from '../search/scorer.ts';
import type { SegmentView } from '../segment/segment-reader.ts';

export class HitExplainer {
  private readonly weight: Weight;

  constructor(ctx: CompileContext, query: Query) {
    this.weight = compileQuery(ctx, query, { boost: 1, isScored: true });
  }

  explain(view: SegmentView, doc: number): HitExplanation {
    const explanation = explainWeight(this.weight, view, doc);
    return { isMatch: explanation.isMatch, tree: writeJson(renderExplanation(explanation)) };
  }
}

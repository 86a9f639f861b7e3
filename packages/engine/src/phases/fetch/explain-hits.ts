/**
 * How the scores of hits came about, those of a `rescore` included.
 */
import { writeJson } from '@shoal/core';
import type { QueryNode, Rescore } from '@shoal/query';
import type { HitExplanation } from '@shoal/shard-api';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { explainWeight } from '../../match/explain/explain-weight.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { type Explanation, explained, explainedValue, renderExplanation } from '../../match/weight/explanation.ts';
import type { Weight } from '../../match/weight/weight.ts';
import type { RescoredOrds } from '../context/shard-search-context.ts';

interface SecondPass {
  readonly rescore: Rescore;
  readonly weight: Weight;
  /** null: not known, as where one document is explained without a search. */
  readonly rescored: Uint32Array | null;
}

const SCORED = { boost: 1, isScored: true };

export class HitExplainer {
  private readonly weight: Weight;
  private readonly passes: readonly SecondPass[];

  constructor(
    ctx: CompileContext,
    { query, rescore }: { readonly query: QueryNode; readonly rescore: readonly Rescore[] },
    rescored: RescoredOrds | null,
  ) {
    this.weight = compileQuery(ctx, query, SCORED);
    this.passes = rescore.map((one, i) => ({
      rescore: one,
      weight: compileQuery(ctx, one.query, SCORED),
      rescored: rescored?.[i] ?? null,
    }));
  }

  explain(view: SegmentView, doc: number): HitExplanation {
    let explanation = explainWeight(this.weight, view, doc);
    if (explanation.isMatch) {
      for (const { rescore, weight, rescored } of this.passes) {
        const wasScored = rescored === null || includesSorted(rescored, view.docBase + doc);
        const second = wasScored ? explainWeight(weight, view, doc) : null;
        explanation = explainRescore(rescore, explanation, second);
      }
    }
    return { isMatch: explanation.isMatch, tree: writeJson(renderExplanation(explanation)) };
  }
}

function includesSorted(ords: Uint32Array, ord: number): boolean {
  let low = 0;
  let high = ords.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ords[middle] as number) < ord) low = middle + 1;
    else high = middle;
  }
  return ords[low] === ord;
}

/** @param second null: the document was behind the window */
function explainRescore(rescore: Rescore, first: Explanation, second: Explanation | null): Explanation {
  const weigh = (inner: Explanation, weight: number, name: string): Explanation =>
    explained(explainedValue(inner) * weight, 'product of:', [inner, explained(weight, name)]);
  const primary = weigh(first, rescore.queryWeight, 'primaryWeight');
  if (second === null || !second.isMatch) return primary;
  const secondary = weigh(second, rescore.rescoreQueryWeight, 'secondaryWeight');
  const [a, b] = [explainedValue(primary), explainedValue(secondary)];
  switch (rescore.scoreMode) {
    case 'total':
      return explained(a + b, 'sum of:', [primary, secondary]);
    case 'multiply':
      return explained(a * b, 'product of:', [primary, secondary]);
    case 'avg':
      return explained((a + b) / 2, 'avg of:', [primary, secondary]);
    case 'max':
      return explained(Math.max(a, b), 'max of:', [primary, secondary]);
    case 'min':
      return explained(Math.min(a, b), 'min of:', [primary, secondary]);
  }
}

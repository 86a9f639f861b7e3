/**
 * The explanation of one document under a weight: the weight's own where it has one, else just its score.
 */
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { type Explanation, explained, noMatch } from '../weight/explanation.ts';
import type { Scorer } from '../weight/scorer.ts';
import type { Weight } from '../weight/weight.ts';

export function explainWeight(weight: Weight, view: SegmentView, doc: number): Explanation {
  if (weight.explain) return weight.explain(view, doc);
  const scorer = scorerAt(weight, view, doc);
  const text = weight.text ?? 'query';
  return scorer ? explained(scorer.score(), text) : noMatch(`${text} doesn't match id ${doc}`);
}

/** The weight's scorer at the document; null when it does not match. */
export function scorerAt(weight: Weight, view: SegmentView, doc: number): Scorer | null {
  const scorer = weight.scorer(view);
  return scorer && scorer.advance(doc) === doc ? scorer : null;
}

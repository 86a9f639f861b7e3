/**
 * A planned query over the segments of a search: as it is ranked, and as it is counted, which may leave clauses out.
 */
import type { Searcher } from '../../format/reader/segment-reader.ts';
import type { Kernels } from '../../kernels/search-kernels.ts';
import { type CountedShape, countedShape } from '../../match/kernel-plan/counted-shape.ts';
import { foundIn, type PlannedSegment } from '../../match/kernel-plan/kernel-segment.ts';
import { type ClausesShape, type PlanShape, termsOfShape } from '../../match/weight/plan-shape.ts';

/** A shape, and the segments that may have matches. */
export interface PlannedShape<Shape = CountedShape | ClausesShape> {
  readonly shape: Shape;
  readonly segments: readonly PlannedSegment[];
}

export interface PlannedShapes {
  readonly ranked: PlannedShape;
  /** null: counted by their scores only, or not at all. */
  readonly counted: PlannedShape<CountedShape> | null;
}

/** null when kernels cannot do what is asked for. `counts`: hits are counted; `ranks`: the best are wanted. */
export function planShapes(
  shape: PlanShape,
  searcher: Searcher,
  kernels: Kernels,
  { counts, ranks }: { readonly counts: boolean; readonly ranks: boolean },
): PlannedShapes | null {
  if (!isInLimits(shape, kernels)) return null;
  const countedAs = counts ? countedShape(shape) : null;
  if (countedAs === shape) {
    const both = planned(countedAs, searcher);
    return { ranked: both, counted: both };
  }
  const counted = countedAs && planned(countedAs, searcher);
  if (ranks) return { ranked: planned(shape, searcher), counted };
  return counted && { ranked: counted, counted };
}

function planned<Shape extends CountedShape | ClausesShape>(shape: Shape, searcher: Searcher): PlannedShape<Shape> {
  return { shape, segments: searcher.views.map((view) => foundIn(shape, view)).filter((one) => one !== null) };
}

function isInLimits(shape: PlanShape, kernels: Kernels): boolean {
  if (shape.kind === 'clauses' && shape.clauses.length > kernels.clausesMax()) return false;
  return termsOfShape(shape).length <= kernels.termsMax();
}

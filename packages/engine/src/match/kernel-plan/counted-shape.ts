/**
 * What has the same matches as a planned query and is counted without scores: any, all or some number of terms, or a phrase.
 */
import type { ClausesShape, PlanClause, PlanShape, PlanTerm } from '../weight/plan-shape.ts';

export type CountedShape =
  | Exclude<PlanShape, ClausesShape>
  /** More than one term and less than all. */
  | { readonly kind: 'some'; readonly terms: readonly PlanTerm[]; readonly needed: number };

/** null: its matches are only known by their scores. */
export function countedShape(shape: PlanShape): CountedShape | null {
  if (shape.kind !== 'clauses') return shape;
  const required = shape.clauses.filter(({ isRequired }) => isRequired);
  if (required.length === 0) return countedOptional(shape);
  // Optional clauses add to scores alone.
  if (shape.needed > 0) return null;
  const [only] = required;
  if (required.length === 1 && only) return countedClause(only);
  return required.every(needsAll) ? { kind: 'all', terms: termsOf(required) } : null;
}

function countedOptional({ clauses, needed }: ClausesShape): CountedShape | null {
  const terms = termsOf(clauses);
  if (needed === 1) return clauses.every((clause) => clause.needed === 1) ? { kind: 'any', terms } : null;
  return terms.length === clauses.length ? countedClause({ terms, needed, isRequired: true }) : null;
}

function countedClause({ terms, needed }: PlanClause): CountedShape {
  if (needed === 1) return { kind: 'any', terms };
  return needed === terms.length ? { kind: 'all', terms } : { kind: 'some', terms, needed };
}

function needsAll({ terms, needed }: PlanClause): boolean {
  return needed === terms.length;
}

function termsOf(clauses: readonly PlanClause[]): readonly PlanTerm[] {
  return clauses.flatMap(({ terms }) => terms);
}

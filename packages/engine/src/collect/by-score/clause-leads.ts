/**
 * The terms of which every match of a query of clauses has at least one: the fewer documents they have, the less is read.
 */
import { assert } from '@shoal/core';
import type { Kernels } from '../../kernels/search-kernels.ts';
import type { FoundClause, FoundTerm, PlannedSegment } from '../../match/kernel-plan/kernel-segment.ts';
import type { ClausesShape } from '../../match/weight/plan-shape.ts';

/** Documents of a segment for each of a term that alone leads, from which on it is read block by block and not by windows. */
const SPARSE_RATIO = 16;

/** Terms that lead, and their documents together. */
export interface Leads {
  readonly terms: readonly FoundTerm[];
  readonly cost: number;
}

const NONE: Leads = { terms: [], cost: 0 };

/** Terms of a segment in the order in which kernels take them, by their slots. */
export interface ClauseOrder {
  readonly order: readonly number[];
  /** The first term alone leads, and has few documents. */
  readonly isByBlocks: boolean;
  /** Documents of the terms that lead. */
  readonly cost: number;
}

/** Tells the kernels how the clauses of the segment, whose terms are in their slots, make a score. */
export function setClauses(
  kernels: Kernels,
  address: number,
  { needed, tieBreaker }: Pick<ClausesShape, 'needed' | 'tieBreaker'>,
  { view, found, clauses }: PlannedSegment,
): ClauseOrder {
  const leads = leadsOf(clauses, needed);
  assert(leads.terms.length > 0, `no term leads in ${clauses.length} clauses of ${found.length} terms`);
  const isBest = tieBreaker === null ? 0 : 1;
  kernels.beginClauses(address, clauses.length, needed, isBest, tieBreaker ?? 0, leads.cost);
  const leading = new Set(leads.terms);
  let slot = 0;
  clauses.forEach((clause, index) => {
    const size = clause.found.length;
    assert(clause.needed >= 1 && clause.needed <= size, `clause ${index} needs ${clause.needed} of ${size} terms`);
    const isMandatory = clause.isRequired && clause.needed === size ? 1 : 0;
    kernels.setClause(address, index, clause.needed, clause.isRequired ? 1 : 0);
    for (const term of clause.found) {
      kernels.setClauseTerm(address, slot++, index, leading.has(term) ? 1 : 0, isMandatory);
    }
  });
  assert(slot === found.length, `clauses have ${slot} of ${found.length} terms`);
  const rank = (at: number): number => {
    const term = found[at];
    return term === undefined ? 0 : term.docFreq - (leading.has(term) ? view.segment.docCount : 0);
  };
  const order = found.map((_, at) => at).sort((a, b) => rank(a) - rank(b));
  const isByBlocks = leads.terms.length === 1 && leads.cost * SPARSE_RATIO < view.segment.docCount;
  return { order, isByBlocks, cost: leads.cost };
}

function leadsOf(clauses: readonly FoundClause[], needed: number): Leads {
  const required = clauses.filter(({ isRequired }) => isRequired).map(leadsOfClause);
  const optional = clauses.filter(({ isRequired }) => !isRequired).map(leadsOfClause);
  // A match lacks all but `needed` of the optional clauses at most: one of any more of them it has.
  const ofOptional = needed > 0 ? [united(cheapest(optional, optional.length - needed + 1))] : [];
  const [best] = cheapest([...required, ...ofOptional], 1);
  return best ?? NONE;
}

/** The rarest terms of a clause, so many that every match has one. */
export function leadsOfClause({ found, needed }: FoundClause): Leads {
  const single = found.map((term) => ({ terms: [term], cost: term.docFreq }));
  return united(cheapest(single, found.length - needed + 1));
}

function cheapest(leads: readonly Leads[], count: number): readonly Leads[] {
  return [...leads].sort((a, b) => a.cost - b.cost).slice(0, count);
}

function united(leads: readonly Leads[]): Leads {
  return { terms: leads.flatMap(({ terms }) => terms), cost: leads.reduce((sum, { cost }) => sum + cost, 0) };
}

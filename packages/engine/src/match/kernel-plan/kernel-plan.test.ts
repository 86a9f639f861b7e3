import { describe, expect, test } from 'vitest';
import type { BooleanClauses } from '../weight/boolean-clauses.ts';
import { LocatedTerm } from '../weight/located-term.ts';
import type { PlanTerm } from '../weight/plan-shape.ts';
import type { KernelPlan, Weight } from '../weight/weight.ts';
import { countedShape } from './counted-shape.ts';
import { bestPlan, booleanPlan, planOf } from './kernel-plan.ts';

const searcher = { generation: 1, views: [], maxDoc: 0, liveCount: 0 };
const term = (name: string): PlanTerm => ({ term: new LocatedTerm(searcher, 'f', Buffer.from(name)), bm25: null });
const weight = (plan?: KernelPlan): Weight => ({ scorer: () => null, count: () => -1, ...(plan && { plan }) });
const any = (...names: string[]): Weight => weight(planOf({ kind: 'any', terms: names.map(term) }));
const all = (...names: string[]): Weight => weight(planOf({ kind: 'all', terms: names.map(term) }));
const NONE: BooleanClauses = { must: [], filter: [], should: [], mustNot: [], minimumShouldMatch: 0 };
const bool = (clauses: Partial<BooleanClauses>): KernelPlan | null => booleanPlan({ ...NONE, ...clauses });

const named = (terms: readonly PlanTerm[]): string => terms.map(({ term: { bytes } }) => String(bytes)).join(' ');

/** A plan in a line: `+` is a required clause, and a number says how many terms it needs. */
function told(plan: KernelPlan | null): string | null {
  if (plan === null) return null;
  const { shape } = plan;
  if (shape.kind === 'phrase') return 'phrase';
  if (shape.kind !== 'clauses') return `${shape.kind}(${named(shape.terms)})`;
  const clauses = shape.clauses.map((one) => `${one.isRequired ? '+' : ''}${one.needed}(${named(one.terms)})`);
  return `${shape.tieBreaker === null ? 'sum' : `best~${shape.tieBreaker}`} ${shape.needed} of ${clauses.join(' ')}`;
}

function counted(plan: KernelPlan | null): string | null {
  const shape = plan && countedShape(plan.shape);
  if (shape === null) return null;
  return shape.kind === 'phrase' ? 'phrase' : `${shape.kind}(${named(shape.terms)})`;
}

describe('a boolean query is planned', () => {
  test.each<[string, Partial<BooleanClauses>, string | null, string | null]>([
    ['terms that must match', { must: [any('a'), any('b')] }, 'all(a b)', 'all(a b)'],
    ['terms of which one must match', { should: [any('a'), any('b')] }, 'any(a b)', 'any(a b)'],
    [
      'terms of which some must match',
      { should: [any('a'), any('b'), any('c')], minimumShouldMatch: 2 },
      'sum 0 of +2(a b c)',
      'some(a b c)',
    ],
    [
      'terms that must match beside optional ones',
      { must: [any('a'), any('b')], should: [any('c'), any('d')] },
      'sum 0 of +2(a b) 1(c d)',
      'all(a b)',
    ],
    [
      'a text that must match beside an optional one',
      { must: [any('a', 'b')], should: [all('c', 'd')] },
      'sum 0 of +1(a b) 2(c d)',
      'any(a b)',
    ],
    [
      'terms that must match and some of others',
      { must: [any('a')], should: [any('b'), any('c')], minimumShouldMatch: 1 },
      'sum 0 of +1(a) +1(b c)',
      null,
    ],
    ['several texts that must match', { must: [any('a', 'b'), all('c', 'd')] }, 'sum 0 of +1(a b) +2(c d)', null],
    ['several texts that may match', { should: [any('a', 'b'), any('c')] }, 'sum 1 of 1(a b) 1(c)', 'any(a b c)'],
    [
      'texts of which several must match',
      { should: [any('a', 'b'), any('c'), any('d')], minimumShouldMatch: 2 },
      'sum 2 of 1(a b) 1(c) 1(d)',
      null,
    ],
  ])('of %s', (_name, clauses, plan, count) => {
    expect([told(bool(clauses)), counted(bool(clauses))]).toEqual([plan, count]);
  });

  test('with its filters beside it, whatever its clauses are', () => {
    const [filter, mustNot] = [[weight()], [weight()]];
    const plan = bool({ must: [any('a')], should: [any('b')], filter, mustNot });
    expect(plan).toMatchObject({ filter, excluded: mustNot });
    expect(told(bool({ must: [weight(plan ?? undefined)] }))).toBe('sum 0 of +1(a) 1(b)');
  });

  test.each<[string, Partial<BooleanClauses>]>([
    ['a clause is no sum of terms', { must: [any('a'), weight()], should: [any('b')] }],
    [
      'a clause has filters of its own',
      { must: [any('a')], should: [weight({ ...planOf({ kind: 'any', terms: [term('b')] }), filter: [weight()] })] },
    ],
    [
      'scorers would round what is inside of a clause once more',
      { must: [any('a', 'b'), any('c')], should: [any('d')] },
    ],
    ['all that a filter leaves matches', { filter: [any('a')], should: [any('b'), any('c')] }],
  ])('not where %s', (_name, clauses) => {
    expect(bool(clauses)).toBeNull();
  });
});

describe('the best of several queries is planned', () => {
  test('of terms and texts, and counted as any of them where none needs several', () => {
    const plan = bestPlan([any('a'), any('b', 'c')], 0.25);
    expect([told(plan), counted(plan)]).toEqual(['best~0.25 1 of 1(a) 1(b c)', 'any(a b c)']);
    const strict = bestPlan([any('a'), all('b', 'c')], 0);
    expect([told(strict), counted(strict)]).toEqual(['best~0 1 of 1(a) 2(b c)', null]);
  });

  test('not where one is no sum of terms, or others would count less than nothing', () => {
    const inner = bestPlan([any('a'), any('b')], 0);
    expect(bestPlan([any('a'), any('b')], -0.5)).toBeNull();
    expect([bestPlan([any('a'), weight()], 0), bestPlan([any('a'), weight(inner ?? undefined)], 0)]).toEqual([
      null,
      null,
    ]);
  });
});

/**
 * Interval sources whose terms are known, put together as Lucene puts them together.
 *
 * Sources of one kind inside each other become one; equal sources side by side stand for so many occurrences; choices are
 * pulled out of what is made of them, since the shortest range of a choice may not be the one that fits.
 */
import { illegalArgument, unreachable } from '@shoal/core';
import type { IntervalRelation } from '@shoal/query';
import type { ScriptRequest } from '@shoal/script';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';

export type IntervalPlan =
  | { readonly kind: 'term'; readonly field: string; readonly term: Uint8Array }
  | { readonly kind: 'any' | 'ordered' | 'block' | 'unordered'; readonly sources: readonly IntervalPlan[] }
  /** Any of the terms that a pattern was written out as: one source, whose choices are not pulled out of it. */
  | {
      readonly kind: 'multi';
      readonly field: string;
      readonly pattern: string;
      readonly sources: readonly IntervalPlan[];
    }
  /** So many ranges of the source, one behind the other. */
  | {
      readonly kind: 'repeated';
      readonly source: IntervalPlan;
      readonly count: number;
      readonly of: 'ordered' | 'unordered';
    }
  | { readonly kind: 'maxGaps'; readonly source: IntervalPlan; readonly maxGaps: number }
  | { readonly kind: 'extended'; readonly source: IntervalPlan; readonly before: number }
  /** Ranges that a script takes. */
  | { readonly kind: 'scripted'; readonly source: IntervalPlan; readonly script: ScriptRequest }
  | {
      readonly kind: 'related';
      readonly source: IntervalPlan;
      readonly reference: IntervalPlan;
      readonly relation: IntervalRelation;
    };

/** Any of the sources, each once. */
export function anyPlan(sources: readonly IntervalPlan[]): IntervalPlan {
  const distinct = new Map<string, IntervalPlan>();
  for (const source of sources.flatMap(choicesOf)) distinct.set(keyOf(source), source);
  const [only] = distinct.values();
  return distinct.size === 1 && only ? only : { kind: 'any', sources: [...distinct.values()] };
}

/** Sources one behind the other, or in any order. */
export function sequencePlan(kind: 'ordered' | 'unordered', sources: readonly IntervalPlan[]): IntervalPlan {
  const flat = sources.flatMap((source) => (source.kind === kind ? source.sources : [source]));
  const counted = kind === 'ordered' ? repeatedNeighbours(flat) : repeatedAnywhere(flat);
  const [only] = counted;
  return counted.length === 1 && only ? only : { kind, sources: counted };
}

/** Sources without anything between them. */
export function blockPlan(sources: readonly IntervalPlan[]): IntervalPlan {
  const flat = sources.flatMap((source) => (source.kind === 'block' ? source.sources : [source]));
  return anyPlan(combinations(flat).map((chosen) => ({ kind: 'block', sources: chosen })));
}

export function maxGapsPlan(source: IntervalPlan, maxGaps: number): IntervalPlan {
  return anyPlan(separateChoices(source).map((one) => ({ kind: 'maxGaps', source: one, maxGaps })));
}

export function extendedPlan(source: IntervalPlan, before: number): IntervalPlan {
  return { kind: 'extended', source, before };
}

export function relatedPlan(source: IntervalPlan, reference: IntervalPlan, relation: IntervalRelation): IntervalPlan {
  return anyPlan(separateChoices(source).map((one) => ({ kind: 'related', source: one, reference, relation })));
}

/** Positions that a range has at least. */
export function minExtent(plan: IntervalPlan): number {
  switch (plan.kind) {
    case 'term':
      return 1;
    case 'multi':
      return 1;
    case 'any':
      return plan.sources.length === 0 ? 0 : Math.min(...plan.sources.map(minExtent));
    case 'ordered':
    case 'block':
    case 'unordered':
      return plan.sources.reduce((sum, source) => sum + minExtent(source), 0);
    case 'repeated':
    case 'maxGaps':
    case 'scripted':
      return minExtent(plan.source);
    case 'extended':
      return minExtent(plan.source) + plan.before;
    case 'related':
      if (plan.relation !== 'containing') return minExtent(plan.source);
      return Math.max(minExtent(plan.source), minExtent(plan.reference));
    default:
      return unreachable(plan);
  }
}

function repeated(source: IntervalPlan, count: number, of: 'ordered' | 'unordered'): IntervalPlan {
  return count === 1 ? source : { kind: 'repeated', source, count, of };
}

function repeatedNeighbours(sources: readonly IntervalPlan[]): IntervalPlan[] {
  const counted: { readonly key: string; readonly source: IntervalPlan; count: number }[] = [];
  for (const source of sources) {
    const key = keyOf(source);
    const last = counted.at(-1);
    if (last?.key === key) last.count++;
    else counted.push({ key, source, count: 1 });
  }
  return counted.map(({ source, count }) => repeated(source, count, 'ordered'));
}

function repeatedAnywhere(sources: readonly IntervalPlan[]): IntervalPlan[] {
  const counted = new Map<string, { readonly source: IntervalPlan; count: number }>();
  for (const source of sources) {
    const key = keyOf(source);
    const known = counted.get(key);
    if (known) known.count++;
    else counted.set(key, { source, count: 1 });
  }
  return [...counted.values()].map(({ source, count }) => repeated(source, count, 'unordered'));
}

/** The sources that a source is a choice of. */
function choicesOf(plan: IntervalPlan): readonly IntervalPlan[] {
  switch (plan.kind) {
    case 'any':
      // A source that finds nothing is a choice like any other: ranges beside it count as longer than they must be.
      return plan.sources.length === 0 ? [plan] : plan.sources;
    case 'ordered':
    case 'unordered':
    case 'block': {
      const { kind } = plan;
      return combinations(plan.sources).map((sources) => ({ kind, sources }));
    }
    default:
      return [plan];
  }
}

/** Choices of one position stay together: which of them stands there makes no difference. */
function separateChoices(plan: IntervalPlan): readonly IntervalPlan[] {
  const choices = choicesOf(plan);
  if (choices.length <= 1) return [plan];
  const short = choices.filter((choice) => minExtent(choice) === 1);
  const long = choices.filter((choice) => minExtent(choice) !== 1);
  return short.length === 0 ? long : [anyOfShort(short), ...long];
}

function anyOfShort(sources: readonly IntervalPlan[]): IntervalPlan {
  const [only] = sources;
  return sources.length === 1 && only ? only : { kind: 'any', sources };
}

/** Every way to choose one of the choices of each source. */
function combinations(sources: readonly IntervalPlan[]): IntervalPlan[][] {
  let chosen: IntervalPlan[][] = [[]];
  for (const source of sources) {
    const choices = separateChoices(source);
    if (chosen.length * choices.length > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
    chosen = choices.flatMap((choice) => chosen.map((list) => [...list, choice]));
  }
  return chosen;
}

/** Equal for equal plans. */
function keyOf(plan: IntervalPlan): string {
  switch (plan.kind) {
    case 'term':
      return JSON.stringify([plan.field, Buffer.from(plan.term).toString('latin1')]);
    case 'any':
      return `any(${plan.sources.map(keyOf).sort().join()})`;
    case 'ordered':
    case 'block':
      return `${plan.kind}(${plan.sources.map(keyOf).join()})`;
    case 'unordered':
      return `unordered(${plan.sources.map(keyOf).sort().join()})`;
    case 'multi':
      return `multi(${JSON.stringify([plan.field, plan.pattern])})`;
    case 'repeated':
      return `${plan.count}*(${keyOf(plan.source)})`;
    case 'maxGaps':
      return `gaps${plan.maxGaps}(${keyOf(plan.source)})`;
    case 'extended':
      return `extended${plan.before}(${keyOf(plan.source)})`;
    case 'scripted':
      return `script${JSON.stringify(plan.script)}(${keyOf(plan.source)})`;
    case 'related':
      return `${plan.relation}(${keyOf(plan.source)},${keyOf(plan.reference)})`;
    default:
      return unreachable(plan);
  }
}

/**
 * Span queries to weights: terms by the shard's mapping and dictionaries, then one node for each part in each segment.
 */
import { illegalArgument, unreachable } from '@shoal/core';
import type { FuzzyQuery, PatternQuery, QueryValue, Span } from '@shoal/query';
import { fieldType } from '../../field-types/field-types.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, utf8Bytes } from '../context/compile-context.ts';
import { refuseExpensive } from '../context/refuse-expensive.ts';
import { explainIdf, explainIdfSum } from '../explain/explain-score.ts';
import { type PositionNode, TermNode } from '../positions/position-node.ts';
import { positionWeight, SpanScore, type SpanScoreParts } from '../positions/position-weight.ts';
import {
  AnySpan,
  OrderedNear,
  SpanBeginning,
  SpanExclusion,
  SpanNesting,
  UnorderedNear,
} from '../positions/span-nodes.ts';
import type { StatisticsCache } from '../scorers/statistics-cache.ts';
import { termCursor } from '../scorers/term-weight.ts';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';
import { parseRewrite } from '../term-sets/rewritten-terms.ts';
import { explainedValue } from '../weight/explanation.ts';
import { NONE_WEIGHT, type Weight } from '../weight/weight.ts';
import { termsOfAutomaton } from './automaton-terms.ts';
import { nearestTerms } from './compile-fuzzy.ts';
import { patternAutomaton } from './compile-patterns.ts';
import { textOfSpan } from './span-text.ts';

/** A span whose terms are known. */
type SpanPlan =
  | { readonly kind: 'term'; readonly field: string; readonly term: Uint8Array }
  | { readonly kind: 'gap'; readonly width: number }
  | { readonly kind: 'or'; readonly clauses: readonly SpanPlan[] }
  | { readonly kind: 'near'; readonly clauses: readonly SpanPlan[]; readonly slop: number; readonly isOrdered: boolean }
  | {
      readonly kind: 'not';
      readonly include: SpanPlan;
      readonly exclude: SpanPlan;
      readonly pre: number;
      readonly post: number;
    }
  | { readonly kind: 'first'; readonly match: SpanPlan; readonly end: number }
  | { readonly kind: 'containing' | 'within'; readonly big: SpanPlan; readonly little: SpanPlan };

export function spanWeight(ctx: CompileContext, span: Span, use: ClauseUse): Weight {
  // A mask counts for the spans around it: alone, a span is scored in its own field.
  if (span.kind === 'masked') return spanWeight(ctx, span.query, use);
  const only = onlyClause(span);
  if (only !== null) return spanWeight(ctx, only, use);
  const mapping = ctx.mapping.field(fieldOf(span));
  if (!mapping) return NONE_WEIGHT;
  const field = mapping.path;
  const plan = planOf(ctx, span);
  const text = textOfPlan(plan);
  const score = use.isScored ? new SpanScore(spanScoreParts(ctx.statistics, { field, plan, text }, use.boost)) : null;
  const weight = positionWeight({ field, text, node: (view) => spanNode(view, plan), score, missing: 'term' });
  return { ...weight, plainText: textOfSpan(span) };
}

/** The field that a span stands for. @throws ShoalError when its clauses stand for several */
function fieldOf(span: Span): string {
  switch (span.kind) {
    case 'term':
    case 'gap':
    case 'masked':
      return span.field;
    case 'multi':
      return span.query.field;
    case 'near':
      return commonField(
        span.clauses,
        (clause, field) => `Cannot add clause ${textOfSpan(clause)} to SpanNearQuery for field ${field}`,
      );
    case 'or':
      return commonField(span.clauses, () => 'Clauses must have same field.');
    case 'not':
      return commonField([span.include, span.exclude], () => 'Clauses must have same field.');
    case 'first':
      return fieldOf(span.match);
    case 'containing':
    case 'within':
      return commonField([span.big, span.little], () => 'big and little not same field');
    default:
      return unreachable(span);
  }
}

/** @param complaint of the first clause that stands for another field than the first one */
function commonField(spans: readonly Span[], complaint: (clause: Span, field: string) => string): string {
  const fields = spans.map(fieldOf);
  const [first = ''] = fields;
  const other = spans[fields.findIndex((field) => field !== first)];
  if (other !== undefined) throw illegalArgument(complaint(other, first));
  return first;
}

/** Clause of a `near` that has nothing to be near to: it stands for the whole. */
function onlyClause(span: Span): Span | null {
  return span.kind === 'near' && span.clauses.length === 1 ? (span.clauses[0] ?? null) : null;
}

function planOf(ctx: CompileContext, span: Span): SpanPlan {
  const plan = (inner: Span): SpanPlan => planOf(ctx, inner);
  switch (span.kind) {
    case 'term':
      return termPlan(ctx, span.field, span.value);
    case 'multi':
      return multiPlan(ctx, span.query);
    case 'gap':
      return { kind: 'gap', width: span.width };
    case 'masked':
      return plan(span.query);
    case 'near':
    case 'or': {
      const only = onlyClause(span);
      return only === null ? { ...span, clauses: span.clauses.map(plan) } : plan(only);
    }
    case 'not':
      return { ...span, include: plan(span.include), exclude: plan(span.exclude) };
    case 'first':
      return { kind: 'first', match: plan(span.match), end: span.end };
    case 'containing':
    case 'within':
      return { kind: span.kind, big: plan(span.big), little: plan(span.little) };
    default:
      return unreachable(span);
  }
}

/** Terms are not analysed. */
function termPlan(ctx: CompileContext, field: string, value: QueryValue): SpanPlan {
  const path = checkedPath(ctx, field, String(value));
  return { kind: 'term', field: path, term: utf8Bytes(String(value)) };
}

/** Path of a field that has positions, or the name of one that is not mapped. */
function checkedPath(ctx: CompileContext, field: string, term: string): string {
  const mapping = ctx.mapping.field(field);
  if (!mapping || (fieldType(mapping.kind).textQueries === 'words' && mapping.hasPositions))
    return mapping?.path ?? field;
  throw illegalArgument(`field "${field}" was indexed without position data; cannot run SpanTermQuery (term=${term})`);
}

function multiPlan(ctx: CompileContext, query: PatternQuery | FuzzyQuery): SpanPlan {
  const field = checkedPath(ctx, query.field, String(query.value));
  // Prefixes are allowed in spans.
  if (query.kind !== 'prefix') refuseExpensive(ctx, query.kind);
  const rewrite = query.rewrite === null ? null : parseRewrite(query.rewrite);
  const found =
    query.kind === 'fuzzy'
      ? nearestTerms(ctx, field, String(query.value), query).map(({ term }) => term)
      : termsOfAutomaton(ctx, field, patternAutomaton(query));
  const best = rewrite !== null && 'count' in rewrite ? found.slice(0, rewrite.count) : found;
  if (best.length > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
  return { kind: 'or', clauses: best.map((term) => ({ kind: 'term', field, term })) };
}

/** The idf of a span is the sum of its terms', each counted once; terms that are excluded make no difference. */
function spanScoreParts(
  statistics: StatisticsCache,
  { field, plan, text }: { readonly field: string; readonly plan: SpanPlan; readonly text: string },
  boost: number,
): SpanScoreParts {
  const terms = new Map<string, { readonly field: string; readonly term: Uint8Array }>();
  for (const one of termsOf(plan)) terms.set(`${one.field}\0${Buffer.from(one.term).toString('latin1')}`, one);
  const ofField = statistics.field(field);
  const sorted = [...terms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, term]) => term);
  const counts = sorted.map(({ field: of, term }) => statistics.term(of, term));
  const occurring = counts.filter(({ docFreq }) => docFreq > 0);
  const idfs = occurring.map(({ docFreq }) => explainIdf(docFreq, ofField.docCount));
  const sum = idfs.reduce((total, one) => total + explainedValue(one), 0);
  const scores = statistics.scores(field, { boost, idf: Math.fround(sum), terms: occurring });
  return { text, scores, idf: explainIdfSum(sum, idfs), statistics: ofField };
}

/** Text of a span in Lucene's notation. */
function textOfPlan(plan: SpanPlan): string {
  const list = (plans: readonly SpanPlan[]): string => `[${plans.map(textOfPlan).join(', ')}]`;
  switch (plan.kind) {
    case 'term':
      return `${plan.field}:${Buffer.from(plan.term).toString('utf8')}`;
    case 'gap':
      return `SpanGap(${plan.width})`;
    case 'or':
      return `spanOr(${list(plan.clauses)})`;
    case 'near':
      return `spanNear(${list(plan.clauses)}, ${plan.slop}, ${plan.isOrdered})`;
    case 'not':
      return `spanNot(${textOfPlan(plan.include)}, ${textOfPlan(plan.exclude)}, ${plan.pre}, ${plan.post})`;
    case 'first':
      return `spanFirst(${textOfPlan(plan.match)}, ${plan.end})`;
    case 'containing':
      return `SpanContaining(${textOfPlan(plan.big)}, ${textOfPlan(plan.little)})`;
    case 'within':
      return `SpanWithin(${textOfPlan(plan.big)}, ${textOfPlan(plan.little)})`;
    default:
      return unreachable(plan);
  }
}

function* termsOf(plan: SpanPlan): Generator<{ readonly field: string; readonly term: Uint8Array }> {
  switch (plan.kind) {
    case 'term':
      yield plan;
      return;
    case 'gap':
      return;
    case 'near':
    case 'or':
      for (const clause of plan.clauses) yield* termsOf(clause);
      return;
    case 'not':
      yield* termsOf(plan.include);
      return;
    case 'first':
      yield* termsOf(plan.match);
      return;
    case 'containing':
    case 'within':
      yield* termsOf(plan.big);
      yield* termsOf(plan.little);
      return;
    default:
      unreachable(plan);
  }
}

/** null when it cannot stand anywhere in the segment. */
function spanNode(view: SegmentView, plan: SpanPlan): PositionNode | null {
  switch (plan.kind) {
    case 'term': {
      const cursor = termCursor(view, plan.field, plan.term);
      return cursor && new TermNode(cursor);
    }
    case 'gap':
      return null;
    case 'or': {
      const nodes = plan.clauses.map((clause) => spanNode(view, clause)).filter((node) => node !== null);
      return nodes.length === 0 ? null : new AnySpan(nodes);
    }
    case 'near':
      return nearNode(view, plan);
    case 'not': {
      const [include, exclude] = [spanNode(view, plan.include), spanNode(view, plan.exclude)];
      return include && exclude ? new SpanExclusion(include, exclude, plan) : include;
    }
    case 'first': {
      const match = spanNode(view, plan.match);
      return match && new SpanBeginning(match, plan.end);
    }
    case 'containing':
    case 'within': {
      const [big, little] = [spanNode(view, plan.big), spanNode(view, plan.little)];
      return big && little && new SpanNesting(big, little, plan.kind === 'containing');
    }
    default:
      return unreachable(plan);
  }
}

function nearNode(view: SegmentView, plan: Extract<SpanPlan, { kind: 'near' }>): PositionNode | null {
  const nodes: PositionNode[] = [];
  const places: (PositionNode | { readonly width: number })[] = [];
  for (const clause of plan.clauses) {
    if (clause.kind === 'gap') {
      places.push({ width: clause.width });
      continue;
    }
    const node = spanNode(view, clause);
    if (!node) return null;
    nodes.push(node);
    places.push(node);
  }
  const [only] = nodes;
  if (only && places.length === 1) return only;
  return plan.isOrdered ? new OrderedNear(places, plan.slop) : new UnorderedNear(nodes, plan.slop);
}

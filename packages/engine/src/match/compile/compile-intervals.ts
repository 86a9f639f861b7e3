/**
 * The intervals query to a weight: texts cut into terms by the field's analyzer, then one node for each source in each
 * segment.
 */
import { editAutomaton, type LazyDfa, REGEXP_STATES_DEFAULT } from '@shoal/automata';
import { illegalArgument, unreachable } from '@shoal/core';
import type {
  IntervalFuzzy,
  IntervalMatch,
  IntervalPattern,
  IntervalRelation,
  IntervalSource,
  IntervalsQuery,
} from '@shoal/query';
import { type FieldMapping, sideFieldKind } from '@shoal/schema';
import { intervalTest, type ScriptRequest } from '@shoal/script';
import { fieldType } from '../../field-types/field-types.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import {
  AnyInterval,
  contains,
  ExtendedInterval,
  isAfter,
  isBefore,
  isContained,
  LimitedGaps,
  OrderedIntervals,
  overlaps,
  type RangeRelation,
  RelatedIntervals,
  RepeatedInterval,
  reachesInto,
  UnorderedIntervals,
} from '../positions/interval-nodes.ts';
import {
  anyPlan,
  blockPlan,
  extendedPlan,
  type IntervalPlan,
  maxGapsPlan,
  minExtent,
  relatedPlan,
  sequencePlan,
} from '../positions/interval-plans.ts';
import { textOfIntervals } from '../positions/interval-text.ts';
import { type PositionNode, TermNode } from '../positions/position-node.ts';
import { IntervalScore, positionWeight } from '../positions/position-weight.ts';
import { ScriptedIntervals } from '../positions/scripted-intervals.ts';
import { termCursor } from '../scorers/term-weight.ts';
import { storedScriptMissing } from '../scripts/document-script.ts';
import { NONE_WEIGHT, type Weight } from '../weight/weight.ts';
import { termsOfAutomaton } from './automaton-terms.ts';
import { analyzeQueryText, searchAnalyzer } from './compile-full-text.ts';
import { checkFuzzyLimits, maxEdits } from './compile-fuzzy.ts';
import { patternAutomaton } from './compile-patterns.ts';
import { foldedPattern } from './folded-pattern.ts';

/** Terms that one pattern may be written out as. */
const EXPANSIONS_MAX = 128;

export function intervalsWeight(ctx: CompileContext, query: IntervalsQuery, use: ClauseUse): Weight {
  const field = ctx.mapping.field(query.field);
  if (!field) return NONE_WEIGHT;
  const plan = planOf(ctx, field, query.source);
  const text = `${field.path}:${textOfIntervals(plan)}`;
  const score = use.isScored ? new IntervalScore(text, use.boost, minExtent(plan)) : null;
  const node = (view: SegmentView): PositionNode | null => intervalNode(view, plan);
  return positionWeight({ field: field.path, text, node, score, missing: 'intervals' });
}

function checkPositions(field: FieldMapping): void {
  const side = sideFieldKind(field);
  if (fieldType(field.kind).textQueries !== 'words' || side !== null) {
    throw illegalArgument(
      `Can only use interval queries on text fields - not on [${field.path}] which is of type [${side ?? field.kind}]`,
    );
  }
  if (field.hasPositions) return;
  throw illegalArgument(`Cannot create intervals over field [${field.path}] with no positions indexed`);
}

function planOf(ctx: CompileContext, field: FieldMapping, source: IntervalSource): IntervalPlan {
  const plan = unfiltered(ctx, field, source);
  if (source.filter === null) return plan;
  const { filter } = source;
  if (filter.relation === 'script') return scriptedPlan(plan, filter.script);
  return relatedPlan(plan, planOf(ctx, field, filter.source), filter.relation);
}

/** @throws ShoalError where the script does not compile, or is not stored: also where no document has the words */
function scriptedPlan(source: IntervalPlan, script: ScriptRequest): IntervalPlan {
  if (script.source === null) throw storedScriptMissing(script);
  intervalTest(script);
  return { kind: 'scripted', source, script };
}

function unfiltered(ctx: CompileContext, field: FieldMapping, source: IntervalSource): IntervalPlan {
  switch (source.kind) {
    case 'match':
      return matchPlan(ctx, fieldFor(ctx, field, source), source);
    case 'anyOf':
      return anyPlan(source.sources.map((one) => planOf(ctx, field, one)));
    case 'allOf':
      return combined(
        source.sources.map((one) => planOf(ctx, field, one)),
        source,
      );
    case 'prefix':
    case 'wildcard':
    case 'regexp':
      return patternPlan(ctx, fieldFor(ctx, field, source), source);
    case 'fuzzy':
      return fuzzyPlan(ctx, fieldFor(ctx, field, source), source);
    default:
      return unreachable(source);
  }
}

function fieldFor(ctx: CompileContext, field: FieldMapping, { useField }: { useField: string | null }): FieldMapping {
  const chosen = useField === null ? field : ctx.mapping.field(useField);
  if (!chosen) throw illegalArgument(`Cannot create intervals over field [${useField}], which is not mapped`);
  checkPositions(chosen);
  return chosen;
}

const NOTHING: IntervalPlan = { kind: 'any', sources: [] };

function combined(
  sources: readonly IntervalPlan[],
  { maxGaps, isOrdered }: { readonly maxGaps: number; readonly isOrdered: boolean },
): IntervalPlan {
  const [first] = sources;
  if (!first) return NOTHING;
  if (sources.length === 1) return first;
  if (maxGaps === 0 && isOrdered) return blockPlan(sources);
  const inner = sequencePlan(isOrdered ? 'ordered' : 'unordered', sources);
  return maxGaps < 0 ? inner : maxGapsPlan(inner, maxGaps);
}

/** Terms at one place are choices; places that analysis left empty count as positions. */
function matchPlan(ctx: CompileContext, field: FieldMapping, source: IntervalMatch): IntervalPlan {
  const places: IntervalPlan[] = [];
  const choices = new Map<number, IntervalPlan[]>();
  for (const { term, position } of analyzeQueryText(searchAnalyzer(ctx, field, source.analyzer), source.text)) {
    const terms = choices.get(position) ?? [];
    choices.set(position, terms);
    terms.push({ kind: 'term', field: field.path, term });
  }
  // What is before a word that stands alone does not count.
  let last = choices.size === 1 ? null : -1;
  for (const [position, terms] of choices) {
    const place = anyPlan(terms);
    const before = last === null ? 0 : position - last - 1;
    places.push(before > 0 ? extendedPlan(place, before) : place);
    last = position;
  }
  return combined(places, source);
}

function patternPlan(ctx: CompileContext, field: FieldMapping, source: IntervalPattern): IntervalPlan {
  const { kind, isCaseInsensitive, operators } = source;
  const value = kind === 'regexp' ? source.pattern : foldedPattern(ctx, field, source.analyzer, source.pattern);
  const automaton = patternAutomaton({ kind, value, isCaseInsensitive, operators, statesMax: REGEXP_STATES_DEFAULT });
  return expanded(ctx, field, automaton, kind === 'prefix' ? `${value}*` : value);
}

function fuzzyPlan(ctx: CompileContext, field: FieldMapping, source: IntervalFuzzy): IntervalPlan {
  const word = foldedPattern(ctx, field, source.analyzer, source.term);
  const { prefixLength, hasTranspositions } = source;
  checkFuzzyLimits({ prefixLength, maxExpansions: EXPANSIONS_MAX });
  const edits = maxEdits(source.fuzziness, [...word].length);
  const automaton = editAutomaton({ word, maxEdits: edits, prefixLength, hasTranspositions });
  return expanded(ctx, field, automaton, word);
}

function expanded(ctx: CompileContext, field: FieldMapping, automaton: LazyDfa, pattern: string): IntervalPlan {
  const terms = termsOfAutomaton(ctx, field.path, automaton);
  if (terms.length > EXPANSIONS_MAX) {
    throw illegalArgument(`Automaton [${pattern}] expanded to too many terms (limit ${EXPANSIONS_MAX})`);
  }
  return {
    kind: 'multi',
    field: field.path,
    pattern,
    sources: terms.map((term) => ({ kind: 'term', field: field.path, term })),
  };
}

/** null when it cannot stand anywhere in the segment. */
function intervalNode(view: SegmentView, plan: IntervalPlan): PositionNode | null {
  switch (plan.kind) {
    case 'term': {
      const cursor = termCursor(view, plan.field, plan.term);
      return cursor && new TermNode(cursor);
    }
    case 'multi':
    case 'any': {
      const nodes = plan.sources.map((source) => intervalNode(view, source)).filter((node) => node !== null);
      return nodes.length === 0 ? null : new AnyInterval(nodes);
    }
    case 'ordered':
    case 'block':
    case 'unordered': {
      const nodes = plan.sources.map((source) => intervalNode(view, source)).filter((node) => node !== null);
      if (nodes.length < plan.sources.length) return null;
      return plan.kind === 'unordered'
        ? new UnorderedIntervals(nodes)
        : new OrderedIntervals(nodes, plan.kind === 'block');
    }
    case 'repeated': {
      const source = intervalNode(view, plan.source);
      return source && new RepeatedInterval(source, plan.count);
    }
    case 'maxGaps': {
      const source = intervalNode(view, plan.source);
      return source && new LimitedGaps(source, plan.maxGaps);
    }
    case 'extended': {
      const source = intervalNode(view, plan.source);
      return source && new ExtendedInterval(source, plan.before);
    }
    case 'scripted': {
      const source = intervalNode(view, plan.source);
      return source && new ScriptedIntervals(source, intervalTest(plan.script));
    }
    case 'related':
      return relatedNode(view, plan);
    default:
      return unreachable(plan);
  }
}

const RELATIONS: Readonly<Record<IntervalRelation, { relation: RangeRelation; isWanted: boolean }>> = {
  containing: { relation: contains, isWanted: true },
  not_containing: { relation: reachesInto, isWanted: false },
  contained_by: { relation: isContained, isWanted: true },
  not_contained_by: { relation: isContained, isWanted: false },
  overlapping: { relation: overlaps, isWanted: true },
  not_overlapping: { relation: overlaps, isWanted: false },
  before: { relation: isBefore, isWanted: true },
  after: { relation: isAfter, isWanted: true },
};

function relatedNode(view: SegmentView, plan: Extract<IntervalPlan, { kind: 'related' }>): PositionNode | null {
  const source = intervalNode(view, plan.source);
  const reference = source && intervalNode(view, plan.reference);
  const { relation, isWanted } = RELATIONS[plan.relation];
  if (!source || !reference) return isWanted ? null : source;
  return new RelatedIntervals(source, reference, relation, isWanted);
}

/**
 * Interval sources as Lucene prints them.
 */
import { assert, unreachable } from '@shoal/core';
import type { IntervalPlan } from './interval-plans.ts';

const UNLIMITED = 2_147_483_647;

export function textOfIntervals(plan: IntervalPlan): string {
  const list = (name: string, sources: readonly IntervalPlan[]): string =>
    `${name}(${sources.map(textOfIntervals).join(',')})`;
  switch (plan.kind) {
    case 'term':
      return Buffer.from(plan.term).toString('utf8');
    case 'any':
      return plan.sources.length === 0 ? 'no_match' : list('or', plan.sources);
    case 'multi':
      return `MultiTerm(${plan.pattern})`;
    case 'ordered':
      return list('ORDERED', plan.sources);
    case 'unordered':
      return list('UNORDERED', plan.sources);
    case 'block':
      return list('BLOCK', plan.sources);
    case 'repeated':
      assert(plan.count > 1, `${plan.count} occurrences of an interval`);
      return list(
        plan.of.toUpperCase(),
        Array.from({ length: plan.count }, () => plan.source),
      );
    case 'maxGaps':
      return `MAXGAPS/${plan.maxGaps}(${textOfIntervals(plan.source)})`;
    case 'extended':
      return `EXTEND(${textOfIntervals(plan.source)},${plan.before},0)`;
    case 'scripted':
      return `FILTER(${plan.script.source ?? plan.script.id})(${textOfIntervals(plan.source)})`;
    case 'related':
      return relatedText(plan);
    default:
      return unreachable(plan);
  }
}

function relatedText({ source, reference, relation }: Extract<IntervalPlan, { kind: 'related' }>): string {
  const [of, by] = [textOfIntervals(source), textOfIntervals(reference)];
  switch (relation) {
    case 'containing':
    case 'not_containing':
    case 'contained_by':
    case 'not_contained_by':
    case 'overlapping':
      return `${relation.toUpperCase()}(${of},${by})`;
    case 'not_overlapping':
      return `NON_OVERLAPPING(${of},${by})`;
    case 'before':
      return `CONTAINED_BY(${of},EXTEND(PRECEDING(${by}),${UNLIMITED},0))`;
    case 'after':
      return `CONTAINED_BY(${of},EXTEND(FOLLOWING(${by}),0,${UNLIMITED}))`;
    default:
      return unreachable(relation);
  }
}

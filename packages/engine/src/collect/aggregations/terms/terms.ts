/**
 * Collectors of `terms` and `rare_terms`.
 */

import type { BucketKey, TermsAggregation } from '@shoal/aggregations';
import { ALL_REGEXP_OPERATORS, REGEXP_STATES_DEFAULT, regexpAutomaton } from '@shoal/automata';
import { illegalArgument } from '@shoal/core';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import type { CollectorContext, CollectorKind } from '../collector/collector-kind.ts';
import { declaredSource } from '../values/declared-type.ts';
import { keyOf, type ResolvedSource, takesPatterns, termOfKey } from '../values/field-values.ts';
import { NumberTermsCollector } from './number-terms-collector.ts';
import { numberChoice, textChoice } from './terms-choice.ts';
import { TextTermsCollector } from './text-terms-collector.ts';

export const terms: CollectorKind<TermsAggregation> = {
  ignoresQuery: () => false,
  collector: (context, aggregation, children) => {
    const type = aggregation.maxDocCount === null ? 'terms' : 'rare_terms';
    const source = declaredSource(context.compile, aggregation.source, type);
    if (aggregation.maxDocCount !== null && source.keyKind === 'double') {
      throw illegalArgument('RareTerms aggregation does not support floating point fields.');
    }
    return termsCollector(context, aggregation, source, children);
  },
};

/** Counts the values of a source. @throws ShoalError for what the source does not allow */
export function termsCollector(
  { compile, isTop }: Pick<CollectorContext, 'compile' | 'isTop'>,
  aggregation: TermsAggregation,
  source: ResolvedSource,
  children: ChildBatch,
): BucketCollector {
  const { choice, name } = aggregation;
  const { views } = compile.searcher;
  if (source.keyKind !== 'text') {
    const numbers = choice && numberChoice(choice, compile, source, name);
    return new NumberTermsCollector({ aggregation, source, views, children, isTop, choice: numbers });
  }
  if (choice?.kind === 'pattern' && !takesPatterns(source)) {
    throw illegalArgument(
      `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of values for include/exclude clauses`,
    );
  }
  const termBytes = (value: string): Uint8Array => termOfKey(source, keyOf(compile, value, source));
  const texts = choice && textChoice(choice, termBytes, patternTest);
  if (source.scripted !== undefined) {
    const takes = texts && { takes: (key: BucketKey): boolean => texts.takesText(termOfKey(source, key)) };
    return new NumberTermsCollector({ aggregation, source, views, children, isTop, choice: takes });
  }
  return new TextTermsCollector({
    aggregation,
    source,
    views,
    fielddata: compile.fielddata ?? null,
    usesNumbers: usesNumbers(aggregation),
    children,
    isTop,
    choice: texts,
  });
}

/** @throws ShoalError for a hint that names no way of telling texts apart */
function usesNumbers({ executionHint }: TermsAggregation): boolean {
  if (executionHint === null || executionHint === 'global_ordinals') return true;
  if (executionHint === 'map') return false;
  throw illegalArgument(`Unknown \`execution_hint\`: [${executionHint}], expected any of [map, global_ordinals]`);
}

/** Test of terms by the regular expression of `include` or `exclude`. */
function patternTest(pattern: string): (bytes: Uint8Array) => boolean {
  const automaton = regexpAutomaton({
    pattern,
    operators: ALL_REGEXP_OPERATORS,
    ignoresCase: false,
    statesMax: REGEXP_STATES_DEFAULT,
  });
  return (bytes) => automaton.matches(bytes);
}

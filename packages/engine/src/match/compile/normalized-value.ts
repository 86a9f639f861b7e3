/**
 * Whole values of queries in the form that a field with a normalizer indexes.
 */
import type { Analyzer } from '@shoal/analysis';
import { illegalArgument } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import type { CompileContext } from '../context/compile-context.ts';

/** Normalizer of a field; null where values are kept as they are. */
export function normalizerOf({ analyzers }: Pick<CompileContext, 'analyzers'>, field: FieldMapping): Analyzer | null {
  const { normalizer } = field;
  if (normalizer === '') return null;
  const found = analyzers.normalizer(normalizer);
  if (found === null) throw illegalArgument(`normalizer [${normalizer}] not found for field [${field.path}]`);
  return found;
}

/** Words, each changed by a normalizer. */
export function normalizedWords(words: Analyzer, normalizer: Analyzer): Analyzer {
  return {
    name: `${words.name}/${normalizer.name}`,
    positionIncrementGap: words.positionIncrementGap,
    analyze: (text, consume) =>
      words.analyze(text, (term, start, end, increment, type) =>
        consume(normalizer.normalize(term), start, end, increment, type),
      ),
    normalize: (text) => normalizer.normalize(text),
  };
}

/** A value of a query, null where an end is open. */
export function normalizedValue(ctx: CompileContext, field: FieldMapping, value: QueryValue): QueryValue {
  if (value === null || field.normalizer === '') return value;
  return normalizerOf(ctx, field)?.normalize(String(value)) ?? value;
}

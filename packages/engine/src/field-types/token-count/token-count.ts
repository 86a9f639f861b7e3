/**
 * `token_count`: the number of words of each text, in a column like that of an integer.
 */
import type { Analyzer } from '@shoal/analysis';
import { type FieldType, NO_PARTS } from '../contract/field-type.ts';
import { INTEGER_RANGE } from '../number/number-ranges.ts';
import { wholeNumberType } from '../number/number-type.ts';

export const TOKEN_COUNT: FieldType = {
  ...wholeNumberType(INTEGER_RANGE),
  read: (_field, value) => String(value),
  parts: () => ({ ...NO_PARTS, numbers: 'long', countsTokens: true }),
  showsColumn: true,
};

/** Positions of a text, those of left out words with them where gaps count; words at one position count once otherwise. */
export function countTokens(analyzer: Analyzer, text: string, countsGaps: boolean): number {
  let count = 0;
  const trailing = analyzer.analyze(text, (_term, _start, _end, increment) => {
    count += countsGaps ? increment : Math.min(1, increment);
  });
  return countsGaps ? count + trailing : count;
}

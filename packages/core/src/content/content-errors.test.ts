import { expect, test } from 'vitest';
import { illegalArgument, parsingException } from '../errors/error-catalogue.ts';
import { rootCausesOf } from '../errors/root-causes.ts';
import { contentError, didYouMean, unknownMember } from './content-errors.ts';

const AT = { line: 1, col: 9 };

test('an error stands where its cause stands, where the cause says so', () => {
  const inner = parsingException('unknown query [x]', { line: 2, col: 30 });
  const middle = contentError(AT, '[bool] failed to parse field [must]', inner);
  expect(middle.reason).toBe('[2:30] [bool] failed to parse field [must]');
  expect(contentError(AT, 'outer', middle).reason).toBe('[2:30] outer');
  expect(contentError(AT, 'outer', illegalArgument('no place')).reason).toBe('[1:9] outer');
});

test('the root cause is the innermost error that knows where it comes from', () => {
  const inner = parsingException('unknown query [x]', AT);
  expect(contentError(AT, 'outer', contentError(AT, 'middle', inner)).rootCauses).toEqual([inner]);
  const middle = contentError(AT, 'middle', illegalArgument('plain'));
  expect([middle.rootCauses, contentError(AT, 'outer', middle).rootCauses]).toEqual([[], [middle]]);
  expect(rootCausesOf(illegalArgument('plain'))).toEqual([]);
  expect(rootCausesOf(middle)).toEqual([]);
  expect(rootCausesOf(inner)).toEqual([inner]);
});

test.each([
  [
    'date_histogramx',
    ['histogram', 'auto_date_histogram', 'terms', 'date_histogram'],
    ' did you mean any of [date_histogram, auto_date_histogram, histogram]?',
  ],
  ['sizex', ['size', 'field'], ' did you mean [size]?'],
  ['x', ['size', 'field'], ''],
  // Half alike is not alike, and letters that changed places are two changes.
  ['ab', ['ac', 'ba'], ''],
])('an unknown [%s] among %j suggests:%s', (name, known, hint) => {
  expect(didYouMean(name, known)).toBe(hint);
  expect(unknownMember('terms', { name, at: AT }, known).reason).toBe(`[1:9] [terms] unknown field [${name}]${hint}`);
});

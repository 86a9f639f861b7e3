import { expect, test } from 'vitest';
import { isAllRequired, isSumOfBest, olderText, orderedText } from './lucene-texts.mjs';

test.each([
  ['n:[1 TO 2]', 'n:[1 TO 2]'],
  ['IndexOrDocValuesQuery(indexQuery=n:[1 TO 2], dvQuery=n:[1 TO 2])', 'n:[1 TO 2]'],
  ['+a:b -IndexOrDocValuesQuery(indexQuery=k:{a TO *}, dvQuery=ConstantScore(k:{a TO *})) c', '+a:b -k:{a TO *} c'],
  ['place:INTERSECTS:geometries([CIRCLE([51.5,4.3] radius = 500000.0 meters)])', 'place:51.5,4.3 +/- 500000.0 meters'],
])('%s is told as %s', (text, older) => {
  expect(olderText(text)).toBe(older);
});

test('choices are compared without their order', () => {
  expect(orderedText('+(a:x | b:y) c')).toBe(orderedText('+(b:y | a:x) c'));
  expect(orderedText('(a:x | b:y)')).not.toBe(orderedText('(a:x | b:z)'));
});

test('best-of queries with a tie breaker of 1 are sums to a later version, and nothing else is', () => {
  expect(isSumOfBest('+(a:x | b:x)~1.0 c', '+(b:x a:x) c')).toBe(true);
  expect(isSumOfBest('+(a:x | b:x)~0.5 c', '+(b:x a:x) c')).toBe(false);
  expect(isSumOfBest('+(a:x | b:x)~1.0 c', '+(b:x a:y) c')).toBe(false);
});

test('clauses are required to a later version only where all of them have to match', () => {
  expect(isAllRequired('(a:x a:y)~2 #c', '(+a:x +a:y) #c')).toBe(true);
  expect(isAllRequired('(a:x a:y a:z)~2', '(+a:x +a:y +a:z)')).toBe(false);
  expect(isAllRequired('(a:x a:y)~2', '(a:x +a:y)')).toBe(false);
  expect(isAllRequired('(a:x a:y)', '(+a:x +a:y)')).toBe(false);
});

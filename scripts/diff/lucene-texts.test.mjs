import { expect, test } from 'vitest';
import { olderText, orderedText } from './lucene-texts.mjs';

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

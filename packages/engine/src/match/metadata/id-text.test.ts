import { expect, test } from 'vitest';
import { idsText } from './id-text.ts';

test.each([
  // Bytes of base 64 without a rest, digits in nibbles, and what is neither.
  [['p280'], '_id:([a7 6f 34])'],
  [['d317', 'd126', 'd712', 'd90', 'd96'], '_id:([77 5d ba] w}{ [77 bd 76] [77 dd] [ff 64 39 36])'],
  [['p347', 'p255', 'p347'], '_id:([a7 6e 79] [a7 7e 3b])'],
  [['12', '123'], '_id:([fe 12] [fe 12 3f])'],
  [['_-AA'], '_id:([fd ff e0 0])'],
])('the ids %j are told as they are indexed', (ids, text) => {
  expect(idsText(ids)).toBe(text);
});

import { describe, expect, test } from 'vitest';
import { compileRubyRegex } from './compile-ruby-regex.ts';

const ROUNDS = [
  '[^,]*,',
  '[^,]+,',
  '[^,]+?,',
  '[^,],',
  '.*?,',
  '[^,;]*[,;]',
  '[^\\d,]*,',
  '\\S*?,',
  '[^\\W_]*,',
  '[^[:space:]]*?,',
  '\\w*[^,]*,',
  '[a-zž&&[^b]]*,',
  '(?:[^,a]|a)*,',
];
const TEXTS = ['a,ž,c,d', 'ž,a,b,', 'a,b,c,d', ',,,', 'ž,ž,ž,ž', '日,😀,x,', 'a,b', 'aé,bé,cé'];

/** A round written out several times is no repeated group, and so says what the group has to match. */
describe.each(ROUNDS)('a group of %s, repeated', (round) => {
  test.each([
    ['(?:ROUND){2}', 'ROUNDROUND'],
    ['(?:ROUND){3}', 'ROUNDROUNDROUND'],
    ['(?:ROUND){1,2}\\z', 'ROUND(?:ROUND)?\\z'],
    ['(?:ROUND)+?d', 'ROUND(?:ROUND(?:ROUND(?:ROUND)??)??)??d'],
    ['(?:ROUND)*', '(?:ROUND(?:ROUND(?:ROUND(?:ROUND)?)?)?)?'],
  ])('as %s, matches what %s does', (repeated, writtenOut) => {
    for (const anchor of ['\\A', '']) {
      const [one, other] = [repeated, writtenOut].map((form) =>
        compileRubyRegex(anchor + form.replaceAll('ROUND', round)),
      );
      for (const text of TEXTS) expect(one?.exec(text)?.[0], `${anchor} ${text}`).toBe(other?.exec(text)?.[0]);
    }
  });
});

import { describe, expect, test } from 'vitest';
import type { ComponentOptions } from '../../tokens/component-options.ts';
import { consumerOf } from '../consumer-of.test-support.ts';
import { ASCII_FOLDINGS } from './ascii-foldings.ts';
import { asciifolding } from './asciifolding.ts';

/** Terms with their position increments. */
function folded(term: string, options: ComponentOptions = {}): readonly (readonly [string, number])[] {
  const out: [string, number][] = [];
  const consume = consumerOf(asciifolding, options, (text, _start, _end, increment) => out.push([text, increment]));
  consume(term, 0, term.length, 1, 'word');
  return out;
}

describe('asciifolding', () => {
  test.each([
    ['Ünïcödé', 'Unicode'],
    ['Straße', 'Strasse'],
    ['ẞ', 'SS'],
    ['Ærøskøbing', 'AEroskobing'],
    ['Łódź', 'Lodz'],
    ['Þór', 'THor'],
    ['ﬃ', 'ffi'],
    ['ǅ', 'Dz'],
    ['ⓧ', 'x'],
    ['⒛', '20.'],
    ['⑳', '20'],
    ['１２３', '123'],
    ['x²', 'x2'],
    ['«a»', '"a"'],
    ['l’eau', "l'eau"],
    ['a—b', 'a-b'],
    ['…', '…'],
  ])('%s becomes %s', (term, expected) => expect(folded(term)).toEqual([[expected, 1]]));

  test.each(['が', 'й', '한', 'ё', 'ά', 'ﾊﾟ', 'ą́'.normalize('NFD').slice(1), '\u{1d400}', '™', '½'])(
    '%s stays as it is',
    (term) => expect(folded(term)).toEqual([[term, 1]]),
  );

  test('has 1,242 characters, each in one row', () => {
    const characters = ASCII_FOLDINGS.flatMap(([, row]) => [...row]);
    expect(characters.length).toBe(1_242);
    expect(new Set(characters).size).toBe(1_242);
  });

  test('keeps the original at the same position with preserve_original, where folding changes it', () => {
    expect(folded('café', { preserve_original: 'true' })).toEqual([
      ['cafe', 1],
      ['café', 0],
    ]);
    expect(folded('plain', { preserve_original: 'true' })).toEqual([['plain', 1]]);
    expect(() => folded('a', { preserve_original: 'yes' })).toThrow('Failed to parse value [yes]');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FilteredTextBuilder } from './filtered-text-builder.ts';

describe('text behind a char filter', () => {
  test('maps offsets back to the text before it', () => {
    const out = new FilteredTextBuilder('a<b>c&amp;d');
    out.replace(1, 4, '');
    out.replace(5, 10, '&');
    const { text, corrections } = out.done();
    expect(text).toBe('ac&d');
    expect([0, 1, 2, 3, 4].map((at) => corrections?.correct(at))).toEqual([0, 4, 5, 10, 11]);
  });

  test('has no corrections where nothing moved', () => {
    const out = new FilteredTextBuilder('abc');
    out.replace(1, 2, 'x');
    expect(out.done()).toEqual({ text: 'axc', corrections: null });
  });

  test('maps every kept character to its own offset, and offsets never go back', () => {
    const edit = fc.record({ keep: fc.nat(4), cut: fc.nat(4), insert: fc.string({ maxLength: 6 }) });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
        const source = 'abcdefghij'.repeat(10);
        const out = new FilteredTextBuilder(source);
        const kept: (readonly [number, number])[] = [];
        let read = 0;
        let written = 0;
        for (const { keep, cut, insert } of edits) {
          // A filter never inserts text where it takes nothing.
          const removed = Math.max(cut, insert === '' ? 0 : 1);
          for (let i = 0; i < keep; i++) kept.push([written + i, read + i]);
          out.replace(read + keep, read + keep + removed, insert);
          written += keep + insert.length;
          read += keep + removed;
        }
        const { text, corrections } = out.done();
        const correct = (at: number): number => corrections?.correct(at) ?? at;
        for (const [after, before] of kept) expect(correct(after)).toBe(before);
        for (let at = 0; at < text.length; at++) expect(correct(at)).toBeLessThanOrEqual(correct(at + 1));
        expect(correct(text.length)).toBe(source.length);
      }),
    );
  });
});

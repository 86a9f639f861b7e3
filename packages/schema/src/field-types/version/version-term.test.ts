import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printVersion, versionTerm } from './version-term.ts';

const byTerm = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(versionTerm(a)), Buffer.from(versionTerm(b)));

describe('terms of versions', () => {
  test('stand in the order of semver, texts that are no version behind them', () => {
    const inOrder = [
      ...['0.9', '1', '1.0.0-1', '1.0.0-2', '1.0.0-10', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta'],
      ...['1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.0+build', '1.0.0.0', '1.2.0'],
      ...['1.10.0-SNAPSHOT', '1.10.0', '2.0.0', '10.0.0', `9${'0'.repeat(126)}`],
      ...['01.2.3', '1.2.3-01', '1.2.3-a..b', '1.x', 'foo', 'v1.2.3'],
    ];
    expect(inOrder.toReversed().sort(byTerm)).toEqual(inOrder);
  });

  test('show the text that they were made of', () => {
    const number = fc.integer({ min: 0, max: 1_000_000 }).map(String);
    const part = fc.oneof(number, fc.stringMatching(/^[a-z][0-9a-z-]{0,5}$/));
    const version = fc
      .tuple(fc.array(number, { minLength: 1, maxLength: 5 }), fc.array(part, { maxLength: 3 }), fc.boolean())
      .map(
        ([main, pre, isBuilt]) =>
          `${main.join('.')}${pre.length > 0 ? `-${pre.join('.')}` : ''}${isBuilt ? '+b.7' : ''}`,
      );
    fc.assert(
      fc.property(fc.oneof(version, fc.string()), (text) => {
        expect(printVersion(versionTerm(text))).toBe(text);
      }),
    );
  });

  test('differ where versions do', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'012.-+ab') }),
        fc.string({ unit: fc.constantFrom(...'012.-+ab') }),
        (a, b) => {
          expect(byTerm(a, b) === 0).toBe(a === b);
        },
      ),
    );
  });

  test('count at most 127 digits', () => {
    expect(() => versionTerm('1'.repeat(128))).toThrow('Groups of digits cannot be longer than 127, but found: 128');
    expect(() => versionTerm(`1-${'1'.repeat(128)}`)).toThrow('but found: 128');
  });
});

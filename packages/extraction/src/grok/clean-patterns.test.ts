import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanPatterns } from './clean-patterns.ts';
import { compileGrok } from './compile-grok.ts';
import { corePatterns } from './pattern-library.ts';
import { tunedPatterns } from './tuned-patterns.ts';

const SAMPLES = [
  ...['12', '-1.5', '0xFF', 'word', 'a.b-c', 'me@host.example.org', '10.0.0.1', 'Jan', 'January', 'Mon', '2026'],
  ...['23:59:59.123', '01/Jan/2026:00:00:00 +0000', 'Jan  1 00:00:00', '2026-01-01T00:00:00,5+01:00', 'ERROR'],
  ...['6fa459ea-ee8a-3ca4-894e-db77e160355e', 'ä', '😀', 'März'],
];
const part = fc.oneof(
  fc.constantFrom(...SAMPLES),
  fc.constantFrom('"', '\\', '\n', '\t', '\0', '\ud800', ' ', ':', '%'),
);

describe.each(['disabled', 'v8'] as const)('clean patterns of the set %s', (ecs) => {
  const stock = corePatterns(ecs);
  const clean = cleanPatterns(stock, stock);

  test.each([...clean])('%s captures nothing that JSON must escape', (name) => {
    const grok = compileGrok(`%{${name}:it}`, {
      library: stock,
      tuned: tunedPatterns(stock, stock),
      clean,
      namedCapturesOnly: true,
      timeoutMs: 0,
    });
    expect(grok.captures.map(({ isClean }) => isClean)).toEqual([true]);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const found = grok.match(parts.join(''));
        if (!Array.isArray(found)) return;
        expect(JSON.stringify(found[0])).toBe(`"${found[0]}"`);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test('are not clean where a part of them has another definition', () => {
    const library = new Map(stock).set('MONTH', '.*');
    expect(cleanPatterns(library, stock).has('HTTPDATE')).toBe(false);
    expect(cleanPatterns(library, stock).has('INT')).toBe(true);
    const grok = compileGrok('%{HTTPDATE:a} %{MONTH=.*} %{HTTPDATE:b}', {
      library: stock,
      clean,
      namedCapturesOnly: true,
      timeoutMs: 0,
    });
    expect(grok.captures.map(({ isClean }) => isClean)).toEqual([true, false]);
  });
});

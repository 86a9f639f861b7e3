import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TermTable } from './term-table.ts';

const term = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'ab', 'abcd', 'abcde', 'abcdf', 'é', '\0', '\0\0', '😀', '\ufffd', 'ÿ', 'abcd\0'),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'binary-ascii', maxLength: 6 }),
);

function allOf(table: TermTable): Uint32Array {
  const steps = table.sorted();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test('terms are numbered by their bytes and sorted by them', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 300 }), fc.constantFrom('utf8', 'latin1'), (terms, encoding) => {
      const given = encoding === 'latin1' ? terms.map((text) => Buffer.from(text, 'utf8').toString('latin1')) : terms;
      const table = new TermTable();
      const ids = given.map((text) => table.add(text, encoding));
      const seen = new Map<string, number>();
      given.forEach((text, i) => {
        const bytes = Buffer.from(text, encoding);
        const hex = bytes.toString('hex');
        const id = ids[i] ?? -1;
        expect(Buffer.from(table.bytes.subarray(table.start(id), table.end(id))).toString('hex')).toBe(hex);
        if (seen.has(hex)) expect(seen.get(hex)).toBe(id);
        seen.set(hex, id);
      });
      expect(table.size).toBe(seen.size);
      const sorted = [...allOf(table)].map((id) => Buffer.from(table.bytes.subarray(table.start(id), table.end(id))));
      expect(sorted).toEqual([...sorted].sort(Buffer.compare));
      expect(new Set(sorted.map((bytes) => bytes.toString('hex'))).size).toBe(seen.size);
    }),
    { numRuns: 500 },
  );
});

test('a part of an ASCII text is the term it spells, lowered where asked for', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary-ascii', maxLength: 20 }),
      fc.nat(20),
      fc.boolean(),
      (text, from, lowercases) => {
        const part = text.slice(from);
        const table = new TermTable();
        const id = table.addAscii(text, Math.min(from, text.length), text.length, lowercases);
        expect(table.add(lowercases ? part.toLowerCase() : part, 'utf8')).toBe(id);
      },
    ),
  );
});

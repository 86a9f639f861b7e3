import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DocSubset } from './doc-subset.ts';

test('a document has the documents of the subset before it as its rank', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(300), { maxLength: 80 }), fc.nat(20), (docs, more) => {
      const sorted = Uint32Array.from(docs).sort();
      const docCount = (sorted.at(-1) ?? 0) + 1 + more;
      const subset = new DocSubset(sorted, docCount);
      for (let doc = 0; doc <= docCount; doc++) {
        expect(subset.rank(doc)).toBe(sorted.filter((one) => one < doc).length);
      }
    }),
  );
});

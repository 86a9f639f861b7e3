import { createAnalyzers } from '@shoal/analysis';
import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DocumentParser } from '../../document/document-parser.ts';
import { createIndexingMemory } from '../../memory/indexing-memory.ts';
import { SegmentBuffer } from './segment-buffer.ts';

const SETTINGS = {
  'index.analysis.analyzer.cut.tokenizer': 'standard',
  'index.analysis.analyzer.short.type': 'standard',
  'index.analysis.analyzer.short.max_token_length': '3',
};
const indexing = createIndexingMemory();
const parser = new DocumentParser(
  parseMapping({
    properties: {
      body: { type: 'text' },
      cut: { type: 'text', analyzer: 'cut' },
      short: { type: 'text', analyzer: 'short' },
    },
  }),
);

const piece = fc.constantFrom(
  'Word',
  'a',
  '3.14',
  "it's",
  '_x',
  ' ',
  '.',
  ',',
  ':',
  'ÉCOLE',
  'İ',
  '漢字',
  '😀',
  'longerword',
  '\u0301',
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const value = fc.oneof(text, fc.array(text, { maxLength: 3 }));

test('ASCII text cut on the short way gives the same segment, byte for byte', () => {
  const analyzers = createAnalyzers(SETTINGS);
  fc.assert(
    fc.property(
      fc.array(fc.record({ body: value, cut: value, short: value }), { minLength: 1, maxLength: 8 }),
      (docs) => {
        const build = (isShort: boolean, memory: typeof indexing): Uint8Array => {
          const buffer = new SegmentBuffer(
            (name) => {
              const analyzer = analyzers.get(name);
              if (analyzer === null) throw new Error(`no analyzer ${name}`);
              expect(analyzer.asciiWords).not.toBeNull();
              return isShort ? analyzer : { ...analyzer, asciiWords: null };
            },
            'lz4',
            memory,
          );
          for (const [i, doc] of docs.entries()) {
            const source = Buffer.from(JSON.stringify(doc));
            const { document } = parser.parse(`${i}`, source);
            buffer.add(`${i}`, null, source, { version: 1, seqNo: i, primaryTerm: 1 }, document);
          }
          return buffer.seal('_0').bytes;
        };
        const long = build(false, null);
        expect(Buffer.compare(build(true, null), long)).toBe(0);
        expect(Buffer.compare(build(true, indexing), long)).toBe(0);
        expect(Buffer.compare(build(false, indexing), long)).toBe(0);
      },
    ),
    { numRuns: 150 },
  );
});

test('other analyzers go the long way', () => {
  const analyzers = createAnalyzers({});
  expect(['english', 'whitespace', 'simple', 'stop', 'keyword'].map((name) => analyzers.get(name)?.asciiWords)).toEqual(
    Array.from({ length: 5 }, () => null),
  );
});

/**
 * Documents of the committed segment of format version 4 (packages/engine/fixtures/format-4), from which it was written.
 *
 * They have every part and encoding that the version knew: blocks and lists of postings, positions, norms, multi-valued
 * ordinals, numbers packed, as f32, f64 and 64-bit integers.
 */
import type { Analyzer } from '@shoal/analysis';
import { type Mapping, parseMapping } from '@shoal/schema';
import { DocumentParser } from '../document/document-parser.ts';
import type { SegmentBuffer } from '../write/buffer/segment-buffer.ts';

export const FORMAT_4_DOCS = 160;

export const format4Analyzer: Analyzer = {
  name: 'whitespace',
  positionIncrementGap: 100,
  normalize: (text) => text,
  analyze: (text, consume) => {
    for (const match of text.matchAll(/\S+/g)) consume(match[0], match.index, match.index + match[0].length, 1, 'word');
    return 0;
  },
};

export const format4Mapping: Mapping = parseMapping({
  properties: {
    body: { type: 'text', fields: { raw: { type: 'keyword' } } },
    tag: { type: 'keyword', index: false },
    counter: { type: 'long' },
    wide: { type: 'long' },
    price: { type: 'double' },
    ratio: { type: 'double' },
    share: { type: 'double' },
    day: { type: 'date' },
    flag: { type: 'boolean' },
    ip: { type: 'ip' },
  },
});

const parser = new DocumentParser(format4Mapping);

/** Source of document `i`, as JSON. */
export function format4Source(i: number): string {
  const words = ['common', `w${i % 7}`, ...(i % 3 === 0 ? [`w${i % 5}`, 'third'] : []), `only${i}`];
  const wide = i % 10 === 0 ? `,"wide":${9_007_199_254_740_993n + BigInt(i)}` : '';
  const fields = {
    body: i % 4 === 0 ? [words.join(' '), 'second value'] : words.join(' '),
    ...(i % 2 === 0 ? { tag: [`t${i % 11}`, `t${i % 13}`] } : {}),
    counter: 1_000 + i,
    price: (i * 37) / 100,
    ratio: 1 / (i + 3),
    share: Math.fround(1 / (i + 3)),
    day: `2026-01-${String((i % 28) + 1).padStart(2, '0')}`,
    flag: i % 2 === 0,
    ip: `10.0.${i % 4}.${i % 250}`,
  };
  return `${JSON.stringify(fields).slice(0, -1)}${wide}}`;
}

/** Adds all documents to `buffer`; every third has a routing. */
export function addFormat4Documents(buffer: SegmentBuffer): void {
  for (let i = 0; i < FORMAT_4_DOCS; i++) {
    const source = new TextEncoder().encode(format4Source(i));
    const { document } = parser.parse(`id${i}`, source);
    buffer.add(
      `id${i}`,
      i % 3 === 0 ? `r${i % 7}` : null,
      source,
      { version: i + 1, seqNo: i, primaryTerm: 1 },
      document,
    );
  }
}

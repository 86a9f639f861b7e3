import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HashedTerm } from '../../bytes/hashed-term.ts';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { ContainerReader } from '../container/container-reader.ts';
import { ContainerWriter } from '../container/container-writer.ts';
import { PartSink } from '../container/part-sink.ts';
import { ListedPart } from '../container/part-source.ts';
import { SegmentBytes } from '../container/segment-bytes.ts';
import { SegmentSections } from '../container/segment-sections.ts';
import { FILTER_PART } from '../parts/filter-part.ts';
import { type TermFilter, TermFilterBuilder, type TermFilterContent } from './term-filter.ts';

const hashed = (text: string): HashedTerm => new HashedTerm(Buffer.from(text));

function contentOf(terms: readonly string[]): TermFilterContent {
  const sorted = [...new Set(terms)].map((term) => Buffer.from(term)).sort(Buffer.compare);
  const builder = new TermFilterBuilder(sorted.length);
  for (const term of sorted) builder.add(term, 0, term.length);
  const [least, greatest] = [sorted[0], sorted.at(-1)];
  if (least === undefined || greatest === undefined) return expect.unreachable('a filter has a term');
  return { words: builder.words, least, greatest };
}

/** The filter as it is read from a segment. */
function filterOf(terms: readonly string[]): TermFilter {
  return read(contentOf(terms));
}

function read(content: TermFilterContent): TermFilter {
  const container = new ContainerWriter(1_000);
  const sink = new PartSink(container);
  for (const _ of FILTER_PART.write(content, sink));
  container.finish(new Uint8Array(0));
  const bytes = SegmentBytes.ofMemory('_0.seg', PLAIN_MEMORY.place(container.bytes.written()));
  new ContainerReader(bytes);
  const part = new ListedPart(sink.refs, sink.header.written());
  const filter = FILTER_PART.read(part, { sections: new SegmentSections(bytes, null), terms: null });
  FILTER_PART.verify(filter, terms.length);
  part.finish();
  return filter;
}

const terms = ['b', 'd', 'f'];

describe('a filter of terms', () => {
  test('never denies a term that is there', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 200 }), (given) => {
        const filter = filterOf(given);
        expect(given.filter((term) => !filter.mayHave(hashed(term)))).toEqual([]);
      }),
    );
  });

  test.each([1, 10, 1_000, 100_000])('of %i terms lets few of the others through', (count) => {
    const filter = filterOf(Array.from({ length: count }, (_, i) => `term-${i * 7}`));
    // They have the same form, and are between the bounds.
    const others = Array.from({ length: 20_000 }, (_, i) => `term-${i * 7 + 3}`);
    expect(others.filter((term) => filter.mayHave(hashed(term))).length).toBeLessThan(others.length / 100);
  });

  test('denies what is outside of its bounds without a look at its bits', () => {
    const filter = filterOf(terms);
    const get = filter.group.get.bind(filter.group);
    let looks = 0;
    filter.group.get = () => {
      looks++;
      return get();
    };
    expect(['', 'a', 'az', 'fa', 'g'].map((term) => filter.mayHave(hashed(term)))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(looks).toBe(0);
    expect(terms.map((term) => filter.mayHave(hashed(term)))).toEqual([true, true, true]);
    expect(looks).toBe(3);
  });

  test('whose bounds or bits contradict themselves is damage', () => {
    const { words, least, greatest } = contentOf(terms);
    expect(() => read({ words, least: greatest, greatest: least })).toThrow(
      'the least term of a filter follows its greatest',
    );
    expect(() => read({ words: words.subarray(1), least, greatest })).toThrow('which are no whole blocks');
    expect(() => read({ words: words.subarray(0, 0), least, greatest })).toThrow('which are no whole blocks');
  });
});

import { parseMapping } from '@shoal/schema';
import { describe, expect, test } from 'vitest';
import { DocumentParser } from '../../document/document-parser.ts';
import type { FlatSegment } from '../../format/flat-segment.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { SegmentBuffer } from '../../write/buffer/segment-buffer.ts';
import { LocatedTerm } from './located-term.ts';

const parser = new DocumentParser(parseMapping({ properties: { tag: { type: 'keyword' } } }));

function segmentOf(name: string, tags: readonly string[]): FlatSegment {
  const buffer = new SegmentBuffer(() => expect.unreachable('no text here'));
  tags.forEach((tag, i) => {
    const source = Buffer.from(JSON.stringify({ tag }));
    const { document } = parser.parse(`${name}-${i}`, source);
    buffer.add(`${name}-${i}`, null, source, { version: 1, seqNo: i, primaryTerm: 1 }, document);
  });
  return buffer.seal(name);
}

const viewOf = (segment: FlatSegment): SegmentView => ({ segment, liveDocs: null, liveCount: 1, docBase: 0 });

/** Looks into the dictionaries of a view. */
function countLooks({ segment }: SegmentView): { count: number } {
  const looks = { count: 0 };
  const terms = segment.terms('tag');
  const find = terms?.find.bind(terms);
  if (terms === null || find === undefined) return expect.unreachable('the segment has tags');
  terms.find = (term) => {
    looks.count++;
    return find(term);
  };
  return looks;
}

describe('a located term', () => {
  const views = [
    viewOf(segmentOf('_0', ['a', 'b'])),
    viewOf(segmentOf('_1', ['b'])),
    viewOf(segmentOf('_2', ['c', 'b'])),
  ];
  const searcher = { generation: 1, views, maxDoc: 5, liveCount: 5 };
  const ordinals = (term: LocatedTerm): number[] => views.map((view) => term.ordinalIn(view));

  test('is where each segment has it, in whatever order they are asked', () => {
    const term = new LocatedTerm(searcher, 'tag', Buffer.from('b'));
    expect(ordinals(term)).toEqual([1, 0, 0]);
    expect([...views].reverse().map((view) => term.ordinalIn(view))).toEqual([0, 0, 1]);
    expect(ordinals(new LocatedTerm(searcher, 'tag', Buffer.from('a')))).toEqual([0, -1, -1]);
    expect(ordinals(new LocatedTerm(searcher, 'other', Buffer.from('a')))).toEqual([-1, -1, -1]);
    expect(term.postings(views[2] as SegmentView)?.next()).toBe(1);
    expect(new LocatedTerm(searcher, 'tag', Buffer.from('d')).postings(views[0] as SegmentView)).toBeNull();
  });

  test('is looked up once in each segment of the search, and each time in any other', () => {
    const other = viewOf(segmentOf('_3', ['b']));
    const looks = [...views, other].map(countLooks);
    const term = new LocatedTerm(searcher, 'tag', Buffer.from('b'));
    for (let i = 0; i < 3; i++) expect(ordinals(term)).toEqual([1, 0, 0]);
    expect([term.ordinalIn(other), term.ordinalIn(other)]).toEqual([0, 0]);
    // A view of the same segment is as good.
    term.ordinalIn({ ...(views[1] as SegmentView) });
    expect(looks.map(({ count }) => count)).toEqual([1, 1, 1, 2]);
  });
});

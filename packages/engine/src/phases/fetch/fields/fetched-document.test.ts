/** A document of a page is read from its segment once, whoever asks for its parts. */
import { describe, expect, test, vi } from 'vitest';
import { memoryContext } from '../../query/memory-searcher.test-support.ts';
import { FetchedDocument } from './fetched-document.ts';

const MAPPING = { properties: { items: { type: 'nested', properties: { x: { type: 'long' } } } } };
const SOURCES = ['{"n":1}', '{"items":[{"x":1},{"x":2}]}'];
const { searcher } = memoryContext(MAPPING, [SOURCES.map((source, i) => ({ id: String(i), source }))]);
const [view] = searcher.views;
const text = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString();

function segmentOf() {
  if (view === undefined) throw new Error('the shard has no segment');
  return view.segment;
}

/** Documents that are nested in none, in their order. */
function roots(): number[] {
  return Array.from({ length: segmentOf().docCount }, (_, doc) => doc).filter(
    (doc) => segmentOf().source(doc).length > 0,
  );
}

describe('a fetched document', () => {
  test('is read once for all of its parts', () => {
    const segment = segmentOf();
    const [first = 0, second = 0] = roots();
    const read = vi.spyOn(segment, 'document');
    const document = new FetchedDocument(segment, second);
    expect(read).not.toHaveBeenCalled();
    expect(text(document.source())).toBe('{"items":[{"x":1},{"x":2}]}');
    expect(document.storedApart()).toBeNull();
    expect(document.values()).toEqual({ items: [{ x: 1 }, { x: 2 }] });
    expect(read).toHaveBeenCalledTimes(1);
    read.mockRestore();
    // What another document is read into is not what this one was.
    expect(text(new FetchedDocument(segment, first).source())).toBe('{"n":1}');
    expect(text(document.source())).toBe('{"items":[{"x":1},{"x":2}]}');
  });

  test('that is nested is a part of the document around it', () => {
    const segment = segmentOf();
    const [, root = 0] = roots();
    const steps = [{ field: 'items', offset: 1 }];
    const nested = new FetchedDocument(segment, root - 1, { path: 'items', steps, root });
    expect(text(nested.source())).toBe('{"x":2}');
    expect(nested.values()).toEqual({ x: 2 });
  });
});

/** Documents of nested paths: what a segment keeps of them. */
import { describe, expect, test } from 'vitest';
import { memoryContext } from '../../../phases/query/memory-searcher.test-support.ts';
import { ParentDocs } from './nested-docs.ts';

const PATHS = Array.from({ length: 20 }, (_, i) => `p${i}`);

function onlyView() {
  const mapping = { properties: Object.fromEntries(PATHS.map((path) => [path, { type: 'nested' }])) };
  const source = JSON.stringify(Object.fromEntries(PATHS.map((path) => [path, [{ n: 1 }, { n: 2 }]])));
  const docs = ['a', 'b'].map((id) => ({ id, source }));
  const [view] = memoryContext(mapping, [docs]).searcher.views;
  if (view?.nested === undefined) throw new Error('a segment without nested documents');
  return { view, paths: view.nested.paths };
}

function docsOf(parents: ParentDocs, docCount: number): readonly number[] {
  return Array.from({ length: docCount }, (_, doc) => doc).filter((doc) => parents.from(doc) === doc);
}

describe('documents of a nested path', () => {
  test('are found once for a segment, and are the same when they were kept', () => {
    const { view, paths } = onlyView();
    const first = docsOf(new ParentDocs(view, 'p3'), view.segment.docCount);
    const kept = paths.get('p3');
    expect(first).toHaveLength(4);
    expect(docsOf(new ParentDocs(view, 'p3'), view.segment.docCount)).toEqual(first);
    expect(paths.get('p3')).toBe(kept);
    expect([...paths.keys()]).toEqual(['p3']);
  });

  test('are kept for a bounded number of paths; the others are found as well', () => {
    const { view, paths } = onlyView();
    const found = PATHS.map((path) => docsOf(new ParentDocs(view, path), view.segment.docCount));
    expect(paths.size).toBe(16);
    expect(found.map((docs) => docs.length)).toEqual(PATHS.map(() => 4));
    expect(new Set(found.flat()).size).toBe(80);
  });

  test('those that are nested in nothing are no path', () => {
    const { view, paths } = onlyView();
    expect(docsOf(new ParentDocs(view, ''), view.segment.docCount)).toHaveLength(2);
    expect(paths.size).toBe(0);
  });
});

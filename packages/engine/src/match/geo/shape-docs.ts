/**
 * Documents of a segment whose shapes stand in a relation to that of a query.
 */
import { type ComparedShape, type ShapeGrid, type ShapeRelation, ShapeWords } from '@shoal/geo';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { DocIterator } from '../weight/doc-iterator.ts';
import { TestedDocs } from '../weight/tested-docs.ts';
import { isMarked, markNear, nearDocs, relationOnGrid } from './near-docs.ts';

/** null where none of the segment's documents is. */
export function docsByShape(
  { segment }: SegmentView,
  path: string,
  query: { readonly shape: ComparedShape; readonly grid: ShapeGrid; readonly relation: ShapeRelation },
): DocIterator | null {
  const { shape, grid, relation } = query;
  const column = segment.shapes(path);
  const tree = segment.boxes(path);
  if (column === null || tree === null) return null;
  const words = new ShapeWords(grid);
  const matches = (doc: number): boolean => {
    words.open(column.words(doc));
    return shape.test(relation, words);
  };
  const relate = relationOnGrid(shape, grid);
  if (relation !== 'disjoint') {
    return nearDocs(tree, segment.docCount, { relate, takesInside: relation === 'intersects', matches });
  }
  // All others have nothing in common with it.
  const { near, sure } = markNear(tree, segment.docCount, { relate, takesInside: true });
  return new TestedDocs(
    segment.docCount,
    (doc) => column.has(doc) && !isMarked(sure, doc) && (!isMarked(near, doc) || matches(doc)),
  );
}

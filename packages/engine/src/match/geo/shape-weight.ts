/**
 * Weight of the documents whose shapes stand in a relation to parts of a shape of a query.
 */
import { ComparedShape, type ShapeGrid, type ShapePart, type ShapeRelation } from '@shoal/geo';
import { cachedFilterWeight, filterKey } from '../context/cached-filters.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { NONE_WEIGHT, type Weight } from '../weight/weight.ts';
import { docsByShape } from './shape-docs.ts';

export interface ShapeWanted {
  /** Path of a field of shapes. */
  readonly path: string;
  readonly parts: readonly ShapePart[];
  readonly grid: ShapeGrid;
  readonly relation: ShapeRelation;
  /** What tells the shape from others. */
  readonly key: readonly string[];
  /** The query as explanations tell it. */
  readonly text: string;
}

export function shapeWeight(ctx: CompileContext, wanted: ShapeWanted, use: ClauseUse): Weight {
  const { path, parts, grid, relation, key, text } = wanted;
  if (parts.length === 0) return NONE_WEIGHT;
  const query = { shape: new ComparedShape(parts, grid), grid, relation };
  const cacheKey = filterKey('shape', path, [relation, ...key]);
  return cachedFilterWeight(ctx, cacheKey, (view) => docsByShape(view, path, query), use, text);
}

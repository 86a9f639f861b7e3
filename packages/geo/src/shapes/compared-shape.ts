/**
 * The shape of a query against those of documents: which have points in common, lie within it, or hold it.
 */
import { unreachable } from '@shoal/core';
import { areApart, type BoxRelation, type ComparedPart, comparedPart } from './compared-part.ts';
import type { ShapeGrid } from './shape-grid.ts';
import type { Extent, ShapePart } from './shape-part.ts';
import type { ShapeWords } from './shape-words.ts';

/** What the shapes of a document are to that of the query. */
export type ShapeRelation = 'intersects' | 'disjoint' | 'within' | 'contains';

/** How one part of a document lies to one of the query: holds it, cannot hold it, or says nothing. */
type Holding = 'holds' | 'excludes' | 'neither';

export class ComparedShape {
  private readonly parts: readonly ComparedPart[];

  constructor(parts: readonly ShapePart[], grid: ShapeGrid) {
    this.parts = parts.map((part) => comparedPart(part, grid));
  }

  /** How a box lies to the shape; only `outside` and `inside` are sure. */
  relate(box: Extent): BoxRelation {
    let isNear = false;
    for (const part of this.parts) {
      const relation = part.relate(box);
      if (relation === 'inside') return 'inside';
      if (relation === 'crosses') isNear = true;
    }
    return isNear ? 'crosses' : 'outside';
  }

  hasPoint(x: number, y: number): boolean {
    return this.parts.some((part) => part.hasPoint(x, y));
  }

  /** Whether the parts of a document stand in the relation. `shapes` stands before its first part. */
  test(relation: ShapeRelation, shapes: ShapeWords): boolean {
    switch (relation) {
      case 'intersects':
        return this.intersects(shapes);
      case 'disjoint':
        return !this.intersects(shapes);
      case 'within':
        while (shapes.step()) if (!this.parts.some((part) => holdsPart(part, shapes))) return false;
        return true;
      case 'contains':
        return this.isHeld(shapes);
      default:
        return unreachable(relation);
    }
  }

  private intersects(shapes: ShapeWords): boolean {
    while (shapes.step()) if (this.parts.some((part) => touchesPart(part, shapes))) return true;
    return false;
  }

  /** Each part of the query must be held, and be touched by the edge of no part of the document. */
  private isHeld(shapes: ShapeWords): boolean {
    const isHeld = new Array<boolean>(this.parts.length).fill(false);
    while (shapes.step()) {
      for (const [i, part] of this.parts.entries()) {
        const holding = holdingOf(part, shapes);
        if (holding === 'excludes') return false;
        if (holding === 'holds') isHeld[i] = true;
      }
    }
    return isHeld.length > 0 && isHeld.every((is) => is);
  }
}

function holdingOf(part: ComparedPart, shapes: ShapeWords): Holding {
  if (areApart(part.extent, shapes.extent)) return 'neither';
  if (part.kind === 'point') return touchesPart(part, shapes) ? 'holds' : 'neither';
  if (shapes.kind === 'point') return part.hasPoint(shapes.x, shapes.y) ? 'excludes' : 'neither';
  const isTouched = shapes.edges.someEdge((ax, ay, bx, by) => part.touchesSegment(ax, ay, bx, by));
  if (isTouched) return 'excludes';
  return shapes.kind === 'area' && shapes.edges.encloses(part.anchorX, part.anchorY) ? 'holds' : 'neither';
}

function touchesPart(part: ComparedPart, shapes: ShapeWords): boolean {
  if (shapes.kind === 'point') return part.hasPoint(shapes.x, shapes.y);
  if (areApart(part.extent, shapes.extent)) return false;
  if (shapes.kind === 'area') return part.touchesArea(shapes.edges);
  return shapes.edges.someEdge((ax, ay, bx, by) => part.touchesSegment(ax, ay, bx, by));
}

function holdsPart(part: ComparedPart, shapes: ShapeWords): boolean {
  if (shapes.kind === 'point') return part.hasPoint(shapes.x, shapes.y);
  if (areApart(part.extent, shapes.extent)) return false;
  if (shapes.kind === 'area') return part.holdsArea(shapes.edges);
  return !shapes.edges.someEdge((ax, ay, bx, by) => !part.holdsSegment(ax, ay, bx, by));
}

/**
 * Parts of the shape of a query, each of which answers how it lies to the points, segments and areas of documents.
 *
 * Edges belong to what they enclose. A hole's edge does not belong to an area of a query around it, as in Lucene.
 */
import { unreachable } from '@shoal/core';
import { arcDistance, boxAround } from '../distance.ts';
import { EdgeList, segmentTouchesBox } from './edge-list.ts';
import { sideOf } from './segments.ts';
import type { ShapeGrid } from './shape-grid.ts';
import type { Chain, Extent, ShapePart } from './shape-part.ts';

/** How a box lies to a part: no point in common, within it, or neither for sure. */
export type BoxRelation = 'outside' | 'inside' | 'crosses';

export interface ComparedPart {
  readonly kind: ShapePart['kind'];
  readonly extent: Extent;
  /** A point of the part. */
  readonly anchorX: number;
  readonly anchorY: number;
  relate(box: Extent): BoxRelation;
  hasPoint(x: number, y: number): boolean;
  touchesSegment(ax: number, ay: number, bx: number, by: number): boolean;
  holdsSegment(ax: number, ay: number, bx: number, by: number): boolean;
  /** `area`: edges of an area of a document. */
  touchesArea(area: EdgeList): boolean;
  holdsArea(area: EdgeList): boolean;
}

export function comparedPart(part: ShapePart, grid: ShapeGrid): ComparedPart {
  switch (part.kind) {
    case 'point':
      return new ComparedPoint(grid.xOf(grid.stepsOfX(part.x)), grid.yOf(grid.stepsOfY(part.y)));
    case 'line':
      return new ComparedLine(part.chain);
    case 'area':
      return new ComparedArea(part.rings);
    case 'box':
      // Shapes of documents stand on the grid: so do the sides that they are compared with.
      return new ComparedBox({
        minX: grid.xOf(grid.stepsUpOfX(part.west)),
        maxX: grid.xOf(grid.stepsOfX(part.east)),
        minY: grid.yOf(grid.stepsUpOfY(part.south)),
        maxY: grid.yOf(grid.stepsOfY(part.north)),
      });
    case 'circle':
      return new ComparedCircle(part, grid);
    default:
      return unreachable(part);
  }
}

export function areApart(a: Extent, b: Extent): boolean {
  return a.minX > b.maxX || a.maxX < b.minX || a.minY > b.maxY || a.maxY < b.minY;
}

class ComparedPoint implements ComparedPart {
  readonly kind = 'point';
  readonly anchorX: number;
  readonly anchorY: number;
  readonly extent: Extent;

  constructor(x: number, y: number) {
    this.anchorX = x;
    this.anchorY = y;
    this.extent = { minX: x, maxX: x, minY: y, maxY: y };
  }

  relate(box: Extent): BoxRelation {
    return areApart(box, this.extent) ? 'outside' : 'crosses';
  }

  hasPoint(x: number, y: number): boolean {
    return x === this.anchorX && y === this.anchorY;
  }

  touchesSegment(ax: number, ay: number, bx: number, by: number): boolean {
    const { anchorX: x, anchorY: y } = this;
    if (x < Math.min(ax, bx) || x > Math.max(ax, bx) || y < Math.min(ay, by) || y > Math.max(ay, by)) return false;
    return sideOf(ax, ay, bx, by, x, y) === 0;
  }

  holdsSegment(): boolean {
    return false;
  }

  touchesArea(area: EdgeList): boolean {
    return area.encloses(this.anchorX, this.anchorY);
  }

  holdsArea(): boolean {
    return false;
  }
}

class ComparedLine implements ComparedPart {
  readonly kind = 'line';
  readonly anchorX: number;
  readonly anchorY: number;
  readonly extent: Extent;
  private readonly edges: EdgeList;

  constructor(chain: Chain) {
    this.edges = new EdgeList([chain]);
    this.extent = this.edges.extent;
    this.anchorX = this.edges.anchorX;
    this.anchorY = this.edges.anchorY;
  }

  relate(box: Extent): BoxRelation {
    return areApart(box, this.extent) || !this.edges.touchesBox(box) ? 'outside' : 'crosses';
  }

  hasPoint(x: number, y: number): boolean {
    return this.edges.hasOnEdge(x, y);
  }

  touchesSegment(ax: number, ay: number, bx: number, by: number): boolean {
    return this.edges.touches(ax, ay, bx, by);
  }

  holdsSegment(): boolean {
    return false;
  }

  touchesArea(area: EdgeList): boolean {
    return area.encloses(this.anchorX, this.anchorY) || this.edges.touchesAny(area);
  }

  holdsArea(): boolean {
    return false;
  }
}

class ComparedArea implements ComparedPart {
  readonly kind = 'area';
  readonly anchorX: number;
  readonly anchorY: number;
  readonly extent: Extent;
  private readonly shell: EdgeList;
  private readonly holes: readonly ComparedArea[];

  constructor([shell, ...holes]: readonly Chain[]) {
    this.shell = new EdgeList(shell === undefined ? [] : [shell]);
    this.holes = holes.map((hole) => new ComparedArea([hole]));
    this.extent = this.shell.extent;
    this.anchorX = this.shell.anchorX;
    this.anchorY = this.shell.anchorY;
  }

  relate(box: Extent): BoxRelation {
    if (areApart(box, this.extent)) return 'outside';
    if (this.shell.touchesBox(box)) return 'crosses';
    // No edge is near: all of the box is within, or nothing.
    if (!this.shell.encloses(box.minX, box.minY)) return 'outside';
    for (const hole of this.holes) {
      const relation = hole.relate(box);
      if (relation !== 'outside') return relation === 'inside' ? 'outside' : 'crosses';
    }
    return 'inside';
  }

  hasPoint(x: number, y: number): boolean {
    return this.shell.encloses(x, y) && !this.holes.some((hole) => hole.hasPoint(x, y));
  }

  touchesSegment(ax: number, ay: number, bx: number, by: number): boolean {
    if (!this.hasPoint(ax, ay) && !this.hasPoint(bx, by) && !this.shell.touches(ax, ay, bx, by)) return false;
    return !this.holes.some((hole) => hole.holdsSegment(ax, ay, bx, by));
  }

  holdsSegment(ax: number, ay: number, bx: number, by: number): boolean {
    if (!this.hasPoint(ax, ay) || !this.hasPoint(bx, by) || this.shell.crosses(ax, ay, bx, by)) return false;
    return !this.holes.some((hole) => hole.touchesSegment(ax, ay, bx, by));
  }

  touchesArea(area: EdgeList): boolean {
    if (areApart(area.extent, this.extent)) return false;
    const isNear =
      this.shell.touchesAny(area) ||
      area.encloses(this.anchorX, this.anchorY) ||
      area.someEnd((x, y) => this.hasPoint(x, y));
    return isNear && !this.holes.some((hole) => hole.holdsArea(area));
  }

  holdsArea(area: EdgeList): boolean {
    if (areApart(area.extent, this.extent) || this.shell.crossesAny(area)) return false;
    if (area.someEnd((x, y) => !this.hasPoint(x, y))) return false;
    return !this.holes.some((hole) => hole.touchesArea(area));
  }
}

class ComparedBox implements ComparedPart {
  readonly kind = 'box';
  readonly extent: Extent;
  readonly anchorX: number;
  readonly anchorY: number;

  constructor(extent: Extent) {
    this.extent = extent;
    this.anchorX = extent.minX;
    this.anchorY = extent.minY;
  }

  relate(box: Extent): BoxRelation {
    const { minX, minY, maxX, maxY } = this.extent;
    if (areApart(box, this.extent)) return 'outside';
    return box.minX >= minX && box.maxX <= maxX && box.minY >= minY && box.maxY <= maxY ? 'inside' : 'crosses';
  }

  hasPoint(x: number, y: number): boolean {
    const { minX, minY, maxX, maxY } = this.extent;
    return x >= minX && x <= maxX && y >= minY && y <= maxY;
  }

  touchesSegment(ax: number, ay: number, bx: number, by: number): boolean {
    const { minX, minY, maxX, maxY } = this.extent;
    return segmentTouchesBox(ax, ay, bx, by, minX, minY, maxX, maxY);
  }

  holdsSegment(ax: number, ay: number, bx: number, by: number): boolean {
    return this.hasPoint(ax, ay) && this.hasPoint(bx, by);
  }

  touchesArea(area: EdgeList): boolean {
    return area.touchesBox(this.extent) || area.encloses(this.anchorX, this.anchorY);
  }

  holdsArea({ extent }: EdgeList): boolean {
    return this.relate(extent) === 'inside';
  }
}

class ComparedCircle implements ComparedPart {
  readonly kind = 'circle';
  readonly extent: Extent;
  readonly anchorX: number;
  readonly anchorY: number;
  private readonly radius: number;
  private readonly isOnGlobe: boolean;
  /** x of the centre, and where the circle goes over the date line its x on the other side. */
  private readonly centres: readonly number[];

  constructor({ x, y, radius }: { readonly x: number; readonly y: number; readonly radius: number }, grid: ShapeGrid) {
    this.anchorX = x;
    this.anchorY = y;
    this.radius = radius;
    this.isOnGlobe = grid.kind === 'globe';
    if (!this.isOnGlobe) {
      this.extent = { minX: x - radius, maxX: x + radius, minY: y - radius, maxY: y + radius };
      this.centres = [x];
      return;
    }
    const { west, east, south, north } = boxAround({ lat: y, lon: x }, radius);
    const isOverDateLine = west > east;
    this.extent = { minX: isOverDateLine ? -180 : west, maxX: isOverDateLine ? 180 : east, minY: south, maxY: north };
    this.centres = isOverDateLine ? [x, x > 0 ? x - 360 : x + 360] : [x];
  }

  relate(box: Extent): BoxRelation {
    return areApart(box, this.extent) ? 'outside' : 'crosses';
  }

  hasPoint(x: number, y: number): boolean {
    const { extent, anchorX, anchorY, radius, isOnGlobe } = this;
    if (x < extent.minX || x > extent.maxX || y < extent.minY || y > extent.maxY) return false;
    return (isOnGlobe ? arcDistance(y, x, anchorY, anchorX) : Math.hypot(x - anchorX, y - anchorY)) <= radius;
  }

  touchesSegment(ax: number, ay: number, bx: number, by: number): boolean {
    if (this.hasPoint(ax, ay) || this.hasPoint(bx, by)) return true;
    return this.centres.some((x) => this.comesNear(x, ax, ay, bx, by));
  }

  /** The point of the segment that is nearest to the centre, as on a plane, is in the circle. */
  private comesNear(x: number, ax: number, ay: number, bx: number, by: number): boolean {
    const [dx, dy] = [bx - ax, by - ay];
    const share = ((x - ax) * dx + (this.anchorY - ay) * dy) / (dx * dx + dy * dy);
    return share >= 0 && share <= 1 && this.hasPoint(ax + dx * share, ay + dy * share);
  }

  holdsSegment(ax: number, ay: number, bx: number, by: number): boolean {
    return this.hasPoint(ax, ay) && this.hasPoint(bx, by);
  }

  touchesArea(area: EdgeList): boolean {
    if (areApart(area.extent, this.extent)) return false;
    if (area.encloses(this.anchorX, this.anchorY)) return true;
    return area.someEdge((ax, ay, bx, by) => this.touchesSegment(ax, ay, bx, by));
  }

  holdsArea(area: EdgeList): boolean {
    return !area.someEnd((x, y) => !this.hasPoint(x, y));
  }
}

/**
 * A part of a positional query in one segment: documents where it may stand, and the ranges where it does.
 *
 * Nodes hold nodes. Whoever holds some moves their documents; the ranges of a document are worked out as a whole, from
 * the inside out, when it is asked for them: documents are small, and lists are simpler to get right than walks.
 */
import { assert } from '@shoal/core';
import type { PostingsCursor } from '../../format/reader/segment-reader.ts';
import { ConjunctionScorer } from '../scorers/conjunction-scorer.ts';
import type { DocIterator } from '../weight/doc-iterator.ts';
import { UnitedDocs } from '../weight/united-docs.ts';
import { PositionRanges } from './position-ranges.ts';

export interface PositionNode {
  /** Documents in which the node may stand; moved by its holder. */
  readonly docs: DocIterator;
  /** The gaps of its ranges are not filled by it. */
  readonly isLoose?: boolean;
  /** Adds the ranges of the current document of `docs` to an empty list. */
  read(into: PositionRanges): void;
}

/** A part with room for its ranges. */
export class Part {
  readonly node: PositionNode;
  readonly list: PositionRanges = new PositionRanges();

  constructor(node: PositionNode) {
    this.node = node;
  }

  /** Its ranges in the current document of its docs. */
  read(): PositionRanges {
    this.list.clear();
    this.node.read(this.list);
    return this.list;
  }

  /** Its ranges in `doc`, none when it is not there. */
  readAt(doc: number): PositionRanges {
    const { docs } = this.node;
    this.list.clear();
    if ((docs.doc < doc ? docs.advance(doc) : docs.doc) === doc) this.node.read(this.list);
    return this.list;
  }
}

/** One term. */
export class TermNode implements PositionNode {
  readonly docs: DocIterator;
  private readonly cursor: PostingsCursor;
  private positions = new Uint32Array(16);

  constructor(cursor: PostingsCursor) {
    assert(cursor.doc === -1, `a node of postings that stand at ${cursor.doc}`);
    this.docs = cursor;
    this.cursor = cursor;
  }

  read(into: PositionRanges): void {
    const { cursor } = this;
    if (this.positions.length < cursor.freq) this.positions = new Uint32Array(cursor.freq * 2);
    const count = cursor.positions(this.positions);
    for (let i = 0; i < count; i++) {
      const position = this.positions[i] as number;
      into.add(position, position + 1, 0);
    }
  }
}

/** A range where it was found. */
export interface FoundRange {
  readonly list: PositionRanges;
  readonly i: number;
}

/** The ranges of all parts that stand in `doc`, part by part, and of how many parts they are. */
export function rangesAt(
  parts: readonly Part[],
  doc: number,
): { readonly found: FoundRange[]; readonly partCount: number } {
  const found: FoundRange[] = [];
  let partCount = 0;
  for (const part of parts) {
    if (part.node.docs.doc !== doc) continue;
    const list = part.read();
    partCount++;
    for (let i = 0; i < list.count; i++) found.push({ list, i });
  }
  return { found, partCount };
}

export function partsOf(nodes: readonly PositionNode[]): Part[] {
  return nodes.map((node) => new Part(node));
}

/** Documents of all of the nodes. */
export function docsOfAll(nodes: readonly PositionNode[]): DocIterator {
  return new ConjunctionScorer(
    nodes.map((node) => node.docs),
    [],
  );
}

/** Documents of any of the nodes. */
export function docsOfAny(nodes: readonly PositionNode[]): DocIterator {
  return new UnitedDocs(nodes.map((node) => node.docs));
}

/**
 * Where nested objects stand in their documents: the object's number among those of its path, at each level from the outermost on.
 */
import { assert } from '@shoal/core';
import type { Mapping } from '@shoal/schema';
import type { NestedStep } from '@shoal/shard-api';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { ParentDocs } from '../../../match/kinds/nested/nested-docs.ts';
import type { NestedPlace } from './fetched-document.ts';

/** A nested object on the way to the one that is wanted. */
interface Level {
  readonly path: string;
  /** Path from the object around it. */
  readonly field: string;
}

export class NestedPlaces {
  private readonly path: string;
  /** The outermost first; the last is the path itself. */
  private readonly levels: readonly Level[];
  private view: SegmentView | null = null;
  /** Documents of the root, then of each level. */
  private docs: readonly ParentDocs[] = [];

  constructor(mapping: Mapping, path: string) {
    const levels: Level[] = [];
    for (let at = path; at !== ''; ) {
      const around = mapping.nestedAround(at);
      levels.unshift({ path: at, field: around === '' ? at : at.slice(around.length + 1) });
      at = around;
    }
    this.path = path;
    this.levels = levels;
  }

  at(view: SegmentView, doc: number): NestedPlace {
    if (this.view !== view) {
      this.view = view;
      this.docs = ['', ...this.levels.map(({ path }) => path)].map((path) => new ParentDocs(view, path));
    }
    const steps: NestedStep[] = [];
    for (const [i, { field }] of this.levels.entries()) {
      const [outer, inner] = [this.docs[i], this.docs[i + 1]];
      assert(outer !== undefined && inner !== undefined, `no documents of level ${i} of ${this.path}`);
      const own = inner.from(doc);
      let offset = 0;
      for (let before = inner.from(outer.before(own) + 1); before < own; before = inner.from(before + 1)) offset++;
      steps.push({ field, offset });
    }
    return { path: this.path, steps, root: (this.docs[0] as ParentDocs).from(doc) };
  }
}

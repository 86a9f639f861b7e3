/**
 * Parts of a query whose documents take long to be found: thousands of terms, patterns over a whole dictionary.
 *
 * They are found before a segment is walked, in steps, so that others of the thread run in between and the search can be told to
 * stop. What nobody prepared, such as for an explanation, is found when it is asked for.
 */

import { assert, runSteps, type Steps } from '@shoal/core';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { WorkPacer } from '../../pacing/work-pacer.ts';
import type { DocIterator } from '../weight/doc-iterator.ts';

/** The documents from the first on, as often as they are asked for; null: there are none. */
export type DocsMaker = () => DocIterator | null;

export type FindInSteps = (view: SegmentView) => Steps<DocsMaker>;

interface Wanted {
  readonly find: FindInSteps;
  /** The filter cache has its documents. */
  readonly isCached: (view: SegmentView) => boolean;
  readonly found: Map<SegmentView, DocsMaker>;
}

/** Documents of such parts, found for one search. */
export class PreparedDocs {
  /** Parts of the query whose documents are to be found, one entry each. */
  private readonly wanted: Wanted[] = [];
  /** The search ended before all was found: nothing more is sought. */
  private isOver = false;

  get isEmpty(): boolean {
    return this.wanted.length === 0;
  }

  /** Parts that were added so far. */
  get count(): number {
    return this.wanted.length;
  }

  add(find: FindInSteps, isCachedIn: (view: SegmentView) => boolean): (view: SegmentView) => DocIterator | null {
    const wanted: Wanted = { find, isCached: isCachedIn, found: new Map() };
    this.wanted.push(wanted);
    return (view) => {
      let made = wanted.found.get(view);
      if (made === undefined) {
        if (this.isOver) return null;
        made = runSteps(find(view));
        wanted.found.set(view, made);
      }
      return made();
    };
  }

  /** All that was added since, for these segments. Ends early when the pacer says so. */
  async prepare(views: readonly SegmentView[], pacer: WorkPacer): Promise<void> {
    for (const wanted of this.wanted) {
      for (const view of views) {
        if (this.isOver) return;
        if (!wanted.found.has(view) && !wanted.isCached(view)) await this.find(wanted, view, pacer);
      }
    }
  }

  private async find({ find, found }: Wanted, view: SegmentView, pacer: WorkPacer): Promise<void> {
    assert(!found.has(view), `documents are sought twice in a segment of ${view.segment.docCount}`);
    const steps = find(view);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        found.set(view, step.value);
        return;
      }
      const pause = pacer.checkpoint();
      this.isOver = pacer.isOver;
      if (this.isOver) return;
      if (pause !== null) await pause;
    }
  }
}

/** Documents of a part: found with those of the whole query, where these are prepared, else when they are first asked for. */
export function docsInSteps(
  prepared: PreparedDocs | undefined,
  find: FindInSteps,
  isCachedIn: (view: SegmentView) => boolean = () => false,
): (view: SegmentView) => DocIterator | null {
  return (prepared ?? new PreparedDocs()).add(find, isCachedIn);
}

/**
 * Context of queries of which something is kept beyond the request: it tells whether a query that is compiled with it looks at what the
 * next request has others of, the documents and the time.
 */
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../context/compile-context.ts';
import { StatisticsCache } from '../../scorers/statistics-cache.ts';

export class WatchedContext {
  readonly ctx: CompileContext;
  #wasAsked = false;

  constructor(ctx: CompileContext) {
    const { searcher, clock, mapping } = ctx;
    const told = <T>(value: T): T => {
      this.#wasAsked = true;
      return value;
    };
    const watched = {
      generation: searcher.generation,
      get views(): readonly SegmentView[] {
        return told(searcher.views);
      },
      get maxDoc(): number {
        return told(searcher.maxDoc);
      },
      get liveCount(): number {
        return told(searcher.liveCount);
      },
    };
    const time = {
      get nowMs(): number {
        return told(clock.nowMs);
      },
    };
    this.ctx = { ...ctx, searcher: watched, clock: time, statistics: new StatisticsCache(watched, mapping) };
  }

  /** True once a query that was compiled with it asked for the documents, their number or statistics, or the time. */
  get wasAsked(): boolean {
    return this.#wasAsked;
  }
}

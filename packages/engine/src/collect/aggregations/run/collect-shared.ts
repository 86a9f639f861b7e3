/**
 * A long search divided among the threads of a node: the thread that owns the shard begins at once, and asks for guests when the search
 * goes on. Parts are claimed one by one, so that a guest that comes late, or is slow, has fewer of them.
 *
 * What a guest does not hand over the owner collects itself. Which thread collected what does not show in the answer.
 */

import { type DocPart, partsOf } from '../../walk/part-walk.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { sharingOf } from '../collector/state-sharing.ts';
import type { AggregationRun } from './aggregation-run.ts';
import { PartClaims } from './part-claims.ts';
import { PartCollector } from './part-collector.ts';
import type { AskedGuests, PartStates, SearchSharing } from './search-guests.ts';

/** Shortest time that is waited for guests when nothing else is left to do, in ms; else it is as long as the search took. */
const GUEST_WAIT_MS_MIN = 50;
/** Time between two looks at whether the search is to end, while guests are waited for, in ms. */
const LOOK_MS = 10;

/**
 * Collectors with all matches; null: the search is not divided, and nothing was collected.
 *
 * @param made collectors of the run, new; `hasPrepared`: some of them look for documents that take long to be found
 */
export async function collectShared(
  run: AggregationRun,
  { collectors, hasPrepared }: { readonly collectors: readonly BucketCollector[]; readonly hasPrepared: boolean },
  sharing: SearchSharing,
): Promise<readonly BucketCollector[] | null> {
  const { searcher } = run.ctx;
  const together = sharingOf(collectors, searcher.views);
  // Alone the order is the same as ever.
  if (together === null || (together.isOrderFree && sharing.guests === null)) return null;
  // Each part has collectors of its own where the order shows: what takes long would be found for each of them again.
  if (hasPrepared && !together.isOrderFree) return null;
  return SharedCollection.collect(run, partsOf(searcher, sharing.partDocsMin), collectors, sharing);
}

class SharedCollection {
  private readonly run: AggregationRun;
  private readonly parts: readonly DocPart[];
  private readonly sharing: SearchSharing;
  private readonly claims: PartClaims;
  private asked: AskedGuests | null = null;
  private readonly found: PartStates[] = [];

  private constructor(run: AggregationRun, parts: readonly DocPart[], sharing: SearchSharing) {
    this.run = run;
    this.parts = parts;
    this.sharing = sharing;
    this.claims = new PartClaims(parts.length);
  }

  static async collect(
    run: AggregationRun,
    parts: readonly DocPart[],
    collectors: readonly BucketCollector[],
    sharing: SearchSharing,
  ): Promise<readonly BucketCollector[] | null> {
    const shared = new SharedCollection(run, parts, sharing);
    const own = await PartCollector.begin(run, parts, collectors, () => shared.look());
    if (own === null) return null;
    try {
      return await shared.collectAll(own);
    } finally {
      shared.claims.stop();
    }
  }

  /** Asks for guests when the search has taken long enough to be worth theirs. */
  private look(): void {
    const { asked, sharing, claims, run } = this;
    if (asked !== null || sharing.guests === null || run.walk.pacer.elapsedMs < sharing.askAfterMs) return;
    if (!claims.hasLeft) return;
    const shared = { parts: this.parts, claims: claims.shared };
    this.asked = sharing.guests.ask(shared, (found) => {
      if (!claims.isStopped) this.found.push(...found);
    });
  }

  private async collectAll(own: PartCollector): Promise<readonly BucketCollector[]> {
    const { claims, found } = this;
    await own.collect(() => claims.claim());
    if (this.asked !== null) await this.waitFor(this.asked, own);
    // From here on nothing more is taken from guests.
    claims.stop();
    const missing = this.missing(own);
    await own.collect(() => missing.shift() ?? -1);
    return own.united(found);
  }

  private async waitFor(asked: AskedGuests, own: PartCollector): Promise<void> {
    const { walk } = this.run;
    const { elapsedMs } = walk.pacer;
    const endMs = elapsedMs + Math.max(GUEST_WAIT_MS_MIN, elapsedMs);
    while (!asked.areDone && !walk.isDone && walk.pacer.elapsedMs < endMs && this.missing(own).length > 0) {
      await asked.wait(LOOK_MS);
      const pause = walk.pacer.checkpoint();
      if (pause !== null) await pause;
      walk.isTimedOut = walk.pacer.isOver;
    }
  }

  /** Parts that nobody has handed over, ascending. */
  private missing(own: PartCollector): number[] {
    const covered = new Set([...own.covered, ...this.found.flatMap(({ parts }) => parts)]);
    return this.parts.flatMap((_, at) => (covered.has(at) ? [] : [at]));
  }
}

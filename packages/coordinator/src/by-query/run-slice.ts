/**
 * One slice of documents by query: page after page is found and written, at the pace asked for, until there are no more, enough
 * were written, something failed, or it was told to stop.
 *
 * A document is written only as it was found: its sequence number goes with the write, so that a write that is sent twice, or a
 * change by somebody else, is a conflict and never lost.
 */
import { type CancelFlag, isShoalError, type ShoalError } from '@shoal/core';
import type { Slice } from '@shoal/query';
import { BulkItems, NO_EXTRAS } from '../bulk/bulk-items.ts';
import { executeBulk } from '../bulk/execute-bulk.ts';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import type { ByQueryRequest, HitWrite } from './by-query-request.ts';
import { ByQueryCounts, type ByQueryStatus } from './by-query-status.ts';
import { Pauses } from './pauses.ts';
import { RETRIES_MAX, retryWaitMs, TOO_MANY_REQUESTS } from './refused-attempts.ts';
import type { HitFailure, HitPage, SourceHit, SourceHits } from './source-hits.ts';
import { Throttle } from './throttle.ts';

/** A document that could not be written. */
export interface WriteFailure {
  readonly index: string;
  readonly id: string;
  readonly error: ShoalError;
}

export interface SliceOutcome {
  readonly status: ByQueryStatus;
  readonly timedOut: boolean;
  readonly writeFailures: readonly WriteFailure[];
  readonly searchFailures: readonly HitFailure[];
  /** Names of the indices that were written to. */
  readonly indices: ReadonlySet<string>;
}

export interface SlicePart {
  /** null: all documents. */
  readonly slice: Slice | null;
  /** Number that its status shows; null: none. */
  readonly shownId: number | null;
  readonly documentsMax: number | null;
  readonly requestsPerSecond: number;
  readonly flag: CancelFlag;
}

const CONFLICT = 409;
/** Work on documents between two looks at what else the thread has to do. */
const SLICE_MS = 5;

type Write = Extract<HitWrite, { kind: 'write' }>;

export class SliceRun {
  readonly #context: CoordinatorContext;
  readonly #request: ByQueryRequest;
  readonly #part: SlicePart;
  readonly #counts = new ByQueryCounts();
  readonly #pauses: Pauses;
  readonly #throttle: Throttle;
  readonly #indices = new Set<string>();
  readonly #writeFailures: WriteFailure[] = [];

  constructor(context: CoordinatorContext, request: ByQueryRequest, part: SlicePart) {
    this.#context = context;
    this.#request = request;
    this.#part = part;
    this.#pauses = new Pauses(context.runtime, part.flag);
    this.#throttle = new Throttle(context.runtime.clock, this.#pauses, part.requestsPerSecond);
  }

  /** Counts and pace as they are now. */
  status(): ByQueryStatus {
    const { waitedMs, requestsPerSecond } = this.#throttle;
    return {
      kind: this.#request.kind,
      sliceId: this.#part.shownId,
      counts: this.#counts,
      pace: { throttledMs: waitedMs, requestsPerSecond, throttledUntilMs: this.#pauses.leftMs },
      cancelled: this.#part.flag.reason,
      slices: [],
    };
  }

  rethrottle(requestsPerSecond: number): void {
    this.#throttle.rethrottle(requestsPerSecond);
  }

  async run(): Promise<SliceOutcome> {
    const { slice, documentsMax, flag } = this.#part;
    const source = { slice, documentsMax, signal: flag, retries: this.#counts, pauses: this.#pauses };
    const hits = this.#request.open(this.#context, source);
    try {
      const last = await this.#writeAll(hits);
      return this.#outcome(last);
    } catch (error) {
      // Whoever stopped it wants to know how far it came.
      if (flag.cancelled && isShoalError(error)) return this.#outcome(null);
      throw error;
    } finally {
      await hits.close();
    }
  }

  #outcome(last: HitPage | null): SliceOutcome {
    return {
      status: this.status(),
      timedOut: last?.timedOut ?? false,
      writeFailures: this.#writeFailures,
      searchFailures: last?.failures ?? [],
      indices: this.#indices,
    };
  }

  /** @returns the page that ended it; null when it was stopped */
  async #writeAll(hits: SourceHits): Promise<HitPage | null> {
    const { flag, documentsMax } = this.#part;
    const { clock } = this.#context.runtime;
    let idleMs = 0;
    while (!flag.cancelled) {
      const page = await hits.next(idleMs);
      if (page.timedOut || page.failures.length > 0) return page;
      this.#counts.total = Math.min(page.total, documentsMax ?? page.total);
      await this.#throttle.wait(idleMs);
      if (flag.cancelled) break;
      if (page.hits.length === 0) return page;
      this.#counts.batches++;
      const startedMs = clock.monotonicMs();
      const wanted = page.hits.slice(0, this.#left());
      await this.#write(wanted);
      if (this.#writeFailures.length > 0 || this.#left() === 0) return page;
      idleMs = this.#throttle.waitMs(wanted.length, startedMs);
    }
    return null;
  }

  /** Documents that may still be written. */
  #left(): number {
    const { documentsMax } = this.#part;
    return documentsMax === null ? Number.POSITIVE_INFINITY : Math.max(0, documentsMax - this.#counts.written);
  }

  async #write(hits: readonly SourceHit[]): Promise<void> {
    let pending: readonly Write[] = await this.#writes(hits);
    for (let retry = 1; pending.length > 0; retry++) {
      pending = await this.#writeOnce(pending, retry <= RETRIES_MAX);
      if (pending.length === 0 || this.#part.flag.cancelled) return;
      this.#counts.bulkRetries++;
      await this.#pauses.pause(retryWaitMs(retry));
      if (this.#part.flag.cancelled) return;
    }
  }

  async #writes(hits: readonly SourceHit[]): Promise<readonly Write[]> {
    const writes: Write[] = [];
    const { clock, sched } = this.#context.runtime;
    let sliceEndMs = clock.monotonicMs() + SLICE_MS;
    for (const hit of hits) {
      // Scripts may take a while over each document: others of the thread have their turn between two of them.
      if (clock.monotonicMs() > sliceEndMs) {
        await new Promise<void>((resolve) => sched.soon(resolve));
        sliceEndMs = clock.monotonicMs() + SLICE_MS;
      }
      const write = this.#request.writeOf(hit);
      if (write.kind === 'write') writes.push(write);
      else this.#counts.noops++;
    }
    return writes;
  }

  /** @returns writes that were refused for lack of room, when they may be made again */
  async #writeOnce(writes: readonly Write[], mayRetry: boolean): Promise<readonly Write[]> {
    const { bulk, passesConflicts } = this.#request;
    const outcomes = await executeBulk(this.#context, bulkOf(writes), { ...bulk, refresh: 'none' });
    const refused: Write[] = [];
    for (const [at, write] of writes.entries()) {
      const outcome = outcomes.at(at);
      if (outcome.kind === 'done') {
        this.#indices.add(outcome.index);
        if (outcome.action === 'delete') this.#counts.deleted++;
        else if (outcome.done.result === 'created') this.#counts.created++;
        else this.#counts.updated++;
        continue;
      }
      const { index, error } = outcome;
      if (error.status === TOO_MANY_REQUESTS && mayRetry) {
        refused.push(write);
        continue;
      }
      const isConflict = error.status === CONFLICT;
      if (isConflict) this.#counts.versionConflicts++;
      if (!isConflict || !passesConflicts) this.#writeFailures.push({ index, id: write.item.id ?? '', error });
    }
    return refused;
  }
}

/** The writes as a bulk whose body is their documents. */
function bulkOf(writes: readonly Write[]): BulkItems {
  const items = writes.map(({ item }) => item);
  const [first] = items;
  return BulkItems.ofAll(items, {
    ...NO_EXTRAS,
    conditions: first?.conditions ?? NO_EXTRAS.conditions,
    requireAlias: first?.requireAlias ?? false,
    pipeline: first?.pipeline ?? null,
  });
}

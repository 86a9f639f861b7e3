/**
 * Results of recent writes by the request that asked for them, so that a request whose answer was lost is answered again in place of
 * being executed again. A create would conflict with itself, a delete would find nothing, and a document that was put as a whole would
 * replace what others have written since.
 *
 * Operations of one request that differ in their numbers alone are one run: a bulk of new documents takes no more room than one of them.
 * Two generations bound it: the younger one becomes the elder when it is full, and the elder is forgotten.
 */
import { assert } from '@shoal/core';
import type { RequestToken, WriteResult } from '@shoal/shard-api';
import { type RecentRun, type RecentWrite, RequestRuns } from './request-runs.ts';

type Done = Extract<WriteResult, { readonly kind: 'done' }>;

/** Runs of one generation, about half a megabyte. */
const GENERATION_MAX = 8_192;
/** Longer than any sender asks again, unless it was told to wait for so long. */
const KEPT_MS = 10 * 60_000;

export class RecentWrites {
  #younger = new RequestRuns();
  #elder = new RequestRuns();
  #unkept = 0;

  /** Those that were remembered since the last `noteKept`. */
  get unkept(): number {
    return this.#unkept;
  }

  /** So many of them are on disk. */
  noteKept(count: number): void {
    assert(count <= this.#unkept, `${count} writes are kept of ${this.#unkept}`);
    this.#unkept -= count;
  }

  /** Result of an operation of a request; null when it was not executed here, or long ago. */
  find(token: RequestToken, position: number): Done | null {
    const found = this.#younger.find(token, position) ?? this.#elder.find(token, position);
    if (found === null) return null;
    const { result, version, seqNo, primaryTerm } = found;
    // The document of an answer is not kept, only what says which write it was.
    return { kind: 'done', result, version, seqNo, primaryTerm, source: null };
  }

  remember(write: RecentWrite): void {
    this.#rememberRun(write, 1);
    this.#unkept++;
  }

  /** Those that a file has. */
  restore(runs: readonly RecentRun[]): void {
    for (const run of runs) this.#rememberRun(run, run.count);
  }

  /** Operations above a number were taken back: they have no answer. */
  forgetAbove(seqNo: number): void {
    this.#elder = this.#elder.through(seqNo);
    this.#younger = this.#younger.through(seqNo);
  }

  /**
   * Nobody asks again for what is so old: shards that are written to no more hold nothing. Called once in a while.
   *
   * @param nowMs monotonic
   */
  forgetOld(nowMs: number): void {
    if (isOld(this.#elder, nowMs)) this.#elder = new RequestRuns();
    if (isOld(this.#younger, nowMs)) this.#younger = new RequestRuns();
  }

  all(): readonly RecentRun[] {
    return [...this.#elder, ...this.#younger];
  }

  /** Those up to a number. */
  through(seqNo: number): readonly RecentRun[] {
    return [...this.#elder.through(seqNo), ...this.#younger.through(seqNo)];
  }

  #rememberRun(write: RecentWrite, count: number): void {
    if (this.#younger.size >= GENERATION_MAX) {
      const forgotten = this.#elder;
      forgotten.clear();
      this.#elder = this.#younger;
      this.#younger = forgotten;
    }
    this.#younger.add(write, count);
  }
}

/** The first look after the last one was added counts as the time of that. */
function isOld(runs: RequestRuns, nowMs: number): boolean {
  runs.seenMs ??= nowMs;
  return runs.size > 0 && nowMs - runs.seenMs > KEPT_MS;
}

/**
 * How much of a shard's history stays in the translog: what another copy may lack, and as far as there is room, what copies that
 * are away will ask for when they come back.
 *
 * A shard without other copies keeps nothing for them: what it has on disk, every copy has.
 */
import { assert } from '@shoal/core';
import type { HistoryState } from './history-state.ts';

/** Bytes of translog beyond what the shard itself needs. */
const BYTES_MAX = 512 * 1024 * 1024;

/** What the copies of a shard need of its history. */
export interface HistoryNeeds {
  /** Every copy that may lead has the operations up to here on disk; -1: nothing is known. Never falls. */
  readonly globalCheckpoint: number;
  /** First operation that a copy will ask for which is away: kept as long as there is room. */
  readonly retainedFrom: number;
}

/** A generation of the translog that is written no more. */
export interface EndedGeneration {
  readonly generation: number;
  /** Highest number of its operations; -1 when it has none. */
  readonly maxSeqNo: number;
  readonly sizeBytes: number;
  /** Monotonic clock. */
  readonly endedMs: number;
}

/** The oldest generation with an operation above `seqNo`; `current`, which is written, when none of the ended ones has. */
export function firstGenerationAbove(ended: readonly EndedGeneration[], current: number, seqNo: number): number {
  return ended.find(({ maxSeqNo }) => maxSeqNo > seqNo)?.generation ?? current;
}

/** Highest number that one of the generations has, or `floor` where that is higher. */
export function highestSeqNo(generations: readonly Pick<EndedGeneration, 'maxSeqNo'>[], floor: number): number {
  return generations.reduce((max, { maxSeqNo }) => Math.max(max, maxSeqNo), floor);
}

export class HistoryRetention {
  /** null: there is no other copy. */
  #needs: HistoryNeeds | null;
  /** Promises to copies, by node. */
  leases: HistoryState['leases'];

  /** @param needs what was known when the copy was opened; null: it is alone */
  constructor(needs: HistoryNeeds | null, leases: HistoryState['leases'] = new Map()) {
    this.#needs = needs;
    this.leases = leases;
  }

  update(needs: HistoryNeeds | null): void {
    if (needs === null) {
      this.#needs = null;
      return;
    }
    const { globalCheckpoint, retainedFrom } = needs;
    assert(globalCheckpoint >= -1 && retainedFrom >= 0, `history from ${retainedFrom}, confirmed ${globalCheckpoint}`);
    // Messages may overtake each other.
    const before = this.#needs?.globalCheckpoint ?? -1;
    this.#needs = { globalCheckpoint: Math.max(before, globalCheckpoint), retainedFrom };
  }

  /** Every copy that may lead has the operations up to here, as this copy has heard. */
  noteGlobalCheckpoint(globalCheckpoint: number): void {
    const needs = this.#needs;
    if (needs === null || globalCheckpoint <= needs.globalCheckpoint) return;
    this.#needs = { ...needs, globalCheckpoint };
  }

  /** @param persisted operation up to which this copy has all on disk */
  globalCheckpoint(persisted: number): number {
    return this.#needs === null ? persisted : this.#needs.globalCheckpoint;
  }

  /**
   * The first generation that stays.
   *
   * @param ended ascending
   * @param current the generation that is written
   * @param checkpoint operations up to here are in every commit that is kept
   * @param keptMs age of what is kept for others, since its generation ended; after a start, since then
   */
  firstGeneration(
    ended: readonly EndedGeneration[],
    {
      current,
      checkpoint,
      nowMs,
      keptMs,
    }: { readonly current: number; readonly checkpoint: number; readonly nowMs: number; readonly keptMs: number },
  ): number {
    const firstAbove = (seqNo: number): number => firstGenerationAbove(ended, current, seqNo);
    const { globalCheckpoint, retainedFrom } = this.#needs ?? {
      globalCheckpoint: checkpoint,
      retainedFrom: checkpoint + 1,
    };
    const needed = firstAbove(Math.min(checkpoint, globalCheckpoint));
    const wanted = firstAbove(retainedFrom - 1);
    let first = needed;
    let bytes = 0;
    for (const { generation, sizeBytes, endedMs } of ended.toReversed()) {
      if (generation >= needed) continue;
      bytes += sizeBytes;
      if (generation < wanted || bytes > BYTES_MAX || nowMs - endedMs > keptMs) break;
      first = generation;
    }
    return first;
  }
}

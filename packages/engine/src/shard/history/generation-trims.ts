/**
 * Operations that the files of a translog have and the shard has not: those that a trim has dropped. A trim is the first record
 * of its generation, so that what it drops is in older ones, all of it.
 */
import type { HistoryOperation } from '@shoal/shard-api';

export interface LogTrim {
  readonly above: number;
  readonly belowTerm: number;
}

export interface GenerationTrim extends LogTrim {
  /** Generation that begins with it. */
  readonly generation: number;
}

export function isTrimmed({ seqNo, primaryTerm }: HistoryOperation, { above, belowTerm }: LogTrim): boolean {
  return seqNo > above && primaryTerm < belowTerm;
}

/** Those that drop something of a generation. */
export function trimsOf(trims: readonly GenerationTrim[], generation: number): readonly GenerationTrim[] {
  return trims.filter((trim) => trim.generation > generation);
}

/** Those that are not in the generations from this one on. */
export function trimsBefore(trims: readonly GenerationTrim[], generation: number): readonly GenerationTrim[] {
  return trims.filter((trim) => trim.generation < generation);
}

/** The operation that was written last of each number, in the order in which they were written. */
export function newestOfEach(operations: readonly HistoryOperation[]): readonly HistoryOperation[] {
  const met = new Set<number>();
  const newest: HistoryOperation[] = [];
  for (const operation of operations.toReversed()) {
    if (met.has(operation.seqNo)) continue;
    met.add(operation.seqNo);
    newest.push(operation);
  }
  return newest.reverse();
}

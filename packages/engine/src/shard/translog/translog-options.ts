/**
 * What a translog is opened with.
 */
import type { ShoalError } from '@shoal/core';
import type { Disk, Scheduler } from '@shoal/runtime';
import type { PieceSource } from '../../bytes/piece-pool.ts';
import type { GenerationTrim } from '../history/generation-trims.ts';
import type { EndedGeneration } from '../history/history-retention.ts';
import type { HistoryState } from '../history/history-state.ts';
import type { LocalCheckpoint } from '../history/local-checkpoint.ts';

export interface TranslogOptions {
  readonly disk: Disk;
  readonly sched: Scheduler;
  readonly folder: string;
  /** First generation to write; its file is made by `open`, or goes on. */
  readonly begin:
    | {
        readonly kind: 'new';
        readonly generation: number;
        /** Size of the generation before, -1 without. */
        readonly previousBytes: number;
      }
    | {
        readonly kind: 'continued';
        readonly generation: number;
        /** Good bytes of it, all durable; none of them is an operation. */
        readonly sizeBytes: number;
      };
  /** What the files say already that the copies have agreed on; left out: nothing. */
  readonly said?: HistoryState;
  /** What operations wait in until they are written; null or left out: the log keeps a piece of its own. */
  readonly pieces?: PieceSource | null;
  /** Told which operations are durable. */
  readonly persisted: LocalCheckpoint;
  /** Older generations that are kept. */
  readonly older: readonly EndedGeneration[];
  /** What they have and the shard has not; left out: nothing. */
  readonly trims?: readonly GenerationTrim[];
  /** Every operation above it is in them. */
  readonly trimmedSeqNo: number;
  /** Called once when the log can never be written again. */
  readonly onFailure: (error: ShoalError) => void;
}

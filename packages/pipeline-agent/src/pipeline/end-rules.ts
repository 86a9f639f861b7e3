/**
 * Rules for the end of a pipeline: what must go through first, and what becomes of events that do not move.
 */
import type { PipelineSettings } from '../sources/pipeline-source.ts';

export interface PipelineEnd {
  /** `finished`: its inputs ended by themselves. */
  readonly state: 'finished' | 'terminated';
  /** Somebody asked for the end, perhaps after the inputs had finished. */
  readonly isStopAsked: boolean;
  /** Another pipeline follows and gets what is left. */
  readonly handsOver: boolean;
}

/** Whether everything in the queue goes through before the end. */
export function emptiesQueue({ queueType, drainsQueue }: PipelineSettings, end: PipelineEnd): boolean {
  return queueType === 'memory' || drainsQueue || (end.state === 'finished' && !end.isStopAsked);
}

/** What is stuck may stay unfinished if it is on disk, the next pipeline gets it, or losing it was asked for. */
export function fateOfStuck(settings: PipelineSettings, end: PipelineEnd): 'awaited' | 'lost' | 'left' {
  const { queueType, isUnsafeShutdown } = settings;
  if (end.handsOver) return 'left';
  if (!end.isStopAsked) return 'awaited';
  if (queueType === 'persisted' && (isUnsafeShutdown || !emptiesQueue(settings, end))) return 'left';
  return isUnsafeShutdown ? 'lost' : 'awaited';
}

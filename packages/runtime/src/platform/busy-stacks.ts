/**
 * What a thread was found at, out of a profile: its call stacks, those that were seen most often first.
 *
 * Samples that found it idle are counted and have no stack.
 */
import type { ProfileFrame, ThreadProfile } from '../interfaces/profile.ts';

export interface BusyStack {
  /** Samples that found the thread here. */
  readonly count: number;
  /** Innermost call first. */
  readonly frames: readonly string[];
}

export interface BusyStacks {
  readonly sampleCount: number;
  readonly stacks: readonly BusyStack[];
}

const IDLE = '(idle)';
const ROOT = '(root)';
/** Stacks that are told of one thread, and calls of one stack. */
export const STACKS_MAX = 10;
export const FRAMES_MAX = 50;

export function busyStacks({ frames, samples }: ThreadProfile): BusyStacks {
  const counts = new Map<number, number>();
  for (const { frame } of samples) {
    if (frames[frame]?.name !== IDLE) counts.set(frame, (counts.get(frame) ?? 0) + 1);
  }
  const stacks = [...counts].sort(([, a], [, b]) => b - a).slice(0, STACKS_MAX);
  return {
    sampleCount: samples.length,
    stacks: stacks.map(([frame, count]) => ({ count, frames: callsFrom(frames, frame) })),
  };
}

function callsFrom(frames: readonly ProfileFrame[], top: number): readonly string[] {
  const calls: string[] = [];
  for (let at = top; at >= 0 && calls.length < FRAMES_MAX; ) {
    const frame = frames[at];
    if (frame === undefined || frame.name === ROOT) break;
    calls.push(shownFrame(frame));
    at = frame.parent;
  }
  return calls;
}

function shownFrame({ name, url, line }: ProfileFrame): string {
  const file = url.slice(url.lastIndexOf('/') + 1);
  const place = file === '' ? '' : ` (${file}:${line})`;
  return `${name === '' ? '(anonymous)' : name}${place}`;
}

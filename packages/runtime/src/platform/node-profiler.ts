/**
 * A sampling profile of the calling thread, by the engine's own profiler: the thread goes on with its work meanwhile.
 */
import type { Profiler, Session } from 'node:inspector/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProfileFrame, ProfileOptions, ProfileSample, ThreadProfile } from '../interfaces/profile.ts';

const MICROS_PER_MILLI = 1_000;
const PROFILER_URL = /^node:(?:internal\/)?inspector/;
/** Two clocks that differ by more are not the same clock. */
const SAME_CLOCK_MS = 1_000;

export async function profileThread(options: ProfileOptions): Promise<ThreadProfile> {
  // Loaded by the first who asks: few do.
  const inspector = await import('node:inspector/promises');
  const session: Session = new inspector.Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    const interval = Math.round(options.sampleIntervalMs * MICROS_PER_MILLI);
    await session.post('Profiler.setSamplingInterval', { interval });
    const engineMs = Number(process.hrtime.bigint()) / 1e6;
    const ownMs = performance.now();
    await session.post('Profiler.start');
    await wait(options.durationMs);
    const { profile } = await session.post('Profiler.stop');
    await session.post('Profiler.disable');
    // Samples have the system's monotonic time, which the clock of this thread counts from its own start; where the engine
    // has another one, the profile is taken to have begun when it was asked for.
    const startedMs = profile.startTime / MICROS_PER_MILLI;
    const isSameClock = Math.abs(startedMs - engineMs) < SAME_CLOCK_MS;
    return threadProfile(profile, isSameClock ? ownMs - engineMs : ownMs - startedMs);
  } finally {
    session.disconnect();
  }
}

function threadProfile(profile: Profiler.Profile, shiftMs: number): ThreadProfile {
  const indexes = new Map(profile.nodes.map((node, i) => [node.id, i]));
  const parents = new Int32Array(profile.nodes.length).fill(-1);
  for (const [i, node] of profile.nodes.entries()) {
    for (const child of node.children ?? []) parents[indexes.get(child) ?? 0] = i;
  }
  const frames = profile.nodes.map(
    ({ callFrame }, i): ProfileFrame => ({
      name: callFrame.functionName,
      url: callFrame.url,
      line: callFrame.lineNumber + 1,
      parent: parents[i] ?? -1,
    }),
  );
  const isOwn = ownFrames(frames);
  const samples: ProfileSample[] = [];
  let atMicros = profile.startTime;
  for (const [i, id] of (profile.samples ?? []).entries()) {
    atMicros += profile.timeDeltas?.[i] ?? 0;
    const frame = indexes.get(id) ?? 0;
    if (!isOwn[frame]) samples.push({ atMs: atMicros / MICROS_PER_MILLI + shiftMs, frame });
  }
  return { frames, samples };
}

/** Which frames are the profiler at work, or were called by it: they are no work of the thread. */
function ownFrames(frames: readonly ProfileFrame[]): readonly boolean[] {
  const isOwn: boolean[] = [];
  const find = (at: number): boolean => {
    const frame = frames[at];
    if (frame === undefined) return false;
    isOwn[at] ??= PROFILER_URL.test(frame.url) || frame.name === profileThread.name || find(frame.parent);
    return isOwn[at];
  };
  for (const at of frames.keys()) find(at);
  return isOwn;
}

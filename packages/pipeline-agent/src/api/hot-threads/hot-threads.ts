/**
 * Which threads burn time, and in which plugin: a profile of every thread over a short interval, while the pipeline goes on.
 *
 * The kernel says how long each thread was on a processor; the profiles say with what. A worker that is inside one long call,
 * such as a regular expression, answers nothing: it is named by the plugin that it published in shared memory.
 */
import { ShoalError } from '@shoal/core';
import type { ProfileSample, Runtime, ThreadProfile, ThreadSamples } from '@shoal/runtime';
import type { AgentCore } from '../../agent/agent.ts';
import { PLUGINS_OF_SEAT } from '../../messages/thread-messages.ts';
import { type ThreadShare, threadShare } from '../../messages/thread-share.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { SharedThread } from '../../workers/shared-thread.ts';
import type { WorkerSeat } from '../../workers/worker-seat.ts';
import { type HotThread, hotThread, nativeThread } from './hot-thread.ts';
import { type LocatedPlugin, locatedPlugins, pluginFinder } from './main-thread-plugins.ts';

export interface HotThreadsOptions {
  readonly countMax: number;
  readonly intervalMs: number;
  readonly ignoresIdle: boolean;
  readonly framesMax: number;
}

export interface HotThreadsReport {
  readonly time: string;
  readonly busiest_threads: number;
  readonly interval_in_millis: number;
  readonly threads: readonly HotThread[];
}

export const HOT_THREADS_COUNT = 10;
export const HOT_THREADS_INTERVAL_MS = 500;
export const HOT_THREADS_FRAMES = 50;

/** Longer ones would slow the pipeline for longer than anybody looks. */
const INTERVAL_MS_MAX = 10_000;
const SAMPLE_INTERVAL_MS = 1;
/** Looks at the shared memory of the workers within an interval. */
const LOOKS = 50;
/** A worker that has not answered so long after the end of the interval is taken to be stuck. */
const ANSWER_GRACE_MS = 1_000;
const IDLE_PERCENT = 1;
/** Workers of one thread that its name says; the rest is counted. */
const SHOWN_WORKERS_MAX = 3;
const RULE = 80;

/** One profile at a time: profiling costs the pipeline some of its speed, and two would measure each other. */
export class HotThreads {
  readonly #core: AgentCore;
  #running: { readonly intervalMs: number; readonly threads: Promise<readonly HotThread[]> } | null = null;

  constructor(core: AgentCore) {
    this.#core = core;
  }

  /** Who asks for the same interval meanwhile gets the same profile; for another one: 429. */
  async report(options: HotThreadsOptions): Promise<HotThreadsReport> {
    const { intervalMs, countMax, framesMax } = options;
    if (!(intervalMs >= 1 && intervalMs <= INTERVAL_MS_MAX)) {
      throw refused(400, `interval must be between 1ms and ${INTERVAL_MS_MAX}ms, found ${intervalMs}ms`);
    }
    if (countMax < 1) throw refused(400, `threads must be at least 1, found ${countMax}`);
    if (framesMax < 0) throw refused(400, `stacktrace_size must not be negative, found ${framesMax}`);
    const threads = await this.#profile(intervalMs);
    const { runtime } = this.#core;
    const shown = options.ignoresIdle ? threads.filter(isBusy) : threads;
    return {
      time: new Date(runtime.clock.wallMs()).toISOString(),
      busiest_threads: countMax,
      interval_in_millis: intervalMs,
      threads: shown.slice(0, countMax).map((one) => ({ ...one, traces: one.traces.slice(0, framesMax) })),
    };
  }

  #profile(intervalMs: number): Promise<readonly HotThread[]> {
    if (this.#running !== null) {
      if (this.#running.intervalMs === intervalMs) return this.#running.threads;
      throw refused(429, `a profile of ${this.#running.intervalMs}ms is being taken, and only one is at a time`);
    }
    const threads = profileThreads(this.#core, intervalMs).finally(() => {
      this.#running = null;
    });
    this.#running = { intervalMs, threads };
    return threads;
  }
}

export function hotThreadsText(nodeName: string, report: HotThreadsReport): string {
  const lines = [
    `::: {${nodeName}}`,
    `Hot threads at ${report.time}, busiestThreads=${report.busiest_threads}:`,
    '='.repeat(RULE),
  ];
  for (const thread of report.threads) {
    const { percent_of_cpu_time: percent, state, name, thread_id: id } = thread;
    lines.push(` ${percent} % of cpu usage, state: ${state}, thread name: '${name}', thread id: ${id}`);
    for (const trace of thread.traces) lines.push(`\t${trace}`);
    lines.push('-'.repeat(RULE));
  }
  return `${lines.join('\n')}\n`;
}

interface Sitting {
  readonly pipeline: Pipeline;
  readonly worker: WorkerSeat;
}

interface Watched {
  readonly thread: SharedThread;
  readonly name: string;
  readonly sitting: readonly Sitting[];
  /** Samples that found the thread in a plugin, by the plugin's number in profiles. */
  readonly looks: Map<number, number>;
}

/** The busiest first. */
async function profileThreads(core: AgentCore, intervalMs: number): Promise<readonly HotThread[]> {
  const { runtime } = core;
  const watched = watchedThreads(core);
  const plugins = locatedPlugins(core);
  const before = cpuSample(runtime);
  const profiles = watched.map(({ thread }) => thread.profile(intervalMs));
  const main = profileMain(runtime, intervalMs, plugins);
  for (let look = 0; look < LOOKS; look++) {
    await elapsed(runtime, intervalMs / LOOKS);
    for (const one of watched) {
      const plugin = runningPlugin(one);
      one.looks.set(plugin, (one.looks.get(plugin) ?? 0) + 1);
    }
  }
  const usage = cpuUsage(before, cpuSample(runtime));
  const shares = await Promise.all(profiles.map((profile) => answerOrNull(runtime, profile)));
  const mainShare = await main;
  const workers = watched.map((one, i) => {
    const id = one.thread.threadId;
    const share = shares[i] ?? stuckShare(one.looks);
    const planOf = (plugin: number): LocatedPlugin | null => pluginOf(one, plugin);
    return hotThread({ name: one.name, id: id ?? i + 1, share, planOf, percent: usage.of(id) });
  });
  const own = hotThread({
    name: 'main',
    id: usage.ownId,
    share: mainShare,
    planOf: (plugin) => plugins[plugin] ?? null,
    percent: usage.of(usage.ownId),
  });
  const named = new Set([usage.ownId, ...watched.map(({ thread }) => thread.threadId)]);
  const natives = usage.others(named).map(({ id, name, percent }) => nativeThread(name, id, percent));
  return [own, ...workers, ...natives].sort((a, b) => b.percent_of_cpu_time - a.percent_of_cpu_time);
}

function watchedThreads(core: AgentCore): readonly Watched[] {
  const sitting = new Map<SharedThread, Sitting[]>();
  for (const { pipeline } of core.pipelines) {
    for (const worker of pipeline.workers) {
      const others = sitting.get(worker.thread) ?? [];
      others.push({ pipeline, worker });
      sitting.set(worker.thread, others);
    }
  }
  const watched: Watched[] = [...sitting].map(([thread, list]) => {
    return { thread, name: nameOf(list), sitting: list, looks: new Map() };
  });
  for (const { id, pipeline } of core.pipelines) {
    const { thread } = pipeline.inputs;
    if (thread !== null) watched.push({ thread, name: `[${id}]<inputs`, sitting: [], looks: new Map() });
  }
  return watched;
}

/** Names the worker that is alone in its thread, and the first of several. */
function nameOf(sitting: readonly Sitting[]): string {
  const shown = sitting.slice(0, SHOWN_WORKERS_MAX).map(({ pipeline, worker }) => {
    const { id } = pipeline.source;
    return `[${id}]>${worker.name.slice(id.length + 1)}`;
  });
  const rest = sitting.length - shown.length;
  return rest === 0 ? shown.join(' ') : `${shown.join(' ')} and ${rest} more`;
}

/** By what the workers publish; -1 when none is in a plugin. */
function runningPlugin({ sitting }: Watched): number {
  const found = sitting.find(({ worker }) => worker.currentPlugin >= 0)?.worker;
  return found === undefined ? -1 : found.seatNumber * PLUGINS_OF_SEAT + found.currentPlugin;
}

function pluginOf({ sitting }: Watched, plugin: number): LocatedPlugin | null {
  if (plugin < 0) return null;
  const seat = Math.floor(plugin / PLUGINS_OF_SEAT);
  const pipeline = sitting.find(({ worker }) => worker.seatNumber === seat)?.pipeline;
  const plan = pipeline?.stats.worker(plugin % PLUGINS_OF_SEAT)?.plan;
  return pipeline === undefined || plan === undefined ? null : { pipelineId: pipeline.source.id, plan };
}

async function profileMain(
  runtime: Runtime,
  durationMs: number,
  plugins: readonly LocatedPlugin[],
): Promise<ThreadShare> {
  const profile = await runtime.machine.profile?.({ durationMs, sampleIntervalMs: SAMPLE_INTERVAL_MS });
  if (profile === undefined) return { sampleCount: 0, plugins: [] };
  return threadShare(withoutLooks(profile), pluginFinder(profile, plugins));
}

/** Leaves out the samples that found this file at its own work. */
function withoutLooks(profile: ThreadProfile): ThreadProfile {
  const isLook = ({ frame }: ProfileSample): boolean => OWN_FUNCTIONS.has(profile.frames[frame]?.name ?? '');
  return { ...profile, samples: profile.samples.filter((sample) => !isLook(sample)) };
}

const OWN_FUNCTIONS: ReadonlySet<string> = new Set([profileThreads.name, cpuSample.name, cpuUsage.name, elapsed.name]);

/** What was seen of a worker that told nothing. */
function stuckShare(looks: ReadonlyMap<number, number>): ThreadShare {
  let sampleCount = 0;
  for (const count of looks.values()) sampleCount += count;
  const plugins = [...looks]
    .filter(([plugin]) => plugin >= 0)
    .sort(([, a], [, b]) => b - a)
    .map(([plugin, count]) => {
      const name = '(no answer: inside one call, such as a regular expression)';
      return { plugin, sampleCount: count, functions: [{ name, sampleCount: count }] };
    });
  return { sampleCount, plugins };
}

async function answerOrNull(runtime: Runtime, answer: Promise<ThreadShare | null>): Promise<ThreadShare | null> {
  let cancel = (): void => {};
  const grace = new Promise<null>((resolve) => {
    cancel = runtime.sched.after(ANSWER_GRACE_MS, () => resolve(null));
  });
  try {
    return await Promise.race([answer, grace]);
  } finally {
    cancel();
  }
}

interface CpuSample {
  readonly atMs: number;
  readonly samples: ThreadSamples | null;
}

function cpuSample(runtime: Runtime): CpuSample {
  return { samples: runtime.machine.threads?.() ?? null, atMs: runtime.clock.monotonicMs() };
}

interface CpuUsage {
  readonly ownId: number;
  /** Percent of one processor; null for a thread that is not known. */
  of(threadId: number | null): number | null;
  others(
    named: ReadonlySet<number | null>,
  ): readonly { readonly id: number; readonly name: string; readonly percent: number }[];
}

function cpuUsage(before: CpuSample, after: CpuSample): CpuUsage {
  const wallMs = Math.max(1, after.atMs - before.atMs);
  const earlier = new Map(before.samples?.threads.map(({ id, cpuMs }) => [id, cpuMs]));
  const percents = new Map(
    (after.samples?.threads ?? []).map(({ id, cpuMs }) => [id, ((cpuMs - (earlier.get(id) ?? 0)) / wallMs) * 100]),
  );
  return {
    ownId: after.samples?.ownId ?? 0,
    of: (threadId) => (threadId === null ? null : (percents.get(threadId) ?? null)),
    others: (named) =>
      (after.samples?.threads ?? [])
        // One that began meanwhile is a thread of the profiler.
        .filter(({ id }) => !named.has(id) && earlier.has(id))
        .map(({ id, name }) => ({ id, name, percent: percents.get(id) ?? 0 })),
  };
}

function elapsed(runtime: Runtime, ms: number): Promise<void> {
  return new Promise((resolve) => void runtime.sched.after(ms, resolve));
}

function isBusy(thread: HotThread): boolean {
  return thread.percent_of_cpu_time >= IDLE_PERCENT;
}

function refused(status: number, reason: string): ShoalError {
  return new ShoalError('illegal_argument_exception', status, reason);
}

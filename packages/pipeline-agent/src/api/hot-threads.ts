/**
 * Which threads burn time, and in which plugin: measured over a short interval, while the pipeline goes on.
 *
 * Every worker publishes the plugin that it is in through shared memory, so that one that is stuck inside a regular
 * expression, and could answer nothing, is named all the same: the memory is looked at many times within the interval.
 */

import type { AgentCore } from '../agent/agent.ts';
import { positionText } from '../config/position.ts';

export interface HotThreadsOptions {
  readonly countMax: number;
  readonly intervalMs: number;
  readonly ignoresIdle: boolean;
  readonly framesMax: number;
}

export interface HotThread {
  readonly name: string;
  readonly thread_id: number;
  /** Of one processor, over the interval; two decimals. */
  readonly percent_of_cpu_time: number;
  readonly state: 'runnable' | 'waiting';
  readonly path?: string;
  readonly traces: readonly string[];
}

export interface HotThreadsReport {
  readonly time: string;
  readonly busiest_threads: number;
  readonly threads: readonly HotThread[];
}

const LOOKS = 50;
const INTERVAL_MS_MAX = 30_000;
const RUNNABLE_PERCENT = 5;
const IDLE_PERCENT = 1;
const RULE = 80;

export async function hotThreads(core: AgentCore, options: HotThreadsOptions): Promise<HotThreadsReport> {
  const intervalMs = Math.max(1, Math.min(options.intervalMs, INTERVAL_MS_MAX));
  const watch = watchSeats(core);
  const mainBefore = core.runtime.machine.sample().cpuMillis;
  const startMs = core.runtime.clock.monotonicMs();
  for (let look = 0; look < LOOKS; look++) {
    await new Promise<void>((resolve) => void core.runtime.sched.after(intervalMs / LOOKS, resolve));
    watch.look();
  }
  const wallMs = Math.max(1, core.runtime.clock.monotonicMs() - startMs);
  const processPercent = ((core.runtime.machine.sample().cpuMillis - mainBefore) / wallMs) * 100;
  const workers = watch.threads(options.framesMax);
  const ofWorkers = workers.reduce((sum, thread) => sum + thread.percent_of_cpu_time, 0);
  const main = threadOf('[main]<main thread', 0, Math.max(0, processPercent - ofWorkers), []);
  const all = [main, ...workers].sort((a, b) => b.percent_of_cpu_time - a.percent_of_cpu_time);
  const shown = options.ignoresIdle ? all.filter((thread) => thread.percent_of_cpu_time >= IDLE_PERCENT) : all;
  return {
    time: new Date(core.runtime.clock.wallMs()).toISOString(),
    busiest_threads: options.countMax,
    threads: shown.slice(0, Math.max(0, options.countMax)),
  };
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

interface Watch {
  look(): void;
  threads(framesMax: number): readonly HotThread[];
}

/** Counts, for each worker, in which plugin it was found. */
function watchSeats(core: AgentCore): Watch {
  let looks = 0;
  const seen = new Map<string, Map<number, number>>();
  const seats = core.pipelines.flatMap(({ pipeline }) => pipeline.seats.map((seat) => ({ pipeline, seat })));
  return {
    look: () => {
      looks++;
      for (const { seat } of seats) {
        const at = seat.currentPlugin;
        if (at < 0) continue;
        const counts = seen.get(seat.name) ?? new Map<number, number>();
        counts.set(at, (counts.get(at) ?? 0) + 1);
        seen.set(seat.name, counts);
      }
    },
    threads: (framesMax) =>
      seats.map(({ pipeline, seat }, i) => {
        const counts = [...(seen.get(seat.name) ?? [])].sort(([, a], [, b]) => b - a);
        const busy = counts.reduce((sum, [, count]) => sum + count, 0);
        const traces = counts.slice(0, framesMax).flatMap(([index, count]) => {
          const plan = pipeline.stats.worker(index)?.plan;
          if (plan === undefined) return [];
          const share = Math.round((count / looks) * 100);
          return [`${plan.kind}s/${plan.name} ${plan.id} (${positionText(plan.position)}) ${share}%`];
        });
        const hottest = counts[0] === undefined ? undefined : pipeline.stats.worker(counts[0][0])?.plan;
        const path = hottest === undefined ? {} : { path: positionText(hottest.position) };
        const name = `[${pipeline.source.id}]>${seat.name.slice(pipeline.source.id.length + 1)}`;
        return { ...threadOf(name, i + 1, (busy / Math.max(1, looks)) * 100, traces), ...path };
      }),
  };
}

function threadOf(name: string, id: number, percent: number, traces: readonly string[]): HotThread {
  const shown = Math.round(percent * 100) / 100;
  const state = percent > RUNNABLE_PERCENT ? 'runnable' : 'waiting';
  return { name, thread_id: id, percent_of_cpu_time: shown, state, traces };
}

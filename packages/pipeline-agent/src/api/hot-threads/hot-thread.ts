/**
 * One thread as hot threads show it: how busy it was, and with what.
 */
import { positionText } from '@shoal/agent-config';
import type { ThreadShare } from '../../messages/thread-share.ts';
import type { LocatedPlugin } from './main-thread-plugins.ts';

export interface HotThread {
  readonly name: string;
  readonly thread_id: number;
  /** Share of one processor over the interval, two decimals. */
  readonly percent_of_cpu_time: number;
  readonly state: 'runnable' | 'waiting';
  /** Position in the configuration of the plugin that the thread was in most. */
  readonly path?: string;
  readonly plugins: readonly HotPlugin[];
  readonly traces: readonly string[];
}

export interface HotPlugin {
  readonly pipeline: string;
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** Share of the interval, in percent. */
  readonly percent: number;
}

export interface HotThreadParts {
  readonly name: string;
  readonly id: number;
  readonly share: ThreadShare;
  /** What the numbers in `share` stand for. */
  readonly planOf: (plugin: number) => LocatedPlugin | null;
  /** Processor time by the kernel's count, in percent; null where there is none. */
  readonly percent: number | null;
}

const RUNNABLE_PERCENT = 5;
/** Functions with less say nothing. */
const SHOWN_PERCENT = 0.5;

export function hotThread({ name, id, share, planOf, percent }: HotThreadParts): HotThread {
  const shareOf = (count: number): number => (count / Math.max(1, share.sampleCount)) * 100;
  const plugins: HotPlugin[] = [];
  const traces: string[] = [];
  let busyCount = 0;
  for (const { plugin, sampleCount, functions } of share.plugins) {
    busyCount += sampleCount;
    const located = planOf(plugin);
    traces.push(`${located === null ? 'outside plugins' : titleOf(located)} ${wholePercent(shareOf(sampleCount))}`);
    for (const one of functions) {
      const percentOfOne = shareOf(one.sampleCount);
      if (percentOfOne >= SHOWN_PERCENT) traces.push(`  ${wholePercent(percentOfOne)} ${one.name}`);
    }
    if (located !== null) plugins.push({ ...pluginOf(located), percent: twoDecimals(shareOf(sampleCount)) });
  }
  const cpu = percent ?? shareOf(busyCount);
  const hottest = plugins[0];
  return {
    name,
    thread_id: id,
    percent_of_cpu_time: twoDecimals(cpu),
    state: cpu > RUNNABLE_PERCENT ? 'runnable' : 'waiting',
    ...(hottest === undefined ? {} : { path: hottest.path }),
    plugins,
    traces,
  };
}

/** One of the engine or of the system's calls: nothing is known of it but its time. */
export function nativeThread(name: string, id: number, percent: number): HotThread {
  const state = percent > RUNNABLE_PERCENT ? 'runnable' : 'waiting';
  const shown = `native ${name}`;
  return { name: shown, thread_id: id, percent_of_cpu_time: twoDecimals(percent), state, plugins: [], traces: [] };
}

function titleOf({ plan }: LocatedPlugin): string {
  return `${plan.kind}s/${plan.name} ${plan.id} (${positionText(plan.position)})`;
}

function pluginOf({ pipelineId, plan }: LocatedPlugin): Omit<HotPlugin, 'percent'> {
  return { pipeline: pipelineId, id: plan.id, name: plan.name, path: positionText(plan.position) };
}

function wholePercent(value: number): string {
  return `${Math.round(value)}%`;
}

function twoDecimals(value: number): number {
  return Math.max(0, Math.round(value * 100) / 100);
}

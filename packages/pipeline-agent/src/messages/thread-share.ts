/**
 * What a thread spent its time on: samples of a profile, gathered by the plugin that was running.
 */
import type { ProfileSample, ThreadProfile } from '@shoal/runtime';

export interface ThreadShare {
  readonly sampleCount: number;
  /** The most first; idle samples are in none. */
  readonly plugins: readonly PluginShare[];
}

export interface PluginShare {
  /** What the sample was attributed to; -1 for nothing. */
  readonly plugin: number;
  readonly sampleCount: number;
  /** The functions on top of the stack, the most first. */
  readonly functions: readonly FunctionShare[];
}

export interface FunctionShare {
  readonly name: string;
  readonly sampleCount: number;
}

const IDLE = '(idle)';
/** A regular expression's name is its whole text. */
const NAME_CHARS_MAX = 160;
/** Functions shown for one plugin; those with less time are left out. */
const FUNCTIONS_MAX = 50;

export function threadShare(profile: ThreadProfile, pluginOf: (sample: ProfileSample) => number): ThreadShare {
  const plugins = new Map<number, Map<string, number>>();
  for (const sample of profile.samples) {
    const frame = profile.frames[sample.frame];
    if (frame === undefined || frame.name === IDLE) continue;
    const plugin = pluginOf(sample);
    const functions = plugins.get(plugin) ?? new Map<string, number>();
    const name = functionName(frame.name, frame.url, frame.line);
    functions.set(name, (functions.get(name) ?? 0) + 1);
    plugins.set(plugin, functions);
  }
  const shares = [...plugins].map(([plugin, functions]): PluginShare => {
    const all = [...functions].map(([name, sampleCount]): FunctionShare => ({ name, sampleCount })).sort(mostFirst);
    const sampleCount = all.reduce((sum, one) => sum + one.sampleCount, 0);
    return { plugin, sampleCount, functions: all.slice(0, FUNCTIONS_MAX) };
  });
  return { sampleCount: profile.samples.length, plugins: shares.sort(mostFirst) };
}

/** File of a frame for a trace, without the folders above its package. */
function functionName(name: string, url: string, line: number): string {
  const shown = name === '' ? '(anonymous)' : name.slice(0, NAME_CHARS_MAX);
  if (url === '') return shown;
  const file = url.replace(/^.*\/(?:packages|node_modules)\//, '').replace(/^.*\/(?=[^/]+\/[^/]+$)/, '');
  return `${shown} (${file}:${line})`;
}

function mostFirst(a: { readonly sampleCount: number }, b: { readonly sampleCount: number }): number {
  return b.sampleCount - a.sampleCount;
}

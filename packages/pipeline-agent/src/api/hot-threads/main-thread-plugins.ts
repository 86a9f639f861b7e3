/**
 * To which plugin a sample of the main thread belongs: inputs, and the outputs that run there, are known by the file of
 * a function on the stack.
 */

import type { PlannedPlugin } from '@shoal/agent-config';
import type { ProfileSample, ThreadProfile } from '@shoal/runtime';
import type { AgentCore } from '../../agent/agent.ts';

export interface LocatedPlugin {
  readonly pipelineId: string;
  readonly plan: PlannedPlugin;
}

const PLUGIN_FILE = /\/plugins\/(input|output)s\/([a-z0-9-]+)\.[cm]?[jt]s$/;
/** A plugin of a user, as a file or a package. */
const USER_PLUGIN_FILE = /\bshoal-(input|output)-([a-z0-9_-]+?)(?:\.[cm]?[jt]s$|\/)/;
const STACK_FRAMES_MAX = 200;

/** Inputs and outputs of all pipelines. */
export function locatedPlugins(core: AgentCore): readonly LocatedPlugin[] {
  return core.pipelines.flatMap(({ id, pipeline: { stats } }) =>
    [...stats.inputs, ...stats.outputs].map(({ plan }) => ({ pipelineId: id, plan })),
  );
}

/** Place among `plugins` of the one that a sample belongs to; -1 for none, and where several could be meant. */
export function pluginFinder(
  profile: ThreadProfile,
  plugins: readonly LocatedPlugin[],
): (sample: ProfileSample) => number {
  const ofFile = new Map<string, number>();
  const known = new Map<number, number>();
  const pluginOfFrame = (start: number): number => {
    const found = known.get(start);
    if (found !== undefined) return found;
    let plugin = -1;
    let at = start;
    for (let depth = 0; at >= 0 && plugin < 0 && depth < STACK_FRAMES_MAX; depth++) {
      const frame = profile.frames[at];
      if (frame === undefined) break;
      plugin = ofFile.get(frame.url) ?? pluginOfFile(frame.url, plugins);
      ofFile.set(frame.url, plugin);
      at = frame.parent;
    }
    known.set(start, plugin);
    return plugin;
  };
  return ({ frame }) => pluginOfFrame(frame);
}

/** `file-watch.ts` belongs to the input `file`. */
function pluginOfFile(url: string, plugins: readonly LocatedPlugin[]): number {
  const [, kind, file = ''] = PLUGIN_FILE.exec(url) ?? USER_PLUGIN_FILE.exec(url) ?? [];
  if (kind === undefined) return -1;
  const fits = (name: string): boolean => {
    const dashed = name.replaceAll('_', '-');
    const own = file.replaceAll('_', '-');
    return own === dashed || own.startsWith(`${dashed}-`);
  };
  const found = plugins.flatMap(({ plan }, i) => (plan.kind === kind && fits(plan.name) ? [i] : []));
  return found.length === 1 ? (found[0] ?? -1) : -1;
}

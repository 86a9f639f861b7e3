/**
 * Plugin of a sample of the main thread: inputs, and the outputs that run there, are recognized by the file of a function
 * on the stack.
 */

import type { PlannedPlugin } from '@shoal/agent-config';
import type { ProfileSample, ThreadProfile } from '@shoal/runtime';
import type { AgentCore } from '../../agent/agent.ts';

export interface LocatedPlugin {
  readonly pipelineId: string;
  readonly plan: PlannedPlugin;
}

/** File of a plugin of the agent: in its own folder in `src` and `dist`, in its own chunk of the joined bundle. */
const AGENT_PLUGIN_FILE = /\/agent-plugins(?:\/(?:src|dist)\/|\.)(input|output)s[/.]([a-z0-9-]+)(?:\/|\.[\w-]+\.c?js$)/;
/** Plugin of a user, as a file or a package. */
const USER_PLUGIN_FILE = /\bshoal-(input|output)-([a-z0-9_-]+?)(?:\.[cm]?[jt]s$|\/)/;
const STACK_FRAMES_MAX = 200;

/** Inputs and outputs of all pipelines. */
export function locatedPlugins(core: AgentCore): readonly LocatedPlugin[] {
  return core.pipelines.flatMap(({ id, pipeline: { stats } }) =>
    [...stats.inputs, ...stats.outputs].map(({ plan }) => ({ pipelineId: id, plan })),
  );
}

/** Index in `plugins` of the one that a sample belongs to; -1 for none, and where several could be meant. */
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

/** Kind and name of the plugin that a file belongs to, the name with dashes; null for a file of no input and no output. */
export function pluginOfUrl(url: string): { readonly kind: string; readonly name: string } | null {
  const [, kind, name = ''] = AGENT_PLUGIN_FILE.exec(url) ?? USER_PLUGIN_FILE.exec(url) ?? [];
  return kind === undefined ? null : { kind, name: name.replaceAll('_', '-') };
}

function pluginOfFile(url: string, plugins: readonly LocatedPlugin[]): number {
  const owner = pluginOfUrl(url);
  if (owner === null) return -1;
  const found = plugins.flatMap(({ plan }, i) =>
    plan.kind === owner.kind && plan.name.replaceAll('_', '-') === owner.name ? [i] : [],
  );
  return found.length === 1 ? (found[0] ?? -1) : -1;
}

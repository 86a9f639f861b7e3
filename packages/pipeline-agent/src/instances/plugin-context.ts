/**
 * What one plugin instance gets from its pipeline.
 */

import { type PlannedPlugin, positionText } from '@shoal/agent-config';
import { eventFromJson, Timestamp } from '@shoal/agent-event';
import type {
  DeadLetterSink,
  PipelineBus,
  PluginContext,
  PluginMetrics,
  SharedInstances,
} from '@shoal/agent-plugin-kit';
import type { Runtime } from '@shoal/runtime';
import type { PipelineSource } from '../sources/pipeline-source.ts';

export interface ContextParts {
  readonly runtime: Runtime;
  readonly source: PipelineSource;
  readonly plan: PlannedPlugin;
  readonly metrics: PluginMetrics;
  readonly deadLetters: DeadLetterSink | null;
  readonly bus: PipelineBus;
  readonly commons?: SharedInstances;
}

const SILENT_METRICS: PluginMetrics = { increment: () => {}, gauge: () => {} };
const DATA_NAME_CHARS_MAX = 100;

export function contextOf(parts: ContextParts): PluginContext {
  const { runtime, source, plan } = parts;
  const log = runtime.log.child({ pipeline: source.id, plugin: plan.name, id: plan.id });
  return {
    runtime: { ...runtime, log },
    pipelineId: source.id,
    pluginId: plan.id,
    position: positionText(plan.position),
    ecs: plan.ecs ?? source.settings.ecs,
    metrics: plan.hasMetrics ? parts.metrics : SILENT_METRICS,
    deadLetters: parts.deadLetters,
    bus: parts.bus,
    ...(parts.commons === undefined ? {} : { commons: parts.commons }),
    dataPath: async () => {
      const path = `${source.dataPath}/plugins/${plan.kind}s/${plan.name}/${fileName(`${source.id}-${plan.id}`)}`;
      await runtime.disk.mkdir(path);
      return path;
    },
    hostName: source.hostName,
    newEvent: (fields = {}) => eventFromJson(fields),
    now: () => new Timestamp(runtime.clock.wallMs()),
    escapeStyle: source.settings.escapeStyle,
    isDebugging: source.settings.isDebugging,
  };
}

/** Ids are free text: what a file name cannot hold becomes an underscore. */
function fileName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_.-]/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, DATA_NAME_CHARS_MAX);
}

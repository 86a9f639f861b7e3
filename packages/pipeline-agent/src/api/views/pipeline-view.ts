/**
 * A pipeline as the stats show it.
 */
import type { AgentCore, RunningPipeline } from '../../agent/agent.ts';
import type { ReloadStats } from '../../agent/reload-stats.ts';
import type { PluginStats } from '../../statistics/pipeline-stats.ts';
import type { View } from '../format/view.ts';
import type { FileSystemStats } from '../stats/file-system-stats.ts';
import { totalsView } from '../stats/node-totals.ts';
import { type PipelineRates, totalsOf } from '../stats/pipeline-flow.ts';

function reloadsView(reloads: ReloadStats): View {
  const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  const { lastError } = reloads;
  return {
    successes: reloads.successes,
    failures: reloads.failures,
    last_error: lastError === null ? null : { message: lastError.message, backtrace: [...lastError.positions] },
    last_success_timestamp: time(reloads.lastSuccessMs),
    last_failure_timestamp: time(reloads.lastFailureMs),
  };
}

function eventsView({ pipeline }: RunningPipeline): View {
  return totalsView(totalsOf(pipeline));
}

/** `/_node/stats/pipeline`: one pipeline, outputs without durations. */
export function singlePipelineView(running: RunningPipeline): View {
  const { stats } = running.pipeline;
  const { in: inCount, filtered, out, duration_in_millis } = eventsView(running);
  return {
    events: { duration_in_millis, in: inCount, filtered, out },
    plugins: {
      inputs: stats.inputs.map((plugin) => pluginView(plugin, { in: plugin.in, ...inputEvents(plugin) })),
      filters: stats.filters.map((plugin) => pluginView(plugin, filterEvents(plugin))),
      outputs: stats.outputs.map((plugin) => pluginView(plugin, { in: plugin.in, out: plugin.out })),
    },
    reloads: reloadsView(running.reloads),
  };
}

/** The same while no pipeline runs: the keys stay for those who read them. */
export function noPipelineView(core: AgentCore): View {
  return {
    events: { duration_in_millis: 0, in: 0, filtered: 0, out: 0 },
    plugins: { inputs: [], filters: [], outputs: [] },
    reloads: reloadsView(core.reloads),
  };
}

export interface PipelineViewOptions {
  readonly hasVertices: boolean;
  readonly rates: PipelineRates;
  /** File system of the persisted queue; null for a queue in memory. */
  readonly storage: FileSystemStats | null;
}

/** An entry of `/_node/stats/pipelines`. */
export function pipelineView(running: RunningPipeline, options: PipelineViewOptions): View {
  const { pipeline } = running;
  const { stats, source } = pipeline;
  const { rates } = options;
  const letters = pipeline.deadLetters?.stats();
  return {
    events: eventsView(running),
    flow: rates.whole(),
    ledger: ledgerView(running),
    plugins: {
      inputs: stats.inputs.map((plugin, i) => ({
        ...pluginView(plugin, inputEvents(plugin)),
        flow: rates.input(i),
      })),
      codecs: [...stats.inputs, ...stats.outputs].flatMap(codecView),
      filters: stats.filters.map((plugin, i) => ({
        ...pluginView(plugin, filterEvents(plugin)),
        flow: rates.worker(i),
      })),
      outputs: stats.outputs.map((plugin, i) => ({
        ...pluginView(plugin, filterEvents(plugin)),
        flow: rates.worker(stats.filters.length + i),
      })),
    },
    reloads: reloadsView(running.reloads),
    queue: queueView(running, options.storage),
    ...(letters === undefined
      ? {}
      : {
          dead_letter_queue: {
            queue_size_in_bytes: letters.queueBytes,
            max_queue_size_in_bytes: letters.bytesMax,
            dropped_events: letters.droppedCount,
            expired_events: letters.expiredCount,
            last_error: letters.lastError,
            storage_policy: letters.storagePolicy,
          },
        }),
    pipeline: {
      workers: pipeline.workerCountMax,
      batch_size: source.settings.batchSize,
      batch_delay: source.settings.batchDelayMs,
    },
    hash: pipeline.hash,
    ephemeral_id: pipeline.ephemeralId,
    ...(options.hasVertices ? { vertices: verticesView(running) } : {}),
  };
}

function ledgerView({ pipeline }: RunningPipeline): View {
  const ledger = pipeline.ledger();
  return {
    in: ledger.in,
    created: ledger.created,
    carried_over: ledger.carriedOver,
    out: ledger.out,
    dropped: ledger.dropped,
    dead_lettered: ledger.deadLettered,
    in_flight: ledger.inFlight,
    balanced: ledger.isBalanced,
  };
}

function queueView({ pipeline }: RunningPipeline, storage: FileSystemStats | null): View {
  const sizes = pipeline.queue?.sizes();
  const { settings, id } = pipeline.source;
  const unread = sizes?.unreadCount ?? 0;
  const size = { queue_size_in_bytes: sizes?.bytes ?? 0, max_queue_size_in_bytes: sizes?.bytesMax ?? 0 };
  if (settings.queueType === 'memory') return { type: 'memory', events_count: unread, ...size };
  return {
    type: 'persisted',
    events: unread,
    events_count: unread,
    ...size,
    lost_events: sizes?.lostCount ?? 0,
    capacity: {
      max_unread_events: settings.queueEventsMax,
      page_capacity_in_bytes: settings.pageBytes,
      ...size,
    },
    data: {
      path: `${settings.queuePath}/${id}`,
      ...(storage === null ? {} : { free_space_in_bytes: storage.freeBytes, storage_type: storage.type }),
    },
  };
}

function inputEvents(plugin: PluginStats): View {
  return { out: plugin.out, queue_push_duration_in_millis: Math.round(plugin.queuePushMs) };
}

function filterEvents(plugin: PluginStats): View {
  return { in: plugin.in, out: plugin.out, duration_in_millis: Math.round(plugin.durationMs) };
}

function pluginView(plugin: PluginStats, events: View): View {
  return { id: plugin.plan.id, name: plugin.plan.name, events, ...nested(plugin.metrics) };
}

/** `documents.successes` is `successes` within `documents`. */
function nested(metrics: ReadonlyMap<string, unknown>): View {
  const tree: Record<string, unknown> = {};
  for (const [name, value] of metrics) {
    const path = name.split('.');
    const last = path.pop() ?? name;
    let node = tree;
    for (const part of path) {
      const inner = node[part];
      const next = isMap(inner) ? inner : {};
      node[part] = next;
      node = next;
    }
    node[last] = value;
  }
  return tree;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function codecView({ plan, codec }: PluginStats): readonly View[] {
  const planned = plan.options.codecPlan('codec');
  if (planned === null) return [];
  const decode = {
    writes_in: codec.decodeCount,
    out: codec.decodedCount,
    duration_in_millis: Math.round(codec.decodeMs),
  };
  const encode = { writes_in: codec.encodedCount, duration_in_millis: Math.round(codec.encodeMs) };
  return [{ id: planned.id, name: planned.name, decode, encode }];
}

function verticesView({ pipeline }: RunningPipeline): readonly View[] {
  const { stats, ephemeralId } = pipeline;
  const vertex = (plugin: PluginStats): View => ({
    id: plugin.plan.id,
    pipeline_ephemeral_id: ephemeralId,
    // An output may know its cluster: tools put the pipeline under it.
    ...(plugin.metrics.has('cluster_uuid') ? { cluster_uuid: plugin.metrics.get('cluster_uuid') } : {}),
    ...(plugin.plan.kind === 'input' ? {} : { events_in: plugin.in }),
    events_out: plugin.out,
    ...(plugin.plan.kind === 'input'
      ? { queue_push_duration_in_millis: Math.round(plugin.queuePushMs) }
      : { duration_in_millis: Math.round(plugin.durationMs) }),
    long_counters: [...plugin.metrics]
      .filter(([, value]) => typeof value === 'number')
      .map(([name, value]) => ({ name, value })),
    double_gauges: [...plugin.metrics].flatMap(([name, value]) =>
      isMap(value) ? Object.entries(value).map(([key, inner]) => ({ name: `${name}.${key}`, value: inner })) : [],
    ),
  });
  const plugins = [...stats.inputs, ...stats.filters, ...stats.outputs].map(vertex);
  return [...plugins, { id: '__QUEUE__', pipeline_ephemeral_id: ephemeralId }];
}

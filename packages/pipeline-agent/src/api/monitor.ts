/**
 * Answers of the monitoring API as values: puts together what the agent, its pipelines and the process say.
 */
import { SHOAL_VERSION } from '@shoal/core';
import type { AgentCore, RunningPipeline } from '../agent/agent.ts';
import { PluginRegistry } from '../plugin/plugin-registry.ts';
import { FlowHistory, type FlowMetric, type FlowSample } from './flow-history.ts';
import { type HealthStatus, healthReport, healthStatus, type PipelineHealth } from './health-report.ts';
import { envelope, jvmInfo, mainPipeline, osInfo, pipelineInfo, pipelinesInfo, processView } from './node-view.ts';
import { eventsView, pipelineView, singlePipelineView, type View } from './pipeline-view.ts';
import { type ProcessNumbers, ProcessSampler } from './process-sampler.ts';

const NODE_TYPES: readonly string[] = ['pipeline', 'pipelines', 'os', 'jvm', 'plugins'];
/** `/_node` without types leaves the long list of plugins out. */
const NODE_TYPES_WHOLE: readonly string[] = ['pipelines', 'os', 'jvm'];
const STATS_TYPES: readonly string[] = [
  'jvm',
  'process',
  'events',
  'flow',
  'pipeline',
  'pipelines',
  'reloads',
  'os',
  'queue',
];
/** Unfiltered stats have their own `pipeline`, in front. */
const STATS_TYPES_WHOLE: readonly string[] = STATS_TYPES.filter((type) => type !== 'pipeline');

export class Monitor {
  readonly core: AgentCore;
  readonly #httpAddress: () => string;
  readonly #sampler: ProcessSampler;
  readonly #nodeFlow: FlowHistory;
  readonly #flows = new Map<string, { readonly ephemeralId: string; readonly history: FlowHistory }>();
  readonly #plugins = new PluginRegistry();

  constructor(core: AgentCore, httpAddress: () => string) {
    this.core = core;
    this.#httpAddress = httpAddress;
    this.#nodeFlow = new FlowHistory(core.runtime.clock.monotonicMs());
    this.#sampler = new ProcessSampler(core.runtime, {
      workerCount: () => core.pipelines.reduce((sum, { pipeline }) => sum + pipeline.seats.length, 0),
      onSample: () => this.#sampleFlows(),
    });
    this.#sampler.start();
  }

  close(): void {
    this.#sampler.stop();
  }

  envelope(): View {
    return envelope(this.core, { httpAddress: this.#httpAddress(), status: this.#status() });
  }

  async root(): Promise<View> {
    return {
      ...this.envelope(),
      build_date: '2026-01-01T00:00:00Z',
      build_sha: `shoal-${SHOAL_VERSION}`,
      build_snapshot: false,
    };
  }

  /** null when no type is known. */
  async node(types: readonly string[] | null, hasGraph: boolean): Promise<View | null> {
    const wanted = types === null ? NODE_TYPES_WHOLE : types.filter((type) => NODE_TYPES.includes(type));
    if (wanted.length === 0) return null;
    const view: Record<string, unknown> = { ...this.envelope() };
    for (const type of wanted) Object.assign(view, await this.#nodeType(type, hasGraph));
    return view;
  }

  async nodePipeline(id: string, hasGraph: boolean): Promise<View | null> {
    if (!this.core.pipelines.some((running) => running.id === id)) return null;
    return { ...this.envelope(), pipelines: pipelinesInfo(this.core, { hasGraph, id }) };
  }

  async stats(types: readonly string[] | null, hasVertices: boolean): Promise<View | null> {
    const wanted = types === null ? STATS_TYPES_WHOLE : types.filter((type) => STATS_TYPES.includes(type));
    if (wanted.length === 0) return null;
    const numbers = await this.#sampler.numbers();
    // Filtered stats have the keys of their types and nothing else.
    const view: Record<string, unknown> = types === null ? { ...this.envelope() } : {};
    for (const type of wanted) view[type] = await this.#statsType(type, numbers, hasVertices);
    return view;
  }

  async statsPipeline(id: string, hasVertices: boolean): Promise<View | null> {
    const running = this.core.pipelines.find((candidate) => candidate.id === id);
    return running === undefined ? null : { pipelines: { [id]: this.#pipeline(running, hasVertices) } };
  }

  health(): View {
    const { pipeline: _pipeline, ...head } = this.envelope();
    return {
      ...head,
      timestamp: new Date(this.core.runtime.clock.wallMs()).toISOString(),
      ...healthReport(this.#health()),
    };
  }

  logging(): View {
    return { ...this.envelope(), loggers: { root: 'INFO', 'logstash.agent': 'INFO' } };
  }

  async prometheus(): Promise<{ readonly text: string; readonly contentType: string }> {
    // Its library is loaded by the first who asks: few do.
    const { prometheusText } = await import('./prometheus.ts');
    return prometheusText(this.core, await this.#sampler.numbers());
  }

  async #nodeType(type: string, hasGraph: boolean): Promise<View> {
    switch (type) {
      case 'pipeline':
        // Merged with the one of the envelope.
        return { pipeline: pipelineInfo(this.core) };
      case 'pipelines':
        return { pipelines: pipelinesInfo(this.core, { hasGraph, id: null }) };
      case 'os':
        return { os: await osInfo(this.core) };
      case 'jvm':
        return { jvm: jvmInfo(this.core, await this.#sampler.numbers()) };
      default: {
        const plugins = this.#plugins.listing();
        return { total: plugins.length, plugins };
      }
    }
  }

  async #statsType(type: string, numbers: ProcessNumbers, hasVertices: boolean): Promise<unknown> {
    const { pipelines } = this.core;
    switch (type) {
      case 'jvm':
        return jvmStats(numbers);
      case 'process':
        return processView(numbers);
      case 'events':
        return summed(pipelines.map((running) => eventsView(running)));
      case 'flow':
        return this.#nodeFlow.metrics(this.#nodeSample(), this.#workerCount());
      case 'pipeline': {
        const main = mainPipeline(this.core);
        return main === null ? {} : singlePipelineView(main);
      }
      case 'pipelines':
        return Object.fromEntries(pipelines.map((running) => [running.id, this.#pipeline(running, hasVertices)]));
      case 'reloads':
        return { successes: this.core.reloads.successes, failures: this.core.reloads.failures };
      case 'queue':
        return { events_count: pipelines.reduce((sum, running) => sum + persistedCount(running), 0) };
      default:
        return {};
    }
  }

  #pipeline(running: RunningPipeline, hasVertices: boolean): View {
    return pipelineView(running, { hasVertices, flow: this.#flowOf(running) });
  }

  #flowOf(running: RunningPipeline): Readonly<Record<string, FlowMetric>> {
    const { pipeline } = running;
    return this.#history(running).metrics(this.#sampleOf(running), pipeline.workerCountMax);
  }

  /** A reloaded pipeline counts from zero again. */
  #history({ id, pipeline }: RunningPipeline): FlowHistory {
    const found = this.#flows.get(id);
    if (found?.ephemeralId === pipeline.ephemeralId) return found.history;
    const history = new FlowHistory(this.core.runtime.clock.monotonicMs());
    this.#flows.set(id, { ephemeralId: pipeline.ephemeralId, history });
    return history;
  }

  #sampleOf({ pipeline }: RunningPipeline): FlowSample {
    const { stats } = pipeline;
    return {
      atMs: this.core.runtime.clock.monotonicMs(),
      in: pipeline.queue?.sizes().acceptedCount ?? 0,
      filtered: stats.filtered,
      out: stats.out,
      workerMs: stats.durationMs,
      pushMs: stats.queuePushMs,
    };
  }

  #nodeSample(): FlowSample {
    const samples = this.core.pipelines.map((running) => this.#sampleOf(running));
    const total = (pick: (sample: FlowSample) => number): number => samples.reduce((sum, one) => sum + pick(one), 0);
    return {
      atMs: this.core.runtime.clock.monotonicMs(),
      in: total((sample) => sample.in),
      filtered: total((sample) => sample.filtered),
      out: total((sample) => sample.out),
      workerMs: total((sample) => sample.workerMs),
      pushMs: total((sample) => sample.pushMs),
    };
  }

  #sampleFlows(): void {
    this.#nodeFlow.add(this.#nodeSample());
    for (const running of this.core.pipelines) this.#history(running).add(this.#sampleOf(running));
  }

  #workerCount(): number {
    return this.core.pipelines.reduce((sum, { pipeline }) => sum + pipeline.workerCountMax, 0);
  }

  #health(): readonly PipelineHealth[] {
    return this.core.pipelines.map((running) => ({
      id: running.id,
      state: running.pipeline.state,
      utilization: this.#flowOf(running).worker_utilization ?? {},
    }));
  }

  #status(): HealthStatus {
    return healthStatus(this.#health());
  }
}

function persistedCount({ pipeline }: RunningPipeline): number {
  const sizes = pipeline.queue?.sizes();
  return sizes?.type === 'persisted' ? sizes.unreadCount : 0;
}

function summed(views: readonly View[]): View {
  const total: Record<string, number> = {
    in: 0,
    filtered: 0,
    out: 0,
    duration_in_millis: 0,
    queue_push_duration_in_millis: 0,
  };
  for (const view of views) {
    for (const [key, value] of Object.entries(view))
      total[key] = (total[key] ?? 0) + (typeof value === 'number' ? value : 0);
  }
  return total;
}

function jvmStats(numbers: ProcessNumbers): View {
  const nonHeap = Math.max(0, numbers.residentBytes - numbers.heapTotalBytes);
  const { heap, heapMaxBytes: max } = numbers;
  const pool = (used: number, peak: number, committed: number): View => ({
    used_in_bytes: used,
    peak_used_in_bytes: peak,
    max_in_bytes: max,
    peak_max_in_bytes: max,
    committed_in_bytes: committed,
  });
  return {
    threads: { count: numbers.threads, peak_count: numbers.threadsPeak },
    mem: {
      heap_used_percent:
        numbers.heapMaxBytes === 0 ? 0 : Math.floor((100 * numbers.heapUsedBytes) / numbers.heapMaxBytes),
      heap_committed_in_bytes: numbers.heapTotalBytes,
      heap_max_in_bytes: numbers.heapMaxBytes,
      heap_used_in_bytes: numbers.heapUsedBytes,
      non_heap_used_in_bytes: nonHeap,
      non_heap_committed_in_bytes: nonHeap,
      // V8 tells nothing of its survivors apart.
      pools: {
        young: pool(heap?.youngUsedBytes ?? 0, numbers.youngPeakBytes, heap?.youngTotalBytes ?? 0),
        old: pool(heap?.oldUsedBytes ?? 0, numbers.oldPeakBytes, heap?.oldTotalBytes ?? 0),
        survivor: pool(0, 0, 0),
      },
    },
    gc: {
      collectors: {
        young: {
          collection_count: heap?.youngCollections ?? 0,
          collection_time_in_millis: Math.round(heap?.youngCollectionMs ?? 0),
        },
        old: {
          collection_count: heap?.oldCollections ?? 0,
          collection_time_in_millis: Math.round(heap?.oldCollectionMs ?? 0),
        },
      },
    },
    uptime_in_millis: Math.max(1, numbers.uptimeMs),
  };
}

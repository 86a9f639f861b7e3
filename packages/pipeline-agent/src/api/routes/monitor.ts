/**
 * Answers of the monitoring API as values: puts together what the agent, its pipelines and the process say.
 */
import { fileURLToPath } from 'node:url';
import { ShoalError } from '@shoal/core';
import type { AgentCore, RunningPipeline } from '../../agent/agent.ts';
import { PluginRegistry } from '../../registry/plugin-registry.ts';
import type { View } from '../format/view.ts';
import { HotThreads } from '../hot-threads/hot-threads.ts';
import { CachedValue } from '../stats/cached-value.ts';
import { readCgroup } from '../stats/cgroup.ts';
import { type FileSystemStats, readFileSystemStats } from '../stats/file-system-stats.ts';
import { FlowMetrics } from '../stats/flow-metrics.ts';
import { HeapStats } from '../stats/heap-stats.ts';
import { totalsView } from '../stats/node-totals.ts';
import { type ProcessNumbers, ProcessSampler } from '../stats/process-sampler.ts';
import {
  type HealthStatus,
  healthReport,
  healthStatus,
  isAtLeast,
  type PipelineHealth,
} from '../views/health-report.ts';
import { jvmInfo, jvmStats } from '../views/jvm-view.ts';
import { loggersView } from '../views/loggers-view.ts';
import { envelope, mainPipeline, osInfo, pipelineInfo, pipelinesInfo, processView } from '../views/node-view.ts';
import { noPipelineView, pipelineView, singlePipelineView } from '../views/pipeline-view.ts';
import { AnswerCache } from './answer-cache.ts';

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
const STATUS_LOOK_MS = 50;
/** Age at which figures of the file systems are read again. */
const SYSTEM_FRESH_MS = 1_000;

export class Monitor {
  readonly core: AgentCore;
  readonly hotThreads: HotThreads;
  readonly latest: AnswerCache;
  readonly #httpAddress: () => string;
  readonly #sampler: ProcessSampler;
  readonly #flows: FlowMetrics;
  readonly #plugins = new PluginRegistry();
  readonly #cgroup: CachedValue<View | null>;
  /** When this program was built; null until somebody asked. */
  #built: Promise<string> | null = null;
  readonly #storages: CachedValue<ReadonlyMap<string, FileSystemStats>>;

  constructor(core: AgentCore, httpAddress: () => string) {
    const { clock, disk } = core.runtime;
    this.core = core;
    this.hotThreads = new HotThreads(core);
    this.latest = new AnswerCache(clock);
    this.#httpAddress = httpAddress;
    this.#flows = new FlowMetrics(core);
    this.#cgroup = new CachedValue(clock, SYSTEM_FRESH_MS, () => readCgroup(disk));
    this.#storages = new CachedValue(clock, SYSTEM_FRESH_MS, () => this.#readStorages());
    const threads = () => core.threads;
    this.#sampler = new ProcessSampler(core.runtime, {
      heaps: new HeapStats(core.runtime, threads),
      threadCount: () => threads().length,
      onSample: () => this.#flows.sample(),
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
      build_date: await this.#builtAt(),
      // The same as on nodes of the cluster: there is one build, from source.
      build_sha: 'unknown',
      build_snapshot: false,
    };
  }

  /** Rejects with 408 when the node is not as well as that in time. */
  async untilStatus(wanted: HealthStatus, timeoutMs: number, isGone: () => boolean): Promise<void> {
    const { clock, sched } = this.core.runtime;
    const endMs = clock.monotonicMs() + timeoutMs;
    while (!isAtLeast(this.#status(), wanted)) {
      const restMs = endMs - clock.monotonicMs();
      if (restMs <= 0 || isGone()) {
        const reason = `Timed out waiting for status [${wanted}], it is [${this.#status()}]`;
        throw new ShoalError('timeout_exception', 408, reason);
      }
      await new Promise<void>((resolve) => void sched.after(Math.min(STATUS_LOOK_MS, restMs), resolve));
    }
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
    if (running === undefined) return null;
    return { pipelines: { [id]: this.#pipeline(running, hasVertices, await this.#storages.value()) } };
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
    return { ...this.envelope(), loggers: loggersView(this.core) };
  }

  async prometheus(): Promise<{ readonly text: string; readonly contentType: string }> {
    this.latest.drop();
    // Its library is loaded by the first who asks: few do.
    const { prometheusText } = await import('../views/prometheus-text.ts');
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
        const plugins = this.#pluginsListed();
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
        return totalsView(this.#flows.totals());
      case 'flow':
        return this.#flows.ofNode();
      case 'pipeline': {
        const main = mainPipeline(this.core);
        return main === null ? noPipelineView(this.core) : singlePipelineView(main);
      }
      case 'pipelines': {
        const storages = await this.#storages.value();
        return Object.fromEntries(pipelines.map((one) => [one.id, this.#pipeline(one, hasVertices, storages)]));
      }
      case 'reloads':
        return { successes: this.core.reloads.successes, failures: this.core.reloads.failures };
      case 'queue':
        return { events_count: pipelines.reduce((sum, running) => sum + persistedCount(running), 0) };
      default: {
        const cgroup = await this.#cgroup.value();
        return cgroup === null ? {} : { cgroup };
      }
    }
  }

  #pipeline(running: RunningPipeline, hasVertices: boolean, storages: ReadonlyMap<string, FileSystemStats>): View {
    const storage = storages.get(running.id) ?? null;
    return pipelineView(running, { hasVertices, rates: this.#flows.ofPipeline(running), storage });
  }

  async #readStorages(): Promise<ReadonlyMap<string, FileSystemStats>> {
    const found = new Map<string, FileSystemStats>();
    for (const { id, pipeline } of this.core.pipelines) {
      const { queueType, queuePath } = pipeline.source.settings;
      const storage =
        queueType === 'persisted' ? await readFileSystemStats(this.core.runtime, `${queuePath}/${id}`) : null;
      if (storage !== null) found.set(id, storage);
    }
    return found;
  }

  /** Those of the agent, and those of users that run. */
  #pluginsListed(): readonly { readonly name: string; readonly version: string }[] {
    for (const { pipeline } of this.core.pipelines) {
      const { inputs, filters, outputs } = pipeline.stats;
      for (const { plan } of [...inputs, ...filters, ...outputs]) this.#plugins.add(plan.definition);
    }
    return this.#plugins.listing();
  }

  #builtAt(): Promise<string> {
    this.#built ??= this.#buildDate();
    return this.#built;
  }

  /** When this program was built: files of a build have no other date. */
  async #buildDate(): Promise<string> {
    const { disk, clock } = this.core.runtime;
    try {
      const { modifiedMs } = await disk.stat(fileURLToPath(import.meta.url));
      return new Date(modifiedMs).toISOString();
    } catch {
      // A disk that does not have the program, such as one in memory: it was not built later than now.
      return new Date(clock.wallMs()).toISOString();
    }
  }

  #health(): readonly PipelineHealth[] {
    const running = this.core.pipelines.map((one) => ({
      id: one.id,
      state: one.pipeline.state,
      utilization: this.#flows.ofPipeline(one).utilization,
      inputCount: one.pipeline.plan.inputs.length,
      inputTroubles: one.pipeline.inputs.troubles(),
      queueTrouble: one.pipeline.queue?.sizes().trouble ?? null,
    }));
    const none = { utilization: {}, inputCount: 0, inputTroubles: [], queueTrouble: null };
    const failed = this.core.failedIds.map((id) => ({ id, state: 'terminated' as const, ...none }));
    return [...running, ...failed];
  }

  #status(): HealthStatus {
    return healthStatus(this.#health());
  }
}

function persistedCount({ pipeline }: RunningPipeline): number {
  const sizes = pipeline.queue?.sizes();
  return sizes?.type === 'persisted' ? sizes.unreadCount : 0;
}

/**
 * The agent: the pipelines of one process, their reloads, and what the monitoring API shows of them.
 *
 * Reload never stops what it cannot replace: a changed pipeline is compiled and its plugins are made first; only then the
 * old one drains, and when the new one cannot open its inputs the old configuration is started again.
 */
import { assert, messageOf, type Settings } from '@shoal/core';
import type { Cancel, DiskLock, Runtime } from '@shoal/runtime';
import { ProcessBus } from '../delivery/pipeline-bus.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import * as all from '../settings/agent-settings.ts';
import { unusedSettings } from '../settings/unused-settings.ts';
import { loadPlan } from '../sources/load-plan.ts';
import { type PipelineSource, sourceHash } from '../sources/pipeline-source.ts';
import { readPipelineSources } from '../sources/pipeline-sources.ts';
import { PipelineThreads } from '../workers/pipeline-threads.ts';
import type { SharedThread } from '../workers/shared-thread.ts';
import { dashedUuid, readOrMakeId } from './agent-id.ts';
import { BusyInputs } from './busy-inputs.ts';
import { refuseUnreloadable } from './reload-refusal.ts';
import { ReloadStats } from './reload-stats.ts';
import { inCircles, inStopOrder } from './stop-order.ts';

/** A changed configuration counts when it has not changed for so long. */
const SETTLE_MS = 50;
const SETTLE_LOOKS_MAX = 40;
/** Pipelines of a start whose plugins are made at the same time. */
const PREPARED_AT_ONCE = 16;

export interface AgentCoreOptions {
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string>>;
  readonly hostName: string;
}

/** A pipeline by its id, with what is remembered of it over reloads. */
export interface RunningPipeline {
  readonly id: string;
  readonly pipeline: Pipeline;
  readonly reloads: ReloadStats;
}

export class AgentCore {
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly hostName: string;
  readonly name: string;
  readonly ephemeralId: string;
  readonly reloads: ReloadStats = new ReloadStats();
  readonly startMs: number;
  /** Settles when every pipeline has ended by itself or was given up. */
  readonly allEnded: Promise<void>;
  readonly #options: AgentCoreOptions;
  readonly #bus = new ProcessBus();
  readonly #busyInputs: BusyInputs;
  readonly #threads: PipelineThreads;
  readonly #pipelines = new Map<string, RunningPipeline>();
  /** Hash of the configuration that failed, by pipeline: it counts once, however often it is read. */
  readonly #failedHashes = new Map<string, string>();
  #id = '';
  #lock: DiskLock | null = null;
  #timer: Cancel | null = null;
  #work: Promise<void> = Promise.resolve();
  #isStopping = false;
  #resolveEnded: () => void = () => {};

  constructor(runtime: Runtime, options: AgentCoreOptions) {
    this.runtime = runtime;
    this.settings = options.settings;
    this.#busyInputs = new BusyInputs(runtime, `${options.settings.get(all.PATH_DATA)}/busy-inputs.json`);
    this.#threads = new PipelineThreads(runtime, this.#busyInputs);
    this.hostName = options.hostName;
    this.name = options.settings.get(all.NODE_NAME) || options.hostName;
    this.ephemeralId = dashedUuid(runtime.random.bytes(16));
    this.startMs = runtime.clock.wallMs();
    this.#options = options;
    this.allEnded = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** Survives restarts: it lies in `path.data`. */
  get id(): string {
    return this.#id;
  }

  get pipelines(): readonly RunningPipeline[] {
    return [...this.#pipelines.values()];
  }

  /** Threads in which the pipelines' workers sit. */
  get threads(): readonly SharedThread[] {
    return this.#threads.threads;
  }

  /** Ids of pipelines that are configured and could not be started. */
  get failedIds(): readonly string[] {
    return [...this.#failedHashes.keys()].filter((id) => !this.#pipelines.has(id));
  }

  /** Locks the data folder and starts every pipeline; rejects when none could be started. */
  async start(): Promise<void> {
    for (const [setting, reason] of unusedSettings(this.settings)) {
      this.runtime.log.warn('a setting is known and has no effect', { setting, reason });
    }
    const dataPath = this.settings.get(all.PATH_DATA);
    await this.runtime.disk.mkdir(dataPath);
    this.#lock = await this.runtime.disk.lock(`${dataPath}/.lock`);
    try {
      this.#id = await readOrMakeId(this.runtime, dataPath);
      await this.#busyInputs.load();
      const sources = await this.#readSources();
      const firstError = await this.#startAll(sources);
      if (this.#pipelines.size === 0) throw firstError ?? new Error('no pipeline was configured');
    } catch (error) {
      await this.#lock.release();
      throw error;
    }
    this.#warnOfCircles();
    this.#armReload();
    this.#busyInputs.watch(() => this.pipelines.map(({ pipeline }) => pipeline));
  }

  /**
   * Prepares some side by side, in the threads that their workers get, while those before them are run in their order: this
   * thread and those of the workers are busy at the same time. Answers the first error.
   */
  async #startAll(sources: readonly PipelineSource[]): Promise<unknown> {
    let firstError: unknown = null;
    let next = this.#prepareSome(sources, 0);
    for (let from = 0; from < sources.length; from += PREPARED_AT_ONCE) {
      const prepared = await next;
      next = this.#prepareSome(sources, from + PREPARED_AT_ONCE);
      for (const [i, result] of prepared.entries()) {
        const source = sources[from + i];
        assert(source !== undefined, `prepared pipeline ${from + i} of ${sources.length}`);
        try {
          if (result.status !== 'fulfilled') throw result.reason;
          await this.#run(result.value);
        } catch (error) {
          firstError ??= error;
          this.#failed(source, error);
          if (sources.length > 1)
            this.runtime.log.error('pipeline not started', { pipeline: source.id, error: textOf(error) });
        }
      }
    }
    return firstError;
  }

  /** Never rejects: what fails is an outcome of its own. */
  #prepareSome(sources: readonly PipelineSource[], from: number): Promise<readonly PromiseSettledResult<Pipeline>[]> {
    return Promise.allSettled(sources.slice(from, from + PREPARED_AT_ONCE).map((source) => this.#prepare(source)));
  }

  #warnOfCircles(): void {
    const plans = this.pipelines.map(({ id, pipeline }) => ({ id, plan: pipeline.plan }));
    const pipelines = inCircles(plans).map(({ id }) => id);
    if (pipelines.length === 0) return;
    const text =
      'pipelines send to themselves, perhaps through others: with full queues they wait for themselves for ever';
    this.runtime.log.warn(text, { pipelines });
  }

  /**
   * Compares what is configured now with what runs, and changes what differs. Calls follow one another. Somebody who asks for
   * it has what failed tried again.
   */
  reload({ isAskedFor = false }: { readonly isAskedFor?: boolean } = {}): Promise<void> {
    const done = this.#work.then(() => this.#reload(isAskedFor));
    this.#work = done.catch(() => {
      // Whoever waits for this reload hears of it; the next one starts all the same.
    });
    return done;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#timer?.();
    await this.#busyInputs.stop();
    await this.#work;
    for (const group of inStopOrder(this.pipelines.map(({ pipeline }) => pipeline))) {
      await Promise.all(group.map((pipeline) => pipeline.stop()));
    }
    await this.#lock?.release();
    this.#lock = null;
  }

  #readSources(): Promise<readonly PipelineSource[]> {
    const { environment, hostName } = this.#options;
    return readPipelineSources({ runtime: this.runtime, settings: this.settings, environment, hostName });
  }

  /** A file that somebody is writing is waited for: half of it, or nothing, could be a configuration too. */
  async #settledSources(): Promise<readonly PipelineSource[]> {
    let sources = await this.#readSources();
    for (let look = 0; look < SETTLE_LOOKS_MAX && !this.#isStopping; look++) {
      const hashes = sources.map(sourceHash);
      const known = new Set(this.pipelines.map(({ pipeline }) => pipeline.hash));
      if (hashes.every((hash) => known.has(hash))) break;
      await new Promise<void>((resolve) => void this.runtime.sched.after(SETTLE_MS, resolve));
      sources = await this.#readSources();
      if (sources.map(sourceHash).join() === hashes.join()) break;
    }
    return sources;
  }

  #armReload(): void {
    if (!this.settings.get(all.RELOAD_AUTOMATIC)) return;
    if (this.settings.get(all.CONFIG_STRING) !== '') {
      this.runtime.log.warn('no reload of a configuration from the command line (-e)');
      return;
    }
    const tick = (): void => {
      this.#timer = this.runtime.sched.after(this.settings.get(all.RELOAD_INTERVAL), () => {
        this.reload()
          .catch((error: unknown) => this.runtime.log.error('reload broke off', { error: textOf(error) }))
          .finally(() => {
            if (!this.#isStopping) tick();
          });
      });
    };
    tick();
  }

  async #reload(isAskedFor: boolean): Promise<void> {
    if (this.#isStopping) return;
    if (isAskedFor) this.#failedHashes.clear();
    let sources: readonly PipelineSource[];
    try {
      sources = await this.#settledSources();
    } catch (error) {
      this.runtime.log.error('configuration not read, what runs goes on', { error: textOf(error) });
      return;
    }
    const wanted = new Set(sources.map(({ id }) => id));
    const gone = this.pipelines.filter(({ id }) => !wanted.has(id)).map(({ pipeline }) => pipeline);
    for (const pipeline of inStopOrder(gone).flat()) {
      await pipeline.stop();
      this.#pipelines.delete(pipeline.source.id);
      this.runtime.log.info('pipeline removed', { pipeline: pipeline.source.id });
    }
    for (const source of sources) await this.#reloadOne(source, isAskedFor);
    this.#checkEnded();
  }

  async #reloadOne(source: PipelineSource, isAskedFor: boolean): Promise<void> {
    const running = this.#pipelines.get(source.id);
    const hash = sourceHash(source);
    const isGivenUp = isAskedFor && running?.pipeline.state === 'terminated';
    if (running?.pipeline.hash === hash && !isGivenUp) return;
    // A text that failed is not tried at each tick again: it would fail in the same way.
    if (this.#failedHashes.get(source.id) === hash) return;
    try {
      if (running === undefined) await this.#create(source);
      else await this.#replace(running, source);
      this.#failedHashes.delete(source.id);
    } catch (error) {
      const positions = positionsOf(error);
      const failure = { message: textOf(error), positions, nowMs: this.runtime.clock.wallMs() };
      this.#failedHashes.set(source.id, hash);
      running?.reloads.failed(failure);
      this.reloads.failed(failure);
      this.runtime.log.error('reload failed', { pipeline: source.id, error: textOf(error) });
    }
  }

  #failed(source: PipelineSource, error: unknown): void {
    this.#failedHashes.set(source.id, sourceHash(source));
    const nowMs = this.runtime.clock.wallMs();
    this.reloads.failed({ message: textOf(error), positions: positionsOf(error), nowMs });
  }

  async #create(source: PipelineSource): Promise<void> {
    await this.#run(await this.#prepare(source));
  }

  async #run(pipeline: Pipeline): Promise<void> {
    await pipeline.run();
    this.#adopt({ id: pipeline.source.id, pipeline, reloads: new ReloadStats() });
  }

  async #replace(running: RunningPipeline, source: PipelineSource): Promise<void> {
    const { pipeline: old, reloads } = running;
    refuseUnreloadable(old, source);
    const next = await this.#prepare(source);
    await old.stop({ handsOver: true });
    try {
      await next.run(old.leftovers);
    } catch (error) {
      const back = await this.#prepare(old.source);
      await back.run(old.leftovers);
      this.#adopt({ id: source.id, pipeline: back, reloads });
      throw error;
    }
    this.#adopt({ id: source.id, pipeline: next, reloads });
    const nowMs = this.runtime.clock.wallMs();
    reloads.succeeded(nowMs);
    this.reloads.succeeded(nowMs);
    this.runtime.log.info('pipeline reloaded', { pipeline: source.id });
  }

  async #prepare(source: PipelineSource): Promise<Pipeline> {
    const pipeline = new Pipeline({
      runtime: this.runtime,
      threads: this.#threads,
      source,
      plan: await loadPlan(source, this.runtime.clock),
      bus: this.#bus,
      ephemeralId: dashedUuid(this.runtime.random.bytes(16)),
      hash: sourceHash(source),
    });
    await pipeline.prepare();
    return pipeline;
  }

  #adopt(running: RunningPipeline): void {
    this.#pipelines.set(running.id, running);
    running.pipeline.ended
      .then(() => this.#checkEnded())
      .catch((error: unknown) => this.runtime.log.error('pipeline end not noticed', { error: textOf(error) }));
  }

  /** Nothing runs and no reload can change that: the process may end. */
  #checkEnded(): void {
    const isRunning = this.pipelines.some(
      ({ pipeline }) => pipeline.state === 'running' || pipeline.state === 'loading',
    );
    if (!isRunning && !this.settings.get(all.RELOAD_AUTOMATIC)) this.#resolveEnded();
  }
}

function textOf(error: unknown): string {
  return messageOf(error);
}

function positionsOf(error: unknown): readonly string[] {
  const found = /\b[^\s:]+:\d+:\d+/.exec(textOf(error));
  return found === null ? [] : [found[0]];
}

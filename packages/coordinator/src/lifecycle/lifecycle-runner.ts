/**
 * Executes lifecycle policies and the lifecycles of data streams on the elected cluster manager: looks at every index, each time
 * `indices.lifecycle.poll_interval` or `data_streams.lifecycle.poll_interval` has passed, and does what is to be done with it.
 *
 * What fails is tried again at the next look. Every step can be repeated: it is decided by the state alone.
 */
import { componentOf, dataStreamOf, failuresLifecycleOf, isWriteIndexOf, planRollover } from '@shoal/cluster';
import type { ClusterState, DataStream, IndexMetadata } from '@shoal/cluster-state';
import { asShoalError, illegalArgument, isAssertionFailure } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import { parseDurationMs } from '@shoal/schema';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { resolveDateMathName } from '../indices/date-math-name.ts';
import { maintainShards } from '../nodes/node-requests.ts';
import type { LifecycleAction, ShrinkAction } from './lifecycle-policy.ts';
import { explainLifecycle, lifecycleOrigin, type UntoldWork } from './lifecycle-progress.ts';
import { ManagerDuty } from './manager-duty.ts';
import { measureIndex } from './measure-index.ts';
import { areMet, type RolloverCondition } from './rollover-conditions.ts';
import { hasStarted, replacementOf, shrunkenName, shrunkenShards } from './shrunken-index.ts';
import { streamAction, streamLifecycleOf } from './stream-lifecycle.ts';

const POLICY_POLL_MS_DEFAULT = 10 * 60_000;
const STREAM_POLL_MS_DEFAULT = 5 * 60_000;
/** Steps that one look takes an index at most: more than a phase has actions would be a loop. */
const STEPS_MAX = 10;
const TIMEOUTS = { masterTimeoutMs: 30_000, timeoutMs: 30_000 };

export class LifecycleRunner {
  readonly #context: CoordinatorContext;
  readonly #duty: ManagerDuty<number>;
  /** What this manager has seen done to an index, by its uuid. */
  readonly #done = new Map<string, Set<UntoldWork>>();

  constructor(context: CoordinatorContext) {
    this.#context = context;
    this.#duty = new ManagerDuty(context.cluster, context.runtime, {
      planOf: (state) => pollIntervalMs(state, context.cluster),
      waitMs: (intervalMs) => intervalMs,
      look: () => this.runOnce(),
    });
  }

  close(): Promise<void> {
    return this.#duty.close();
  }

  /** One look at every index. */
  async runOnce(): Promise<void> {
    const { indices } = this.#context.cluster.state().metadata;
    const uuids = new Set([...indices.values()].map(({ uuid }) => uuid));
    for (const uuid of this.#done.keys()) if (!uuids.has(uuid)) this.#done.delete(uuid);
    for (const name of indices.keys()) {
      if (this.#duty.isClosed) return;
      try {
        await this.#advance(name);
      } catch (error) {
        if (isAssertionFailure(error)) throw error;
        this.#context.runtime.log.warn('lifecycle step failed', { index: name, reason: asShoalError(error).message });
      }
    }
  }

  async #advance(name: string): Promise<void> {
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      const state = this.#context.cluster.state();
      const index = state.metadata.indices.get(name);
      if (index === undefined) return;
      const nowMs = this.#context.runtime.clock.wallMs();
      const settings = this.#context.cluster.settings();
      const lifecycle = streamLifecycleOf(state, index, settings);
      const action =
        lifecycle === null ? this.#policyAction(state, index, nowMs) : streamAction(state, index, lifecycle, nowMs);
      if (action === null || !(await this.#perform(state, index, action))) return;
    }
  }

  #policyAction(state: ClusterState, index: IndexMetadata, nowMs: number): LifecycleAction | null {
    if (state.metadata.lifecycle.isStopped) return null;
    const explained = explainLifecycle(
      state,
      index,
      nowMs,
      ({ uuid }, work) => this.#done.get(uuid)?.has(work) ?? false,
    );
    return explained.kind === 'managed' ? explained.progress.action : null;
  }

  /** false: the action waits for something. */
  async #perform(state: ClusterState, index: IndexMetadata, action: LifecycleAction): Promise<boolean> {
    switch (action.kind) {
      case 'set_priority':
        return this.#set(index, { 'index.priority': action.priority });
      case 'readonly':
        return this.#set(index, { 'index.blocks.write': true });
      case 'allocate':
        return this.#set(index, action.settings);
      case 'rollover':
        return this.#rollOver(state, index, action);
      case 'shrink':
        return this.#shrink(state, index, action);
      case 'wait_for_snapshot':
        return false;
      case 'forcemerge':
        return this.#merge(state, index, action.segmentsMax);
      case 'delete':
        await this.#context.cluster.admin.deleteIndices({ ...TIMEOUTS, indices: [index.name] });
        return false;
    }
  }

  async #set({ name }: IndexMetadata, settings: Readonly<Record<string, unknown>>): Promise<boolean> {
    const { admin } = this.#context.cluster;
    const change = { ...TIMEOUTS, indices: [name], settings, preserveExisting: false };
    return (await admin.updateIndexSettings(change)).acknowledged;
  }

  async #merge(state: ClusterState, index: IndexMetadata, segmentsMax: number): Promise<boolean> {
    const merge = { segmentsMax, onlyExpungeDeletes: false };
    const work = { kind: 'force_merge', merge, flush: true } as const;
    const { failed, total, successful } = await maintainShards(this.#context, state, work, [index.name]);
    if (failed > 0 || successful < total - index.numberOfShards * index.numberOfReplicas) return false;
    this.#markDone(index, 'forcemerge');
    return true;
  }

  #markDone({ uuid }: IndexMetadata, work: UntoldWork): void {
    const done = this.#done.get(uuid) ?? new Set();
    this.#done.set(uuid, done.add(work));
  }

  /** Makes the smaller index, and once it has started, puts it in the place of the larger one. */
  async #shrink(state: ClusterState, index: IndexMetadata, { to, allowsWrites }: ShrinkAction): Promise<boolean> {
    // A stream is still written to its last index: it is shrunken when another one has followed.
    const stream = dataStreamOf(state, index.name);
    if (stream !== null && isWriteIndexOf(stream, index.name)) return false;
    if (index.settings['index.blocks.write'] !== 'true') return this.#set(index, { 'index.blocks.write': true });
    const name = shrunkenName(index);
    const shrunken = state.metadata.indices.get(name);
    if (shrunken === undefined) return this.#createShrunken(state, index, to);
    if (!hasStarted(state, name)) return false;
    if (allowsWrites) await this.#set(shrunken, { 'index.blocks.write': null });
    const { admin } = this.#context.cluster;
    const replacement = replacementOf(state, index, name);
    switch (replacement.kind) {
      case 'aliases':
        await admin.updateAliases({ ...TIMEOUTS, actions: replacement.actions });
        break;
      case 'stream':
        await admin.modifyDataStreams({ ...TIMEOUTS, changes: replacement.changes });
        break;
      case 'source':
        await admin.deleteIndices({ ...TIMEOUTS, indices: [index.name] });
    }
    return true;
  }

  async #createShrunken(state: ClusterState, index: IndexMetadata, to: ShrinkAction['to']): Promise<boolean> {
    const { bytes } = await measureIndex(this.#context, state, index);
    const shards = 'shards' in to ? to.shards : shrunkenShards(index.numberOfShards, bytes, to.shardBytesMax);
    if (shards === index.numberOfShards) {
      this.#markDone(index, 'shrink');
      return true;
    }
    const name = shrunkenName(index);
    const { acknowledged } = await this.#context.cluster.admin.createIndex({
      ...TIMEOUTS,
      index: name,
      providedName: name,
      settings: {
        'index.number_of_shards': shards,
        'index.number_of_replicas': index.numberOfReplicas,
        // Its age goes on, and it waits for no rollover.
        'index.lifecycle.origination_date': lifecycleOrigin(index),
        'index.lifecycle.indexing_complete': true,
      },
      mappings: {},
      aliases: {},
      waitForActiveShards: null,
      resize: { kind: 'shrink', source: index.name },
    });
    return acknowledged;
  }

  /** Whether an index without documents stays: its next one would be as empty. */
  #isKeptEmpty(conditions: readonly RolloverCondition[]): boolean {
    const settings = this.#context.cluster.settings();
    if (settings['indices.lifecycle.rollover.only_if_has_documents'] === 'false') return false;
    return !conditions.some(({ name }) => name === 'min_docs' || name === 'min_primary_shard_docs');
  }

  async #rollOver(
    state: ClusterState,
    index: IndexMetadata,
    { conditions }: Extract<LifecycleAction, { kind: 'rollover' }>,
  ): Promise<boolean> {
    const stream = dataStreamOf(state, index.name);
    const target = stream?.name ?? index.settings['index.lifecycle.rollover_alias'] ?? '';
    if (target === '') {
      throw illegalArgument(
        `setting [index.lifecycle.rollover_alias] for index [${index.name}] is empty or not defined`,
      );
    }
    const nowMs = this.#context.runtime.clock.wallMs();
    const resolveName = (name: string): string => resolveDateMathName(name, nowMs);
    const component = stream === null ? 'data' : componentOf(stream, index.name);
    const plan = planRollover(state, { target, component, newIndex: null, nowMs, resolveName });
    if (plan.source?.name !== index.name) {
      throw illegalArgument(`index [${index.name}] is not the write index for alias [${target}]`);
    }
    const measured = await measureIndex(this.#context, state, index);
    if (this.#isKeptEmpty(conditions) && measured.docs === 0) return false;
    if (!areMet(conditions, measured)) return false;
    const { acknowledged } = await this.#context.cluster.admin.rollover({
      ...TIMEOUTS,
      target,
      component,
      source: index.name,
      newIndex: plan.newIndex,
      providedName: plan.providedName,
      settings: {},
      mappings: {},
      aliases: {},
      waitForActiveShards: null,
    });
    return acknowledged;
  }
}

/** The shorter one of those that are needed; null: there is nothing to look at. */
function pollIntervalMs({ metadata }: ClusterState, cluster: ClusterService): number | null {
  const { isStopped, policies } = metadata.lifecycle;
  const settings = cluster.settings();
  const intervals: number[] = [];
  if (!isStopped && policies.size > 0) {
    intervals.push(parseDurationMs(settings['indices.lifecycle.poll_interval'] ?? '') ?? POLICY_POLL_MS_DEFAULT);
  }
  const isManaged = (stream: DataStream): boolean =>
    stream.lifecycle?.isEnabled === true || failuresLifecycleOf(stream, settings)?.lifecycle.isEnabled === true;
  if ([...metadata.dataStreams.values()].some(isManaged)) {
    intervals.push(parseDurationMs(settings['data_streams.lifecycle.poll_interval'] ?? '') ?? STREAM_POLL_MS_DEFAULT);
  }
  return intervals.length === 0 ? null : Math.min(...intervals);
}

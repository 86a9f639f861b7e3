/**
 * The threads of this node and what they do: a profile of each over a short interval, while the node goes on with its work.
 *
 * The kernel says how long each thread was on a processor, the profiles say with what. A worker that is inside one long step
 * cannot begin a profile: it is shown without stacks, by its processor time alone.
 */
import { ShoalError } from '@shoal/core';
import type { HotThread, HotThreadsRequest } from '@shoal/protocol';
import { type BusyStacks, busyStacks } from '@shoal/runtime';
import type { NodeStatsSource } from './node-stats-source.ts';

/** A worker that has not answered so long after the end of the interval is taken to be inside one long step. */
const GRACE_MS = 1_000;
/** Requests that wait for the profile that is being taken: two at a time would measure each other. */
const WAITING_MAX = 10;

export class HotThreadsSource {
  readonly #source: Pick<NodeStatsSource, 'runtime' | 'shards'>;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(source: Pick<NodeStatsSource, 'runtime' | 'shards'>) {
    this.#source = source;
  }

  /** @throws circuit_breaking_exception when too many wait already */
  async take(request: HotThreadsRequest): Promise<readonly HotThread[]> {
    if (this.#waiting >= WAITING_MAX) {
      throw new ShoalError('es_rejected_execution_exception', 429, `${WAITING_MAX} profiles of this node wait already`);
    }
    this.#waiting++;
    const taken = this.#last.then(() => this.#profile(request));
    // The next profile begins whatever became of this one; its caller gets the error.
    this.#last = taken.catch(() => null);
    return taken.finally(() => {
      this.#waiting--;
    });
  }

  async #profile({ intervalMs, snapshots }: HotThreadsRequest): Promise<readonly HotThread[]> {
    const { runtime, shards } = this.#source;
    const { machine } = runtime;
    const sampleIntervalMs = Math.max(1, intervalMs / snapshots);
    const before = machine.threads?.() ?? null;
    const workersTaken = shards?.profiles(intervalMs, sampleIntervalMs, intervalMs + GRACE_MS) ?? [];
    const own =
      machine.profile === undefined
        ? null
        : busyStacks(await machine.profile({ durationMs: intervalMs, sampleIntervalMs }));
    const after = machine.threads?.() ?? null;
    const workers = await workersTaken;
    const earlier = new Map(before?.threads.map(({ id, cpuMs }) => [id, cpuMs]));
    const cpuOf = (threadId: number | null): number | null => {
      const sample = after?.threads.find(({ id }) => id === threadId);
      return sample === undefined ? null : Math.max(0, sample.cpuMs - (earlier.get(sample.id) ?? 0));
    };
    const ownId = after?.ownId ?? null;
    const named = new Set([ownId, ...workers.map(({ profile }) => profile?.threadId ?? null)]);
    const natives = (after?.threads ?? []).filter(({ id }) => !named.has(id) && earlier.has(id));
    return [
      hotThread('main', cpuOf(ownId), own),
      ...workers.map(({ name, profile }) => hotThread(name, cpuOf(profile?.threadId ?? null), profile?.busy ?? null)),
      ...natives.map(({ id, name }) => hotThread(`${name}-${id}`, cpuOf(id), null)),
    ];
  }
}

function hotThread(name: string, cpuMs: number | null, busy: BusyStacks | null): HotThread {
  return { name, cpuMs, sampleCount: busy?.sampleCount ?? 0, stacks: busy?.stacks ?? [] };
}

/** What the threads of a node were found at over a short interval: any node → any node. Channel `reg`. */
import { type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';

export interface HotThreadsRequest {
  readonly intervalMs: number;
  /** Looks at each thread within the interval. */
  readonly snapshots: number;
}

export interface HotThread {
  readonly name: string;
  /** Processor time within the interval, in milliseconds; null where the system does not tell. */
  readonly cpuMs: number | null;
  /** Looks at the thread; 0 for one that runs no code of this program. */
  readonly sampleCount: number;
  /** Where it was found busy, the most frequent first. */
  readonly stacks: readonly { readonly count: number; readonly frames: readonly string[] }[];
}

export interface HotThreadsResponse {
  readonly threads: readonly HotThread[];
}

/** Longest interval: a profile costs the node some of its speed. */
export const HOT_THREADS_INTERVAL_MS_MAX = 60_000;
export const HOT_THREADS_SNAPSHOTS_MAX = 10_000;

const THREADS_MAX = 2_000;
const STACKS_MAX = 100;
const FRAMES_MAX = 1_000;
const COUNT_MAX = Number.MAX_SAFE_INTEGER;

const readStack: ItemReader<HotThread['stacks'][number]> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { count: r.integer('count', 0, COUNT_MAX), frames: r.list('frames', ValueReader.asString, FRAMES_MAX) };
};

const readThread: ItemReader<HotThread> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    cpuMs: r.optional('cpuMs', ValueReader.asNumber),
    sampleCount: r.integer('sampleCount', 0, COUNT_MAX),
    stacks: r.list('stacks', readStack, STACKS_MAX),
  };
};

export const HOT_THREADS: ActionCodec<HotThreadsRequest, HotThreadsResponse> = {
  name: 'cluster:monitor/nodes/hot_threads[n]',
  writeRequest: ({ intervalMs, snapshots }) => ({ message: { intervalMs, snapshots } }),
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    return {
      intervalMs: r.integer('intervalMs', 1, HOT_THREADS_INTERVAL_MS_MAX),
      snapshots: r.integer('snapshots', 1, HOT_THREADS_SNAPSHOTS_MAX),
    };
  },
  writeResponse: ({ threads }) => ({
    message: {
      threads: threads.map((thread) => ({
        ...thread,
        stacks: thread.stacks.map(({ count, frames }) => ({ count, frames: [...frames] })),
      })),
    },
  }),
  readResponse: (body) => ({ threads: ValueReader.of(body.message).list('threads', readThread, THREADS_MAX) }),
};

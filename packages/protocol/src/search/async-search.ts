/**
 * What is asked of an asynchronous search: any node → the node that its id names. Channel `reg`.
 */
import { ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { SectionReader } from '../sections/section-reader.ts';

/** `get` shows it with its answer, `status` without, `delete` cancels and forgets it. */
export type AsyncSearchWork = 'delete' | 'get' | 'status';

export interface AsyncSearchRequest {
  readonly id: string;
  readonly work: AsyncSearchWork;
  /** Longest wait for its end, in milliseconds. */
  readonly waitMs: number;
  /** How long it is kept from now on, in milliseconds; null: as long as it would be. */
  readonly keepAliveMs: number | null;
  /** Names of aggregations and suggestions carry the type of their result. */
  readonly typedKeys: boolean;
  /** What it has found is shown while it still runs. */
  readonly showsPartial: boolean;
}

export interface AsyncSearchResponse {
  /** 404: there is no such search. */
  readonly status: number;
  /** JSON. */
  readonly body: Uint8Array;
}

const WORKS: readonly AsyncSearchWork[] = ['delete', 'get', 'status'];
/** Longest that anybody waits for a search, in milliseconds. */
export const ASYNC_WAIT_MS_MAX: number = 24 * 60 * 60 * 1_000;
const STATUS_MIN = 200;
const STATUS_MAX = 599;

export const ASYNC_SEARCH: ActionCodec<AsyncSearchRequest, AsyncSearchResponse> = {
  name: 'indices:data/read/async_search[n]',
  writeRequest: ({ id, work, waitMs, keepAliveMs, typedKeys, showsPartial }) => ({
    message: { id, work, waitMs, keepAliveMs, typedKeys, showsPartial },
  }),
  readRequest: ({ message }) => {
    const r = ValueReader.of(message);
    return {
      id: r.string('id'),
      work: r.oneOf('work', WORKS),
      waitMs: r.integer('waitMs', 0, ASYNC_WAIT_MS_MAX),
      keepAliveMs: r.optionalInteger('keepAliveMs', 0, Number.MAX_SAFE_INTEGER),
      typedKeys: r.boolean('typedKeys'),
      // A node that cannot say so shows it.
      showsPartial: !r.has('showsPartial') || r.boolean('showsPartial'),
    };
  },
  writeResponse: ({ status, body }) => ({ message: { status }, sections: [body] }),
  readResponse: ({ message, sections: bytes }) => {
    const sections = new SectionReader(bytes);
    const status = ValueReader.of(message).integer('status', STATUS_MIN, STATUS_MAX);
    const body = sections.bytes('body');
    sections.end();
    return { status, body };
  },
};

/** Cancels and forgets all asynchronous searches of a node. */
export const FORGET_ASYNC_SEARCHES: ActionCodec<Readonly<Record<string, never>>, Readonly<Record<string, never>>> = {
  name: 'cluster:admin/async_search/forget[n]',
  writeRequest: () => ({ message: {} }),
  readRequest: () => ({}),
  writeResponse: () => ({ message: {} }),
  readResponse: () => ({}),
};

/**
 * What the main thread and a pipeline's worker tell each other. Both ends are the same program: messages are typed, and
 * events travel as bytes that are handed over, not copied.
 */
import type { HeapSample } from '@shoal/runtime';
import type { PipelineSource } from '../sources/pipeline-source.ts';

export type ToWorker =
  /** Compile the configuration and make the plugins; nothing is opened yet. */
  | {
      readonly kind: 'build';
      readonly source: PipelineSource;
      /** The only worker there will be: outputs of one instance run in it too. */
      readonly isAlone: boolean;
    }
  /** Open what the plugins open. */
  | { readonly kind: 'start' }
  /** Worked on one after the other, and reported together. */
  | { readonly kind: 'batches'; readonly batches: readonly (readonly Uint8Array[])[] }
  | { readonly kind: 'flush'; readonly isFinal: boolean }
  | { readonly kind: 'answer'; readonly call: number; readonly isDone: boolean }
  | { readonly kind: 'delivered'; readonly call: number; readonly result: DeliveryResult }
  | { readonly kind: 'stop' };

export type FromWorker =
  | {
      readonly kind: 'built';
      readonly canFlush: boolean;
      /** Another worker can go on in its place: it keeps nothing over events and opens nothing that is there once. */
      readonly canMove: boolean;
      /** Kernel's id of the thread; null where it has none. */
      readonly threadId: number | null;
      /** What the plugins say of themselves before any event. */
      readonly report: BatchReport;
    }
  | { readonly kind: 'started' }
  | { readonly kind: 'failed'; readonly message: string; readonly position: string | null }
  /** All batches of the message that came first of those that are not done. */
  | { readonly kind: 'done'; readonly report: BatchReport }
  /** What was counted so far in work that is not done; the report of `done` is about the rest. */
  | { readonly kind: 'counted'; readonly report: BatchReport }
  /** What a periodic flush did; `isFinal` as it was asked for. */
  | { readonly kind: 'flushed'; readonly isFinal: boolean; readonly report: BatchReport }
  | {
      readonly kind: 'deadLetter';
      readonly call: number;
      readonly pluginType: string;
      readonly pluginId: string;
      readonly reason: string;
      readonly bytes: Uint8Array;
    }
  /** Events for an output that runs in the main thread, by its index among filters and outputs. */
  | { readonly kind: 'deliver'; readonly call: number; readonly plugin: number; readonly bytes: Uint8Array }
  /** Events for another pipeline of this process. */
  | {
      readonly kind: 'forward';
      readonly call: number;
      readonly address: string;
      readonly ensureDelivery: boolean;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: 'stopped' };

/** Result of a call of an output; numbers are indexes into its events. */
export interface DeliveryResult {
  /** Error that the output threw over all events; null without one. */
  readonly error: string | null;
  readonly deadLettered: readonly number[];
  readonly lost: readonly number[];
}

/** What became of the events of some batches, and what the plugins counted meanwhile. */
export interface BatchReport {
  /** Events that came in with them. */
  readonly taken: number;
  readonly created: number;
  /** Left the filters, cancelled ones not counted. */
  readonly filtered: number;
  readonly out: number;
  readonly deadLettered: number;
  /** Dropped events by id of the plugin that dropped them. */
  readonly dropped: readonly (readonly [string, number])[];
  readonly durationMs: number;
  /** Part of the time of the whole message that its outputs took, where all join batches: more batches hardly lengthen it. Else 0. */
  readonly joinedMs: number;
  /** Heap of the worker, sampled now and then; null in between. */
  readonly heap: HeapSample | null;
  /** Counts by index of the plugin, filters before outputs: events in, events out, ms, events its codec wrote, their ms. */
  readonly counts: Float64Array;
  readonly metrics: readonly MetricChange[];
}

/** What a gauge of a plugin shows. */
export type GaugeValue = number | string | Readonly<Record<string, number>>;

export type MetricChange =
  | { readonly kind: 'increment'; readonly plugin: number; readonly name: string; readonly by: number }
  | {
      readonly kind: 'gauge';
      readonly plugin: number;
      readonly name: string;
      readonly value: GaugeValue;
    };

/** Numbers of one plugin in `BatchReport.counts`. */
export const COUNTS_OF_PLUGIN = 5;

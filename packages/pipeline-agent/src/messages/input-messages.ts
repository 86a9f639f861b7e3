/**
 * What the main thread and the thread of a pipeline's inputs tell each other. Events travel serialised, in chunks that the queue
 * takes as they are.
 */
import type { EventChunk } from '@shoal/agent-queue';
import type { HeapSample } from '@shoal/runtime';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import type { GaugeValue } from './worker-messages.ts';

export type ToInputs =
  /** Compile the configuration and make the inputs at these places among all of the pipeline; nothing is opened yet. */
  | {
      readonly kind: 'build';
      readonly source: PipelineSource;
      readonly places: readonly number[];
      /** Inputs wait for the outputs before they tell their sources. */
      readonly confirms: boolean;
    }
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  /** Result of a `push` or a `confirm`. */
  | { readonly kind: 'answer'; readonly call: number; readonly refusal: Refusal | null };

export type FromInputs =
  | {
      readonly kind: 'built';
      /** Kernel's id of the thread; null where it has none. */
      readonly threadId: number | null;
    }
  | {
      readonly kind: 'started';
      /** One of them never ends by itself. */
      readonly isEndless: boolean;
    }
  /** The answer to `build` or `start` where that could not be done. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'push'; readonly call: number; readonly chunks: readonly EventChunk[] }
  | { readonly kind: 'confirm'; readonly call: number }
  /** What has changed since it was told last, by all inputs in their order. */
  | {
      readonly kind: 'told';
      readonly inputs: readonly ToldInput[];
      /** Time that they have worked, all together. */
      readonly workMs: number;
      readonly heap: HeapSample | null;
    }
  /** All inputs have ended by themselves; with the reason where one failed. */
  | { readonly kind: 'finished'; readonly failure: string | null }
  | { readonly kind: 'stopped' };

/** Why a push was refused, with what an error of the API has. */
export interface Refusal {
  readonly type: string;
  readonly status: number;
  readonly message: string;
}

/** Counts of one input since its start, and how it is. */
export interface ToldInput {
  readonly in: number;
  readonly out: number;
  readonly queuePushMs: number;
  readonly codec: {
    readonly decodeCount: number;
    readonly decodedCount: number;
    readonly decodeMs: number;
    readonly encodedCount: number;
    readonly encodeMs: number;
  };
  readonly metrics: readonly (readonly [string, GaugeValue])[];
  /** Why it does not run as it should; null when it does. */
  readonly trouble: { readonly reason: string; readonly isDown: boolean } | null;
  /** It waits for room in the queue, or stops. */
  readonly isHeld: boolean;
}

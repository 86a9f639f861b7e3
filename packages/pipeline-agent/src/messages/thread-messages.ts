/**
 * What the main thread and a thread of pipelines tell each other. Several workers sit in one thread, each in a seat with a
 * number of its own; what is said to a worker and by it travels with the number of its seat.
 */
import type { FromInputs, ToInputs } from './input-messages.ts';
import type { ThreadShare } from './thread-share.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

export type ToThread =
  /** The first message. Cell 0 of `received` counts the messages that the thread has taken. */
  | { readonly kind: 'attach'; readonly received: SharedArrayBuffer }
  /** A worker comes: `cells` are those of `SeatCells`. */
  | { readonly kind: 'open'; readonly seat: number; readonly cells: SharedArrayBuffer }
  | { readonly kind: 'worker'; readonly seat: number; readonly message: ToWorker }
  /** Inputs of a pipeline come: nobody else sits in the thread. */
  | { readonly kind: 'openInputs' }
  | { readonly kind: 'inputs'; readonly message: ToInputs }
  /** The worker stops what it opened, behind what it is in, and goes. */
  | { readonly kind: 'close'; readonly seat: number }
  /** Watch what this thread does, beside its work. */
  | { readonly kind: 'profile'; readonly call: number; readonly durationMs: number };

export type FromThread =
  | { readonly kind: 'worker'; readonly seat: number; readonly message: FromWorker }
  | { readonly kind: 'inputs'; readonly message: FromInputs }
  | { readonly kind: 'closed'; readonly seat: number }
  /** null where no profile can be had. */
  | { readonly kind: 'profiled'; readonly call: number; readonly share: ThreadShare | null };

/** Plugins of one seat in the numbers of a profile: seat times this, plus the plugin's index. */
export const PLUGINS_OF_SEAT = 65_536;

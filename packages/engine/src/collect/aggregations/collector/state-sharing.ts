/**
 * How several threads collect for one search: each counts some of the documents with collectors of its own, and hands over what it
 * counted as flat arrays, which are added to the collectors of the thread that answers.
 *
 * States carry no ordinals of buckets beyond their own: whoever adds one says which of its buckets each bucket of the parent is.
 */
import type { StepMeter, Steps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';

/** What a collector counted. Good to be sent to another thread. */
export interface CollectorState {
  /** By bucket or by key, as each kind of collector writes them. */
  readonly arrays: readonly (Float64Array | Uint32Array | Uint8Array)[];
  /** One for each collector inside, in the order of the request. */
  readonly children: readonly CollectorState[];
}

/** Sharing of one collector, with all collectors inside. Both ends belong to one request, over the same segments. */
export interface StateSharing {
  /** Whether states may be added in any order, and documents be dealt out anyhow, without a trace of it in the result. */
  readonly isOrderFree: boolean;
  /** Readies the collector, before its first segment; left out: it is. False: this thread has no room for what sharing takes. */
  ready?(meter: StepMeter): Steps<boolean>;
  /** What was counted, after the last segment. The collector is not used any more. */
  take(meter: StepMeter): Steps<CollectorState>;
  /** @param buckets the bucket of the parent here, by its number there */
  add(state: CollectorState, buckets: ArrayLike<number>, meter: StepMeter): Steps<void>;
}

/** A collector that may be shared, where its fields allow it. */
interface Shareable {
  share?(views: readonly SegmentView[]): StateSharing | null;
}

/** Collectors side by side as one. Null where one of them cannot be shared. */
export function sharingOf(collectors: readonly Shareable[], views: readonly SegmentView[]): SideBySide | null {
  const each: StateSharing[] = [];
  for (const collector of collectors) {
    const sharing = collector.share?.(views) ?? null;
    if (sharing === null) return null;
    each.push(sharing);
  }
  return new SideBySide(each);
}

export class SideBySide {
  readonly isOrderFree: boolean;
  private readonly each: readonly StateSharing[];

  constructor(each: readonly StateSharing[]) {
    this.each = each;
    this.isOrderFree = each.every(({ isOrderFree }) => isOrderFree);
  }

  *ready(meter: StepMeter): Steps<boolean> {
    for (const sharing of this.each) {
      if (sharing.ready !== undefined && !(yield* sharing.ready(meter))) return false;
    }
    return true;
  }

  *take(meter: StepMeter): Steps<CollectorState[]> {
    const states: CollectorState[] = [];
    for (const sharing of this.each) states.push(yield* sharing.take(meter));
    return states;
  }

  *add(states: readonly CollectorState[], buckets: ArrayLike<number>, meter: StepMeter): Steps<void> {
    for (const [i, sharing] of this.each.entries()) yield* sharing.add(states[i] as CollectorState, buckets, meter);
  }
}

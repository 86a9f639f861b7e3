/**
 * Virtual time, and a network of whole messages: latency, loss, one-way cuts, repetition, and the news that a peer is gone.
 */
import type { SeededRandom } from '@shoal/simulation';
import type { NodeId } from '../steps/accepted-state.ts';

export interface NetworkFaults {
  /** Probability that a message vanishes. */
  readonly loss: number;
  readonly duplication: number;
  /** Milliseconds; each message draws its own up to this, rarely ten times as much. */
  readonly latencyMaxMs: number;
  /** Whether a cut link refuses at once (reset) or swallows silently. */
  readonly cutsAreSilent: boolean;
}

export const NO_FAULTS: NetworkFaults = { loss: 0, duplication: 0, latencyMaxMs: 5, cutsAreSilent: true };

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** A binary heap of things to do, by time and then by order of arrival. */
export class VirtualTime {
  private readonly heap: Due[] = [];
  private order = 0;
  nowMs = 0;

  after(ms: number, run: () => void): void {
    const due = { atMs: this.nowMs + ms, order: this.order++, run };
    const { heap } = this;
    let at = heap.push(due) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(due, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = due;
  }

  /** Runs the next thing; false when there is none before `untilMs`. */
  next(untilMs: number): boolean {
    const first = this.heap[0];
    if (first === undefined || first.atMs > untilMs) {
      this.nowMs = untilMs;
      return false;
    }
    this.removeFirst();
    this.nowMs = first.atMs;
    first.run();
    return true;
  }

  private removeFirst(): void {
    const { heap } = this;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(a: Due, b: Due): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

export type Passage = 'delivered' | 'lost' | 'reset';

export class MessageNetwork {
  readonly time: VirtualTime = new VirtualTime();
  private readonly random: SeededRandom;
  /** `from>to` pairs that nothing passes. */
  private readonly cuts = new Set<string>();
  faults: NetworkFaults = NO_FAULTS;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  cut(from: NodeId, to: NodeId): void {
    this.cuts.add(`${from}>${to}`);
  }

  uncut(): void {
    this.cuts.clear();
  }

  heal(): void {
    this.uncut();
    this.faults = NO_FAULTS;
  }

  isCut(from: NodeId, to: NodeId): boolean {
    return this.cuts.has(`${from}>${to}`);
  }

  latencyMs(): number {
    const { latencyMaxMs } = this.faults;
    return this.random.unit() * latencyMaxMs * (this.random.chance(0.02) ? 10 : 1);
  }

  /** Carries one message; `arrive` runs once, twice or never. */
  carry(from: NodeId, to: NodeId, arrive: () => void): Passage {
    if (this.isCut(from, to)) return this.faults.cutsAreSilent ? 'lost' : 'reset';
    if (this.random.chance(this.faults.loss)) return 'lost';
    // What is cut while under way is lost too.
    const guarded = (): void => {
      if (!this.isCut(from, to)) arrive();
    };
    this.time.after(this.latencyMs(), guarded);
    if (this.random.chance(this.faults.duplication)) this.time.after(this.latencyMs() * 3, guarded);
    return 'delivered';
  }
}

/** Events of a simulated shard by virtual time; at one time in the order in which they were posted. */

interface TimedEvent {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

export class ShardEvents {
  nowMs = 0;
  private readonly heap: TimedEvent[] = [];
  private posted = 0;

  after(delayMs: number, run: () => void): void {
    const event: TimedEvent = { atMs: this.nowMs + delayMs, order: this.posted++, run };
    const { heap } = this;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent]!, event)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  /** Runs the next event; false when it is later than `untilMs` or there is none. */
  runNext(untilMs: number): boolean {
    const first = this.heap[0];
    if (first === undefined || first.atMs > untilMs) return false;
    const last = this.heap.pop()!;
    if (this.heap.length > 0) this.sink(last);
    this.nowMs = first.atMs;
    first.run();
    return true;
  }

  private sink(event: TimedEvent): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (isBefore(event, heap[child]!)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = event;
  }
}

function isBefore(a: TimedEvent, b: TimedEvent): boolean {
  return a.atMs !== b.atMs ? a.atMs < b.atMs : a.order < b.order;
}

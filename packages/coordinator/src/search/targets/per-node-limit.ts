/**
 * Bounds how many requests of one search a node has at the same time, so that an index of many shards does not bury it.
 */

interface NodeQueue {
  running: number;
  readonly waiting: (() => void)[];
}

export class PerNodeLimit {
  /** Requests that one node has at a time. */
  readonly max: number;
  readonly #queues = new Map<string, NodeQueue>();

  constructor(max: number) {
    this.max = max;
  }

  /** Runs `work` as soon as the node has fewer than the limit. The queue is no longer than the targets of the search. */
  async run<T>(nodeId: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(nodeId) ?? { running: 0, waiting: [] };
    this.#queues.set(nodeId, queue);
    if (queue.running >= this.max) await new Promise<void>((resolve) => queue.waiting.push(resolve));
    else queue.running++;
    try {
      return await work();
    } finally {
      // The place goes on to the next in line, or is given up.
      const next = queue.waiting.shift();
      if (next === undefined) queue.running--;
      else next();
    }
  }
}

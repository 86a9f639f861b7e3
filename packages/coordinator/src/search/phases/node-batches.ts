/**
 * What one phase of a search asks of its shards, gathered by node: all shards of a node are asked in one message, or in few
 * where they are many.
 *
 * One message is under way to each node at a time. What the node leaves unanswered is asked again.
 */
import { isShoalError, malformedMessage, type ShoalError } from '@shoal/core';

/** null: the shard was not asked. */
export type ItemAnswer<Res> = Res | ShoalError | null;

export interface NodeQuestion<Item, Res> {
  /** Most shards of one message. */
  readonly itemsMax: number;
  /** Asks shards of one node. @returns one answer a shard, in order */
  readonly ask: (nodeId: string, items: readonly Item[]) => Promise<readonly ItemAnswer<Res>[]>;
  /** Resolves when the results that were handed out before are dealt with: no more are asked for before. */
  readonly settled: () => Promise<void>;
}

interface AskedItem<Item, Res> {
  readonly item: Item;
  readonly resolve: (response: Res) => void;
  readonly reject: (error: unknown) => void;
}

export class NodeBatches<Item, Res> {
  readonly #question: NodeQuestion<Item, Res>;
  /** Shards by node that were not asked yet; a node without an entry has no message under way. */
  readonly #queues = new Map<string, AskedItem<Item, Res>[]>();

  constructor(question: NodeQuestion<Item, Res>) {
    this.#question = question;
  }

  send(nodeId: string, item: Item): Promise<Res> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(nodeId);
      if (queue !== undefined) {
        queue.push({ item, resolve, reject });
        return;
      }
      const started: AskedItem<Item, Res>[] = [{ item, resolve, reject }];
      this.#queues.set(nodeId, started);
      // Behind the calls of this turn, which name the other shards of the node.
      void Promise.resolve().then(() => this.#drain(nodeId, started));
    });
  }

  async #drain(nodeId: string, queue: AskedItem<Item, Res>[]): Promise<void> {
    const { itemsMax, ask, settled } = this.#question;
    while (queue.length > 0) {
      const asked = queue.splice(0, itemsMax);
      try {
        const answers = await ask(
          nodeId,
          asked.map(({ item }) => item),
        );
        const isUseful = answers.length === asked.length && answers.some((answer) => answer !== null);
        if (!isUseful) throw malformedMessage(`node [${nodeId}] has no answer for any of ${asked.length} shards`);
        queue.unshift(...settle(asked, answers));
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
      await settled();
    }
    this.#queues.delete(nodeId);
  }
}

/** Hands out the answers. @returns the shards without one */
function settle<Item, Res>(
  asked: readonly AskedItem<Item, Res>[],
  answers: readonly ItemAnswer<Res>[],
): readonly AskedItem<Item, Res>[] {
  return asked.filter(({ resolve, reject }, i) => {
    const answer = answers[i] ?? null;
    if (answer === null) return true;
    if (isShoalError(answer)) reject(answer);
    else resolve(answer);
    return false;
  });
}

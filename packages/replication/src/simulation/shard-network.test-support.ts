/**
 * The network between the copies of a shard: it loses, doubles, delays and cuts, and knows which answer belongs to which request.
 */
import type { CopyEffect } from '../copy/copy-events.ts';
import type { CopyResponse } from '../copy/copy-messages.ts';
import type { NodeId } from '../group/shard-group.ts';
import type { ShardWorld } from './shard-world.test-support.ts';
import type { SimulatedCopy } from './simulated-copy.test-support.ts';
import type { SimOperation } from './simulated-store.test-support.ts';

export class ShardNetwork {
  private readonly world: ShardWorld;
  private readonly cuts = new Set<string>();
  private readonly replies = new Map<string, { readonly copy: SimulatedCopy; readonly requestId: number }>();
  private readonly payloads = new Map<string, string>();
  private replyCount = 0;

  constructor(world: ShardWorld) {
    this.world = world;
  }

  cut(from: string, to: string): void {
    this.cuts.add(`${from}>${to}`);
  }

  isCut(from: string, to: string): boolean {
    return this.cuts.has(`${from}>${to}`);
  }

  heal(from: string, to: string): void {
    this.cuts.delete(`${from}>${to}`);
  }

  healAll(): void {
    this.cuts.clear();
  }

  send(from: SimulatedCopy, effect: Extract<CopyEffect<SimOperation>, { readonly kind: 'send' }>): void {
    const { requestId, to, request } = effect;
    this.replyCount += 1;
    const replyTo = `r${this.replyCount}`;
    this.replies.set(replyTo, { copy: from, requestId });
    if (request.kind === 'recoveryChunk') this.payloads.set(replyTo, from.chunkOf(to, request.file, request.chunk));
    const target = this.world.nodes.find(({ id }) => to.startsWith(`${id}.`))!;
    this.transmit(from.node, target.id, () => {
      const { copy } = target;
      if (copy?.isLive === true && copy.allocationId === to) copy.take({ kind: 'request', replyTo, request });
      else this.answer(target.id, replyTo, { kind: 'refused', reason: 'notHere', term: 0 });
    });
    this.world.events.after(this.world.faults.requestTimeoutMs, () => {
      if (this.replies.delete(replyTo) && from.isLive) from.take({ kind: 'requestFailed', requestId });
    });
  }

  /** Bytes that came with a request. */
  payloadOf(replyTo: string): string {
    return this.payloads.get(replyTo) ?? '';
  }

  answer(fromNode: NodeId, replyTo: string, response: CopyResponse): void {
    const waiting = this.replies.get(replyTo);
    if (waiting === undefined) return;
    const { copy, requestId } = waiting;
    this.transmit(fromNode, copy.node, () => {
      if (!this.replies.delete(replyTo)) return;
      copy.take({ kind: 'response', requestId, response });
    });
  }

  /** Delivers later: perhaps never, perhaps twice. */
  transmit(from: string, to: string, deliver: () => void): void {
    const times = this.world.random.chance(this.world.faults.duplicate) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      if (this.world.random.chance(this.world.faults.loss)) continue;
      this.world.events.after(this.world.faults.latencyMs() * this.slowness(from) * this.slowness(to), () => {
        const target = this.world.nodes.find(({ id }) => id === to);
        if (this.isCut(from, to) || target?.isAlive === false) return;
        deliver();
      });
    }
  }

  private slowness(place: string): number {
    return this.world.slowNodes.has(place) ? 20 : 1;
  }
}

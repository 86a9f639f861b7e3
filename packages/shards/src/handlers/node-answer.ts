/**
 * The answer for several shards of this node that were asked in one message: a bounded number of them runs at a time, and no
 * more of them than one answer can hold. The sender asks for the others again.
 */
import { isShoalError, type ShoalError } from '@shoal/core';
import type { ShardBatchAnswer } from '@shoal/protocol';
import type { WireBody } from '@shoal/transport';

/** What one shard answered. */
export interface AnsweredShard {
  readonly body: WireBody;
  /** Lets go of what the shard keeps for the sender, who will not hear of this answer. */
  readonly discard: () => Promise<void>;
}

/** Bytes of the sections of one answer: a frame holds several times as much. */
export const ANSWER_BYTES_MAX: number = 16 * 1024 * 1024;
/** Sections of one answer: half of what a frame holds. */
const ANSWER_SECTIONS_MAX = 32_768;

export class NodeAnswer {
  readonly #answers: (AnsweredShard | ShoalError | null)[];
  readonly #keepsAll: boolean;
  #count = 0;
  #bytes = 0;
  #sections = 0;
  #isFull = false;

  /** @param keepsAll what has run is sent, also beyond the room: asked for again it would not be there */
  constructor(shardCount: number, keepsAll = false) {
    this.#answers = new Array<null>(shardCount).fill(null);
    this.#keepsAll = keepsAll;
  }

  /** No more answers have room. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Runs the shards, `concurrency` at a time, until all are done or the answer is full. `run`: null leaves a shard out. */
  async fill(
    concurrency: number,
    run: (position: number) => Promise<AnsweredShard | ShoalError | null>,
  ): Promise<void> {
    let next = 0;
    const runner = async (): Promise<void> => {
      while (next < this.#answers.length && !this.#isFull) {
        const position = next++;
        await this.take(position, await run(position));
      }
    };
    const runners = Math.min(concurrency, this.#answers.length);
    await Promise.all(Array.from({ length: runners }, runner));
  }

  /** One a shard, in order; null for those that are to be asked again. */
  get answers(): readonly ShardBatchAnswer[] {
    return this.#answers.map((answer) => (answer === null || isShoalError(answer) ? answer : answer.body));
  }

  async discard(): Promise<void> {
    for (const answer of this.#answers) if (answer !== null && !isShoalError(answer)) await answer.discard();
  }

  async take(position: number, answer: AnsweredShard | ShoalError | null): Promise<void> {
    if (answer !== null && !isShoalError(answer)) {
      const sections = answer.body.sections ?? [];
      const bytes = bytesOf(answer.body);
      const fits = this.#bytes + bytes <= ANSWER_BYTES_MAX && this.#sections + sections.length <= ANSWER_SECTIONS_MAX;
      this.#isFull ||= !fits;
      // The first is always sent: asked for again it would be no smaller.
      if (!fits && this.#count > 0 && !this.#keepsAll) return answer.discard();
      this.#count++;
      this.#bytes += bytes;
      this.#sections += sections.length;
    }
    this.#answers[position] = answer;
  }
}

/** Bytes of the sections, and of the byte strings in the message. */
function bytesOf({ message, sections = [] }: WireBody): number {
  const inMessage = typeof message === 'object' && message !== null ? Object.values(message) : [];
  return [...inMessage, ...sections].reduce<number>(
    (sum, part) => sum + (part instanceof Uint8Array ? part.byteLength : 0),
    0,
  );
}

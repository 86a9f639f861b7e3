/**
 * The query phase of several shards of this node, asked for in one message: a bounded number of them at a time, and no more of
 * them than one answer can hold. The sender asks for the others again.
 */
import { isShoalError, type ShoalError } from '@shoal/core';
import { joinShardAnswers } from '@shoal/protocol';
import type { WireBody } from '@shoal/transport';

/** What one shard answered. */
export interface AnsweredShard {
  readonly body: WireBody;
  /** Lets go of what the shard keeps for the sender, who will not hear of this answer. */
  readonly discard: () => Promise<void>;
}

/** Bytes of the sections of one answer: a frame holds several times as much. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** Sections of one answer: half of what a frame holds. */
const ANSWER_SECTIONS_MAX = 32_768;

export class NodeAnswer {
  readonly #answers: (AnsweredShard | ShoalError | null)[];
  #bytes = 0;
  #sections = 0;
  #isFull = false;

  constructor(shardCount: number) {
    this.#answers = new Array<null>(shardCount).fill(null);
  }

  /** Runs the shards, `concurrency` at a time, until all are done or the answer is full. */
  async fill(concurrency: number, run: (position: number) => Promise<AnsweredShard | ShoalError>): Promise<void> {
    let next = 0;
    const runner = async (): Promise<void> => {
      while (next < this.#answers.length && !this.#isFull) {
        const position = next++;
        await this.#take(position, await run(position));
      }
    };
    const runners = Math.min(concurrency, this.#answers.length);
    await Promise.all(Array.from({ length: runners }, runner));
  }

  body(): WireBody {
    return joinShardAnswers(
      this.#answers.map((answer) => (answer === null || isShoalError(answer) ? answer : answer.body)),
    );
  }

  async discard(): Promise<void> {
    for (const answer of this.#answers) if (answer !== null && !isShoalError(answer)) await answer.discard();
  }

  async #take(position: number, answer: AnsweredShard | ShoalError): Promise<void> {
    if (!isShoalError(answer)) {
      const sections = answer.body.sections ?? [];
      const bytes = sections.reduce((sum, section) => sum + section.byteLength, 0);
      const fits = this.#bytes + bytes <= ANSWER_BYTES_MAX && this.#sections + sections.length <= ANSWER_SECTIONS_MAX;
      this.#isFull ||= !fits;
      // The first is always sent: asked for again it would be no smaller.
      if (!fits && this.#sections > 0) return answer.discard();
      this.#bytes += bytes;
      this.#sections += sections.length;
    }
    this.#answers[position] = answer;
  }
}

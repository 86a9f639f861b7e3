/**
 * Messages to another thread, those of one turn of the loop as one: waking the other side costs more than most of them do.
 */
import type { Clock, Scheduler } from '@shoal/runtime';

/** Longest that a message is kept for others of its turn. */
const HELD_MS = 1;

export class MessageBatch<Message> {
  readonly #clock: Clock;
  readonly #sched: Scheduler;
  readonly #post: (messages: readonly Message[], moved: readonly ArrayBuffer[]) => void;
  #messages: Message[] = [];
  #moved: ArrayBuffer[] = [];
  #sinceMs = 0;

  /** `post` is given the messages in the order in which they were added; what is thrown by it is its caller's. */
  constructor(
    { clock, sched }: { readonly clock: Clock; readonly sched: Scheduler },
    post: (messages: readonly Message[], moved: readonly ArrayBuffer[]) => void,
  ) {
    this.#clock = clock;
    this.#sched = sched;
    this.#post = post;
  }

  /** @param moved memory of the message that belongs to the other side from now on */
  add(message: Message, moved: readonly ArrayBuffer[] = []): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#messages.length === 0) {
      this.#sinceMs = nowMs;
      this.#sched.soon(() => this.#flush());
    }
    this.#messages.push(message);
    this.#moved.push(...moved);
    if (nowMs - this.#sinceMs >= HELD_MS) this.#flush();
  }

  #flush(): void {
    if (this.#messages.length === 0) return;
    const messages = this.#messages;
    const moved = this.#moved;
    this.#messages = [];
    this.#moved = [];
    this.#post(messages, moved);
  }
}

/**
 * The queue in memory: a hand-over with little room, so that a slow output slows the inputs within milliseconds.
 *
 * Events are serialised when a batch is taken, many in one piece, not when they come in. Lines are cut into pieces of a
 * batch's size as there is room for them.
 */

import { type LineBlock, LineCutter, type LogEvent, writeEvents } from '@shoal/agent-event';
import { closedError, type EventChunk, type EventQueue, type QueuedBatch, type QueueSizes } from './event-queue.ts';

/** What one push brings: gives out its next events, `countMax` at most, until there are none. */
interface Source {
  next(countMax: number): Piece | null;
  readonly isAtEnd: boolean;
}

/** Events as they came, or lines that are a chunk already. */
type Piece = { readonly events: readonly LogEvent[]; readonly count: number } | EventChunk;

interface WaitingPush {
  readonly source: Source;
  takenCount: number;
  readonly resolve: (count: number) => void;
  readonly reject: (error: Error) => void;
}

export interface MemoryQueueOptions {
  /** Events that it holds; more wait at the inputs. */
  readonly capacity: number;
  /** Events of one batch. */
  readonly batchSize: number;
  /** Events that a queue before this one had: they come first, whatever the capacity. */
  readonly leftovers?: readonly EventChunk[];
}

export class MemoryQueue implements EventQueue {
  readonly carriedOverCount: number;
  readonly #options: MemoryQueueOptions;
  #pieces: Piece[];
  #unreadCount: number;
  #waiting: WaitingPush[] = [];
  #nextId = 0;
  #acceptedCount = 0;
  #isClosed = false;
  #isLifted = false;
  #readable: () => void = () => {};

  constructor(options: MemoryQueueOptions) {
    this.#options = options;
    this.#pieces = [...(options.leftovers ?? [])];
    this.carriedOverCount = this.#pieces.reduce((sum, { count }) => sum + count, 0);
    this.#unreadCount = this.carriedOverCount;
  }

  async push(events: readonly LogEvent[]): Promise<void> {
    await this.#push(new EventSource(events));
  }

  pushLines(block: LineBlock): Promise<number> {
    return this.#push(new LineCutter(block));
  }

  #push(source: Source): Promise<number> {
    if (this.#isClosed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ source, takenCount: 0, resolve, reject });
      this.#admit();
    });
  }

  /** Takes what waits for room, and whatever is pushed from now on: for events that go on elsewhere, not to the workers. */
  lift(): void {
    this.#isLifted = true;
    this.#admit();
  }

  /** Everything that is in no batch. */
  takeAll(): readonly EventChunk[] {
    const chunks: EventChunk[] = [];
    for (let batch = this.#take(this.#options.batchSize); batch !== null; batch = this.#take(this.#options.batchSize))
      chunks.push(...batch.chunks);
    return chunks;
  }

  async take(countMax: number): Promise<QueuedBatch | null> {
    return this.#take(countMax);
  }

  #take(countMax: number): QueuedBatch | null {
    const chunks: EventChunk[] = [];
    let events: readonly LogEvent[] = [];
    let count = 0;
    const endEvents = (): void => {
      if (events.length > 0) chunks.push({ bytes: writeEvents(events), count: events.length });
      events = [];
    };
    let at = 0;
    for (let piece = this.#pieces[at]; piece !== undefined && count < countMax; piece = this.#pieces[++at]) {
      const room = countMax - count;
      if ('events' in piece) {
        const part = piece.events.slice(0, room);
        events = events.length === 0 ? part : events.concat(part);
        count += part.length;
        if (part.length === piece.count) continue;
        this.#pieces[at] = { events: piece.events.slice(room), count: piece.count - room };
        break;
      }
      // Lines are cut once: a batch rather goes without its last ones.
      if (count > 0 && piece.count > room) break;
      endEvents();
      chunks.push(piece);
      count += piece.count;
    }
    endEvents();
    if (count === 0) return null;
    this.#pieces.splice(0, at);
    this.#unreadCount -= count;
    this.#admit();
    return { id: this.#nextId++, count, chunks };
  }

  acknowledge(): void {
    // Nothing is kept of a batch: the memory of a process does not outlive it.
  }

  onReadable(handler: () => void): void {
    this.#readable = handler;
  }

  onFailed(): void {
    // Memory does not fail but with the process.
  }

  sizes(): QueueSizes {
    const [unreadCount, acceptedCount] = [this.#unreadCount, this.#acceptedCount];
    const never = { lostCount: 0, lostUnreadCount: 0, trouble: null };
    return { type: 'memory', unreadCount, acceptedCount, bytes: 0, bytesMax: 0, ...never };
  }

  refusePushes(): void {
    this.#isClosed = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const push of waiting) push.reject(closedError());
  }

  async close(): Promise<void> {
    this.refusePushes();
  }

  /** First come, first served: a push that was cut in the middle stays at the front. */
  #admit(): void {
    let hasNew = false;
    for (let push = this.#waiting[0]; push !== undefined; push = this.#waiting[0]) {
      const { capacity, batchSize } = this.#options;
      const room = this.#isLifted ? batchSize : Math.min(capacity - this.#unreadCount, batchSize);
      const piece = room <= 0 && !push.source.isAtEnd ? undefined : push.source.next(room);
      if (piece === undefined) break;
      if (piece !== null) {
        this.#pieces.push(piece);
        this.#unreadCount += piece.count;
        this.#acceptedCount += piece.count;
        push.takenCount += piece.count;
        hasNew = true;
      }
      if (!push.source.isAtEnd) continue;
      this.#waiting.shift();
      push.resolve(push.takenCount);
    }
    if (hasNew) this.#readable();
  }
}

class EventSource implements Source {
  private readonly events: readonly LogEvent[];
  private at = 0;

  constructor(events: readonly LogEvent[]) {
    this.events = events;
  }

  get isAtEnd(): boolean {
    return this.at >= this.events.length;
  }

  next(countMax: number): Piece | null {
    const events = this.events.slice(this.at, this.at + countMax);
    this.at += events.length;
    return events.length === 0 ? null : { events, count: events.length };
  }
}

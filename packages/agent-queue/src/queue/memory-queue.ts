/**
 * The queue in memory: a hand-over with little room, in events and in bytes, so that a slow output slows the inputs within
 * milliseconds.
 *
 * Events are serialised when a batch is taken, many in one piece, not when they come in. Lines are cut into pieces of a
 * batch's size as there is room for them.
 */

import { type LineBlock, LineCutter, type LogEvent, writeEvents } from '@shoal/agent-event';
import { assert } from '@shoal/core';
import { recutChunks } from './cut-chunks.ts';
import { closedError, type EventChunk, type EventQueue, type QueuedBatch, type QueueSizes } from './event-queue.ts';
import { eventSize } from './event-size.ts';

/** What one push brings: gives out its next events until there are none. */
interface Source {
  /** At most `countMax` events, as many as fit `sizeMax`, but one in any case with `takesOne`. null when there are none. */
  next(countMax: number, sizeMax: number, takesOne: boolean): Piece | null;
  readonly isAtEnd: boolean;
}

/** Events as they came, or lines that are a chunk already. `size` is the memory that it takes. */
type Piece = EventPiece | (EventChunk & { readonly size: number });

interface EventPiece {
  readonly events: readonly LogEvent[];
  readonly count: number;
  readonly size: number;
}

interface WaitingPush {
  readonly source: Source;
  takenCount: number;
  readonly resolve: (count: number) => void;
  readonly reject: (error: Error) => void;
}

export interface MemoryQueueOptions {
  /** Events that it holds; more wait at the inputs. */
  readonly capacity: number;
  /** Memory that events take here and with the workers; more wait at the inputs. One event is always taken. */
  readonly bytesMax: number;
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
  /** Memory of events that are in no batch, and of batches that are not acknowledged. */
  #size = 0;
  readonly #batchSizes = new Map<number, number>();
  #waiting: WaitingPush[] = [];
  #nextId = 0;
  #acceptedCount = 0;
  #isClosed = false;
  #isLifted = false;
  #readable: () => void = () => {};

  constructor(options: MemoryQueueOptions) {
    this.#options = options;
    this.#pieces = (options.leftovers ?? []).map((chunk) => ({ ...chunk, size: chunk.bytes.byteLength }));
    for (const { size } of this.#pieces) this.#size += size;
    this.carriedOverCount = this.#pieces.reduce((sum, { count }) => sum + count, 0);
    this.#unreadCount = this.carriedOverCount;
  }

  async push(events: readonly LogEvent[]): Promise<void> {
    await this.#push(new EventSource(events));
  }

  pushLines(block: LineBlock): Promise<number> {
    return this.#push(new LineSource(block));
  }

  async pushChunks(chunks: readonly EventChunk[]): Promise<void> {
    const { capacity, batchSize } = this.#options;
    await this.#push(new ChunkSource(recutChunks(chunks, Math.min(capacity, batchSize))));
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
    let size = 0;
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
        size += piece.size;
        if (part.length === piece.count) continue;
        const rest = pieceOf(piece.events.slice(room));
        size -= rest.size;
        this.#pieces[at] = rest;
        break;
      }
      // Lines are cut once: a batch rather goes without its last ones.
      if (count > 0 && piece.count > room) break;
      endEvents();
      chunks.push({ bytes: piece.bytes, count: piece.count });
      count += piece.count;
      size += piece.size;
    }
    endEvents();
    if (count === 0) return null;
    this.#pieces.splice(0, at);
    this.#unreadCount -= count;
    const id = this.#nextId++;
    this.#batchSizes.set(id, size);
    this.#admit();
    return { id, count, chunks };
  }

  /** Nothing is kept of a batch: the memory of a process does not outlive it. */
  acknowledge({ id }: QueuedBatch): void {
    const size = this.#batchSizes.get(id);
    assert(size !== undefined, `batch ${id} is acknowledged twice or was never taken`);
    this.#batchSizes.delete(id);
    this.#size -= size;
    this.#admit();
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
    return {
      type: 'memory',
      unreadCount,
      acceptedCount,
      bytes: this.#size,
      bytesMax: this.#options.bytesMax,
      ...never,
    };
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

  /** null when nothing more is taken for now. */
  #room(): { readonly count: number; readonly size: number } | null {
    const { capacity, batchSize, bytesMax } = this.#options;
    if (this.#isLifted) return { count: batchSize, size: Number.POSITIVE_INFINITY };
    const count = Math.min(capacity - this.#unreadCount, batchSize);
    const size = bytesMax - this.#size;
    return count > 0 && (size > 0 || this.#size === 0) ? { count, size } : null;
  }

  /** First come, first served: a push that was cut in the middle stays at the front. */
  #admit(): void {
    let hasNew = false;
    for (let push = this.#waiting[0]; push !== undefined; push = this.#waiting[0]) {
      const room = this.#room();
      if (room === null && !push.source.isAtEnd) break;
      const piece = room === null ? null : push.source.next(room.count, room.size, this.#size === 0);
      if (piece === null && !push.source.isAtEnd) break;
      if (piece !== null) {
        this.#pieces.push(piece);
        this.#size += piece.size;
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

  next(countMax: number, sizeMax: number, takesOne: boolean): Piece | null {
    const end = Math.min(this.events.length, this.at + countMax);
    let size = 0;
    let to = this.at;
    for (; to < end; to++) {
      const event = this.events[to];
      const more = event === undefined ? 0 : eventSize(event);
      if (size + more > sizeMax && !(takesOne && to === this.at)) break;
      size += more;
    }
    const events = this.events.slice(this.at, to);
    this.at = to;
    return events.length === 0 ? null : { events, count: events.length, size };
  }
}

/** Cut by their number alone: an input reads blocks of lines that are small enough. */
class LineSource implements Source {
  private readonly cutter: LineCutter;

  constructor(block: LineBlock) {
    this.cutter = new LineCutter(block);
  }

  get isAtEnd(): boolean {
    return this.cutter.isAtEnd;
  }

  next(countMax: number): Piece | null {
    const chunk = this.cutter.next(countMax);
    return chunk === null ? null : { ...chunk, size: chunk.bytes.byteLength };
  }
}

/**
 * Chunks as they are, each when there is room for one event: cut to what is left, a chunk would be read and written again, and one that waited
 * for room for all of it would leave a batch that is not full waiting for more.
 */
class ChunkSource implements Source {
  private readonly chunks: readonly EventChunk[];
  private at = 0;

  constructor(chunks: readonly EventChunk[]) {
    this.chunks = chunks;
  }

  get isAtEnd(): boolean {
    return this.at >= this.chunks.length;
  }

  next(_countMax: number, sizeMax: number, takesOne: boolean): Piece | null {
    const chunk = this.chunks[this.at];
    if (chunk === undefined) return null;
    const size = chunk.bytes.byteLength;
    if (size > sizeMax && !takesOne) return null;
    this.at++;
    return { ...chunk, size };
  }
}

function pieceOf(events: readonly LogEvent[]): EventPiece {
  return { events, count: events.length, size: events.reduce((sum, event) => sum + eventSize(event), 0) };
}

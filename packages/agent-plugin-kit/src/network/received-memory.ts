/**
 * Memory of what network inputs have received and the queue does not have yet, over all connections of a process: the limit of
 * one message says nothing about a thousand senders of it at once. Who has no room waits, which holds its sender back.
 *
 * There are two sorts. What is on its way into the queue leaves by itself. What is not whole waits for its sender, so that
 * memory full of nothing but halves would stay full: then one connection at a time goes on above the limit, until what it
 * sends is whole, or nothing came from it for a while.
 */
import type { Cancel, Machine, Scheduler } from '@shoal/runtime';

const MEBIBYTE = 1024 * 1024;
/** Events take a few times the memory of the bytes that they came in. */
const SHARE_OF_MACHINE = 1 / 32;
const BYTES_MIN = 16 * MEBIBYTE;
const BYTES_MAX = 256 * MEBIBYTE;
/** Silence after which another connection is preferred. */
const SILENT_MS = 5_000;

const MEMORIES = new WeakMap<Machine, ReceivedMemory>();

/** The memory that all inputs of a process share. */
export function receivedMemory({
  machine,
  sched,
}: {
  readonly machine: Machine;
  readonly sched: Scheduler;
}): ReceivedMemory {
  const known = MEMORIES.get(machine);
  if (known !== undefined) return known;
  const share = machine.totalMemoryBytes * SHARE_OF_MACHINE;
  const made = new ReceivedMemory(Math.min(BYTES_MAX, Math.max(BYTES_MIN, share)), sched);
  MEMORIES.set(machine, made);
  return made;
}

export class ReceivedMemory {
  readonly bytesMax: number;
  private readonly sched: Scheduler;
  /** Bytes on their way into the queue. */
  private leaving = 0;
  /** Bytes of what is not whole. */
  private partial = 0;
  /** The one asked longest ago comes first. */
  private readonly waiting = new Set<ReceivedShare>();
  private preferred: ReceivedShare | null = null;
  private silence: Cancel | null = null;
  private isWaking = false;

  constructor(bytesMax: number, sched: Scheduler) {
    this.bytesMax = bytesMax;
    this.sched = sched;
  }

  get bytes(): number {
    return this.leaving + this.partial;
  }

  /** Part of one connection. `onRoom` is called once after each refusal, when it should ask again. */
  share(onRoom: () => void): ReceivedShare {
    return new ReceivedShare(this, onRoom);
  }

  mayTake(share: ReceivedShare): boolean {
    const isAbove = this.bytes >= this.bytesMax;
    if (isAbove && (this.leaving > 0 || (this.preferred !== null && this.preferred !== share))) {
      this.waiting.add(share);
      return false;
    }
    if (isAbove) this.prefer(share);
    return true;
  }

  partialChanged(share: ReceivedShare, by: number): void {
    this.partial += by;
    if (this.preferred === share && share.partialBytes === 0) this.preferNobody();
    if (by < 0) this.wake();
  }

  leavingChanged(by: number): void {
    this.leaving += by;
    if (by < 0) this.wake();
  }

  forget(share: ReceivedShare): void {
    this.waiting.delete(share);
    if (this.preferred === share) this.preferNobody();
    this.wake();
  }

  private prefer(share: ReceivedShare): void {
    this.silence?.();
    this.preferred = share;
    this.silence = this.sched.after(SILENT_MS, () => {
      this.preferNobody();
      this.wake();
    });
  }

  private preferNobody(): void {
    this.silence?.();
    this.silence = null;
    this.preferred = null;
  }

  /** One that asks again in vain stands at the end, and there is no room by then: the loop ends. */
  private wake(): void {
    if (this.isWaking) return;
    this.isWaking = true;
    for (const share of this.waiting) {
      const hasRoom = this.bytes < this.bytesMax || (this.leaving === 0 && this.preferred === null);
      if (!hasRoom) break;
      this.waiting.delete(share);
      share.onRoom();
    }
    this.isWaking = false;
  }
}

export class ReceivedShare {
  readonly onRoom: () => void;
  /** Bytes of what is not whole. */
  partialBytes = 0;
  private readonly memory: ReceivedMemory;

  constructor(memory: ReceivedMemory, onRoom: () => void) {
    this.memory = memory;
    this.onRoom = onRoom;
  }

  /** Whether more may be taken now; when not, `onRoom` is called when it is worth to ask again. */
  mayTake(): boolean {
    return this.memory.mayTake(this);
  }

  /** Says how much is held that only the sender can complete. */
  holds(bytes: number): void {
    const by = bytes - this.partialBytes;
    this.partialBytes = bytes;
    if (by !== 0) this.memory.partialChanged(this, by);
  }

  /** Holds what goes into the queue until the promise settles. */
  leaves(bytes: number, done: Promise<unknown>): void {
    if (bytes === 0) return;
    this.memory.leavingChanged(bytes);
    const left = (): void => this.memory.leavingChanged(-bytes);
    done.then(left, left);
  }

  /** The connection is closed. */
  end(): void {
    this.holds(0);
    this.memory.forget(this);
  }
}

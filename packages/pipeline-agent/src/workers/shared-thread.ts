/**
 * The main thread's side of a thread in which workers of several pipelines sit.
 *
 * A worker that is inside one long call blocks its neighbours: the thread takes no message for a while although there are
 * some. Neighbours are told then, and those that can go on in another thread do. A thread whose work must be ended ends for
 * all in it: a running call cannot be ended otherwise.
 */
import type { Cancel, HeapSample, Runtime, WorkerHandle } from '@shoal/runtime';
import type { FromInputs, ToInputs } from '../messages/input-messages.ts';
import { SeatCells } from '../messages/seat-cells.ts';
import type { FromThread, ToThread } from '../messages/thread-messages.ts';
import type { ThreadShare } from '../messages/thread-share.ts';
import type { FromWorker, ToWorker } from '../messages/worker-messages.ts';
import { start } from './pipeline-thread.ts';
import { THREAD_PROGRAM } from './thread-program.ts';

/** A thread that has taken none of its messages for so long is blocked. */
const SILENT_MS = 500;
/** Time for neighbours to finish what they are in, before a thread is ended over a worker that does not end. */
const DOOMED_MS = 1_000;
/** Time in which a worker closes what it has open; beyond it nobody waits. */
const CLOSE_MS = 2_000;

/** Whether a thread may have ended over the work of one worker in it: over that of nobody else, or of others as well. */
export type Suspicion = 'none' | 'shared' | 'sole';

/** What a thread asks of who sits in it. */
export interface Occupant {
  receive(message: FromWorker): void;
  /** The thread is blocked, or about to be ended: whoever can leave, leaves. `isLast`: who stays loses its thread. */
  leave(isLast: boolean): void;
  exited(reason: string, suspicion: Suspicion): void;
}

/** What a thread asks of the inputs that have it for themselves. */
export interface InputsOccupant {
  receive(message: FromInputs): void;
  exited(reason: string): void;
}

/** Place of one worker in a thread. */
export interface Seat {
  readonly number: number;
  readonly thread: SharedThread;
  readonly cells: SeatCells;
  readonly occupant: Occupant;
}

export class SharedThread {
  readonly name: string;
  /** Kernel's id of the thread; null where it has none, or has not told yet. */
  threadId: number | null = null;
  /** Heap as it was told last; null where the runtime has no such figures. */
  heap: HeapSample | null = null;
  readonly #runtime: Runtime;
  readonly #handle: WorkerHandle;
  readonly #onEnded: () => void;
  readonly #seats = new Map<number, Seat>();
  /** null where workers sit. */
  #inputs: InputsOccupant | null = null;
  readonly #closing = new Map<number, () => void>();
  readonly #profiles = new Map<number, (share: ThreadShare | null) => void>();
  readonly #received = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #postedCount = 0;
  #nextNumber = 0;
  #watch: Cancel | null = null;
  /** Messages taken when the thread was found blocked; null when it was not since. */
  #blockedAtCount: number | null = null;
  #isEnded = false;
  #doom: Promise<void> | null = null;
  #wakeDoom: () => void = () => {};

  constructor(runtime: Runtime, name: string, onEnded: () => void) {
    this.name = name;
    this.#runtime = runtime;
    this.#onEnded = onEnded;
    this.#handle = runtime.workers.spawn({ module: THREAD_PROGRAM, start }, name);
    // Posted by pipeline-thread.ts of the same program: typed there.
    this.#handle.onMessage((message) => this.#receive(message as FromThread));
    this.#handle.onExit((reason) => this.#exit(reason));
    this.#send({ kind: 'attach', received: this.#received.buffer as SharedArrayBuffer }); // Made as one above.
  }

  get seatCount(): number {
    return this.#seats.size;
  }

  /** Whether another worker may come. */
  get isOpen(): boolean {
    return !this.#isEnded && this.#doom === null && !this.isBlocked;
  }

  get isBlocked(): boolean {
    return this.#blockedAtCount !== null && this.#blockedAtCount === this.#takenCount();
  }

  seat(occupant: Occupant): Seat {
    const seat = { number: this.#nextNumber++, thread: this, cells: new SeatCells(), occupant };
    this.#seats.set(seat.number, seat);
    this.#send({ kind: 'open', seat: seat.number, cells: seat.cells.shared });
    return seat;
  }

  post(seat: Seat, message: ToWorker): void {
    this.#send({ kind: 'worker', seat: seat.number, message });
  }

  /** Inputs of a pipeline come, to a thread in which nobody else sits. */
  openInputs(occupant: InputsOccupant): void {
    this.#inputs = occupant;
    this.#send({ kind: 'openInputs' });
  }

  postInputs(message: ToInputs): void {
    if (!this.#isEnded) this.#send({ kind: 'inputs', message });
  }

  /** Ends the thread with the inputs in it, which are not told. */
  async endInputs(): Promise<void> {
    this.#inputs = null;
    await this.#end();
  }

  /** Resolves when nothing of the worker is left: what it opened is closed, or the thread has ended. */
  async vacate(seat: Seat): Promise<void> {
    if (!this.#seats.delete(seat.number) || this.#isEnded) return;
    if (this.#isEmpty) return this.#end();
    // It is in a message that may never end, with what it has open: only with the thread can it be ended.
    if (!seat.cells.revoke()) return this.#endFor(seat);
    await this.#closed(seat);
  }

  /** null when the thread cannot tell, or ends meanwhile. It does not answer while it is inside one long call. */
  profile(durationMs: number): Promise<ThreadShare | null> {
    if (this.#isEnded) return Promise.resolve(null);
    return new Promise((resolve) => {
      const call = this.#nextNumber++;
      this.#profiles.set(call, resolve);
      this.#send({ kind: 'profile', call, durationMs });
    });
  }

  /** Nobody is in it, and nobody who left has anything open. */
  get #isEmpty(): boolean {
    return this.#seats.size === 0 && this.#closing.size === 0;
  }

  async #closed(seat: Seat): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#runtime.sched.after(CLOSE_MS, resolve);
      this.#closing.set(seat.number, () => {
        cancel();
        resolve();
      });
      this.#send({ kind: 'close', seat: seat.number });
    });
    this.#closing.delete(seat.number);
    this.#wakeDoom();
    if (this.#isEmpty) await this.#end();
  }

  /** Neighbours leave first if they can. Those that cannot find the thread ended. */
  #endFor(seat: Seat): Promise<void> {
    this.#doom ??= new Promise<void>((resolve) => {
      const cancel = this.#runtime.sched.after(DOOMED_MS, resolve);
      this.#wakeDoom = () => {
        if (!this.#isEmpty) return;
        cancel();
        resolve();
      };
      this.#runtime.log.warn('a thread ends over a worker that does not: pipelines in it go on in another', {
        thread: this.name,
        neighbours: this.#seats.size,
        plugin: seat.cells.currentPlugin,
      });
      for (const neighbour of [...this.#seats.values()]) neighbour.occupant.leave(true);
    }).then(() => this.#end());
    return this.#doom;
  }

  async #end(): Promise<void> {
    if (this.#isEnded) return;
    const left = this.#ended();
    await this.#handle.terminate();
    for (const { occupant } of left) occupant.exited('its thread was ended over a neighbour that did not end', 'none');
  }

  #exit(reason: string): void {
    if (this.#isEnded) return;
    const left = this.#ended();
    this.#inputs?.exited(reason);
    const busy = left.filter(({ cells }) => cells.isBusy);
    // Between messages only timers and sockets run, and nobody knows whose.
    const suspects = busy.length > 0 ? busy : left;
    const suspicion = suspects.length === 1 ? 'sole' : 'shared';
    for (const seat of left) seat.occupant.exited(reason, suspects.includes(seat) ? suspicion : 'none');
  }

  /** Answers who is still in it. */
  #ended(): readonly Seat[] {
    this.#isEnded = true;
    this.#watch?.();
    for (const resolve of this.#profiles.values()) resolve(null);
    this.#profiles.clear();
    for (const resolve of this.#closing.values()) resolve();
    this.#closing.clear();
    const left = [...this.#seats.values()];
    this.#seats.clear();
    this.#onEnded();
    return left;
  }

  #receive(message: FromThread): void {
    switch (message.kind) {
      case 'worker':
        this.#seats.get(message.seat)?.occupant.receive(message.message);
        break;
      case 'inputs':
        this.#inputs?.receive(message.message);
        break;
      case 'closed':
        this.#closing.get(message.seat)?.();
        break;
      default:
        this.#profiles.get(message.call)?.(message.share);
        this.#profiles.delete(message.call);
    }
  }

  #send(message: ToThread): void {
    this.#postedCount = (this.#postedCount + 1) | 0;
    this.#handle.post(message);
    this.#watchOver();
  }

  #takenCount(): number {
    return Atomics.load(this.#received, 0);
  }

  /** One timer at a time, and none over a thread that has taken what it was sent, or has not come up yet. */
  #watchOver(): void {
    if (this.#watch !== null || this.#isEnded || this.#seats.size < 2) return;
    const before = this.#takenCount();
    this.#watch = this.#runtime.sched.after(SILENT_MS, () => {
      // Behind what has come meanwhile: it may be this thread that was busy.
      this.#runtime.sched.soon(() => {
        this.#watch = null;
        const now = this.#takenCount();
        if (this.#isEnded || now === this.#postedCount) return;
        if (now === before && now !== 0) this.#blocked(now);
        this.#watchOver();
      });
    });
  }

  #blocked(takenCount: number): void {
    this.#blockedAtCount = takenCount;
    for (const { occupant } of [...this.#seats.values()]) occupant.leave(false);
  }
}

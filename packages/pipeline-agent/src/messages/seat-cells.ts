/**
 * Memory that a worker shares with the main thread: which plugin runs, and who has the work that was sent.
 *
 * A worker takes its seat before each message and frees it behind it. The main thread may revoke a free seat: from then on
 * the worker begins nothing more, and what was sent and not begun can go to another worker without being done twice. That
 * holds when a neighbour in the same thread blocks it, since nobody has to answer.
 */

const PLUGIN = 0;
const STATE = 1;
const FINISHED = 2;
const CELL_COUNT = 3;

const FREE = 0;
const BUSY = 1;
const REVOKED = 2;

export class SeatCells {
  readonly shared: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(CELL_COUNT * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#cells = new Int32Array(shared);
  }

  /** Index of the plugin that runs; -1 for none. */
  get currentPlugin(): number {
    return Atomics.load(this.#cells, PLUGIN) - 1;
  }

  enter(plugin: number): void {
    Atomics.store(this.#cells, PLUGIN, plugin + 1);
  }

  /** For the worker, before a message. false when the seat was revoked: the message is for somebody else. */
  begin(): boolean {
    return Atomics.compareExchange(this.#cells, STATE, FREE, BUSY) === FREE;
  }

  /** For the worker, behind a message that it began, before it sends the result. */
  finish(): void {
    Atomics.add(this.#cells, FINISHED, 1);
    Atomics.compareExchange(this.#cells, STATE, BUSY, FREE);
  }

  /** Messages that were begun and are finished; it wraps around. */
  get finishedCount(): number {
    return Atomics.load(this.#cells, FINISHED);
  }

  get isBusy(): boolean {
    return Atomics.load(this.#cells, STATE) === BUSY;
  }

  /** For the main thread. false while the worker is in a message. */
  revoke(): boolean {
    return Atomics.compareExchange(this.#cells, STATE, FREE, REVOKED) !== BUSY;
  }
}

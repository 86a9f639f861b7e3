/**
 * The program of a thread of pipelines: hands messages to the workers that sit in it.
 */
import type { HeapSample, Runtime, WorkerPort } from '@shoal/runtime';
import type { InputWorker } from '../inputs/input-worker.ts';
import { SeatCells } from '../messages/seat-cells.ts';
import { type FromThread, PLUGINS_OF_SEAT, type ToThread } from '../messages/thread-messages.ts';
import { type ThreadShare, threadShare } from '../messages/thread-share.ts';
import { PipelineWorker, type ThreadServices } from './pipeline-worker.ts';
import { PluginTimeline } from './plugin-timeline.ts';

export function start(port: WorkerPort, runtime: Runtime): void {
  const thread = new PipelineThread(port, runtime);
  // Posted by shared-thread.ts of the same program: typed there.
  port.onMessage((message) => thread.receive(message as ToThread));
}

const SAMPLE_INTERVAL_MS = 1;
/** The size of the heap is told with a report, but no more often. */
const HEAP_INTERVAL_MS = 1_000;

class PipelineThread implements ThreadServices {
  readonly threadId: number | null;
  readonly timeline: PluginTimeline = new PluginTimeline();
  readonly #port: WorkerPort;
  readonly #runtime: Runtime;
  readonly #workers = new Map<number, PipelineWorker>();
  /** null where workers sit. */
  #inputs: Promise<InputWorker> | null = null;
  #received: Int32Array = new Int32Array(1);
  #heapToldMs = Number.NEGATIVE_INFINITY;

  constructor(port: WorkerPort, runtime: Runtime) {
    this.#port = port;
    this.#runtime = runtime;
    this.threadId = runtime.machine.threads?.().ownId ?? null;
  }

  receive(message: ToThread): void {
    if (message.kind === 'attach') this.#received = new Int32Array(message.received);
    // Counted on arrival: a thread in which this stands still is inside one long call.
    Atomics.add(this.#received, 0, 1);
    switch (message.kind) {
      case 'worker':
        this.#workers.get(message.seat)?.receive(message.message);
        break;
      case 'open':
        this.#open(message.seat, new SeatCells(message.cells));
        break;
      case 'openInputs':
        this.#inputs = this.#loadInputs();
        break;
      case 'inputs':
        // One that could not be loaded has ended the thread.
        void this.#inputs?.then((inputs) => inputs.receive(message.message));
        break;
      case 'close':
        this.#close(message.seat);
        break;
      case 'profile':
        this.#profile(message.durationMs)
          .catch(() => null) // The asker then has only what others see of this thread.
          .then((share) => this.#post({ kind: 'profiled', call: message.call, share }))
          .catch((error: unknown) => this.#runtime.log.error('profile not told', { error: String(error) }));
        break;
      default:
    }
  }

  heapNow(nowMs: number): HeapSample | null {
    if (nowMs - this.#heapToldMs < HEAP_INTERVAL_MS) return null;
    this.#heapToldMs = nowMs;
    return this.#runtime.machine.heap?.() ?? null;
  }

  #open(seat: number, cells: SeatCells): void {
    const post = (message: Extract<FromThread, { kind: 'worker' }>['message']): void =>
      this.#post({ kind: 'worker', seat, message });
    const firstPlugin = seat * PLUGINS_OF_SEAT;
    this.#workers.set(seat, new PipelineWorker({ post, runtime: this.#runtime, cells, thread: this, firstPlugin }));
  }

  /** The code of inputs is taken in where they run, and by no thread of workers. */
  async #loadInputs(): Promise<InputWorker> {
    const { InputWorker } = await import('../inputs/input-worker.ts');
    return new InputWorker({
      post: (message) => this.#post({ kind: 'inputs', message }),
      runtime: this.#runtime,
      threadId: this.threadId,
      heapNow: () => this.heapNow(this.#runtime.clock.monotonicMs()),
    });
  }

  #close(seat: number): void {
    const worker = this.#workers.get(seat);
    this.#workers.delete(seat);
    Promise.resolve(worker?.close())
      .catch((error: unknown) => {
        // Whoever closes it waits for it no longer than this.
        this.#runtime.log.warn('a worker did not close cleanly', { error: String(error) });
      })
      .then(() => this.#post({ kind: 'closed', seat }))
      .catch((error: unknown) => this.#runtime.log.error('close not told', { error: String(error) }));
  }

  async #profile(durationMs: number): Promise<ThreadShare | null> {
    const { machine, clock } = this.#runtime;
    if (machine.profile === undefined || this.timeline.isOpen) return null;
    this.timeline.open(clock.monotonicMs(), this.#runningPlugin());
    try {
      const profile = await machine.profile({ durationMs, sampleIntervalMs: SAMPLE_INTERVAL_MS });
      const pluginAt = this.timeline.close();
      return threadShare(profile, ({ atMs }) => pluginAt(atMs));
    } finally {
      this.timeline.close();
    }
  }

  #runningPlugin(): number {
    for (const worker of this.#workers.values()) if (worker.runningPlugin >= 0) return worker.runningPlugin;
    return -1;
  }

  #post(message: FromThread): void {
    this.#port.post(message);
  }
}

/**
 * Pipelines whose inputs keep the thread busy that all inputs share with the API: they get a thread of their own with their next start.
 *
 * Running inputs stay where they are. Nothing that is open could be moved without harm: bytes in a socket, a datagram, and a file that was deleted
 * while it is read would be lost. A start opens all of it anyway. What was found is therefore kept in the data folder, over the end of the process.
 *
 * Inputs that were not busy for a week share a thread again, from the next start on.
 */
import { isObject } from '@shoal/core';
import type { Cancel, Runtime } from '@shoal/runtime';

const LOOK_INTERVAL_MS = 5_000;
/** Part of the time that inputs of one pipeline work. All of them together, and what else is done for them, then take most of a thread. */
const BUSY_SHARE = 0.25;
/** Looks in a row that find them busy: a backlog of a few seconds is no reason for a thread. */
const BUSY_LOOKS = 3;
const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 7 * DAY_MS;
/** Pipelines that are remembered: each costs a thread. Those that were busy last. */
const REMEMBERED_MAX = 16;

/** What is looked at of a pipeline. */
export interface WatchedPipeline {
  readonly source: { readonly id: string; readonly settings: { readonly inputThread: string } };
  readonly inputs: { readonly workMs: number; readonly thread: object | null };
}

interface Look {
  readonly atMs: number;
  readonly workMs: number;
  readonly busyLooks: number;
}

export class BusyInputs {
  readonly #runtime: Runtime;
  readonly #path: string;
  /** Time by the clock on the wall at which a pipeline was busy last, by its id. */
  #lastBusy = new Map<string, number>();
  /** Times as they are on disk. */
  #saved: ReadonlyMap<string, number> = new Map();
  #looks = new WeakMap<WatchedPipeline['inputs'], Look>();
  #timer: Cancel = () => {};
  #saving: Promise<void> = Promise.resolve();

  /** @param path of the file in the data folder */
  constructor(runtime: Runtime, path: string) {
    this.#runtime = runtime;
    this.#path = path;
  }

  /** Whether a pipeline that starts now has busy inputs. */
  has(id: string): boolean {
    const lastMs = this.#lastBusy.get(id);
    return lastMs !== undefined && this.#runtime.clock.wallMs() - lastMs < KEPT_MS;
  }

  /** Reads what an earlier process found. A file that cannot be read is as good as none: what counts is found again. */
  async load(): Promise<void> {
    const { disk, log } = this.#runtime;
    if (!(await disk.exists(this.#path))) return;
    try {
      const found: unknown = JSON.parse(new TextDecoder().decode(await disk.readFile(this.#path)));
      if (!isObject(found)) throw new Error('it holds no object');
      for (const [id, atMs] of Object.entries(found)) if (typeof atMs === 'number') this.#lastBusy.set(id, atMs);
      this.#saved = new Map(this.#lastBusy);
    } catch (error) {
      log.warn('what is known of busy inputs cannot be read', { path: this.#path, error: String(error) });
    }
  }

  /** Looks at the pipelines now and then. */
  watch(pipelines: () => readonly WatchedPipeline[]): void {
    this.#timer = this.#runtime.sched.after(LOOK_INTERVAL_MS, () => {
      for (const pipeline of pipelines()) this.#look(pipeline);
      this.#saveIfDue();
      this.watch(pipelines);
    });
  }

  /** Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#timer();
    await this.#saving;
  }

  #look({ source, inputs }: WatchedPipeline): void {
    if (source.settings.inputThread !== 'auto') return;
    const { clock, log } = this.#runtime;
    const [atMs, { workMs }] = [clock.monotonicMs(), inputs];
    const before = this.#looks.get(inputs);
    const share = before === undefined || atMs <= before.atMs ? 0 : (workMs - before.workMs) / (atMs - before.atMs);
    const busyLooks = share >= BUSY_SHARE ? (before?.busyLooks ?? 0) + 1 : 0;
    this.#looks.set(inputs, { atMs, workMs, busyLooks });
    if (busyLooks < BUSY_LOOKS) return;
    if (inputs.thread === null && !this.has(source.id))
      log.info(
        'inputs keep the thread busy that all inputs share: they get one of their own when their pipeline is started again',
        {
          pipeline: source.id,
          share: Math.round(share * 100) / 100,
        },
      );
    this.#remember(source.id);
  }

  #remember(id: string): void {
    this.#lastBusy.set(id, this.#runtime.clock.wallMs());
    if (this.#lastBusy.size <= REMEMBERED_MAX) return;
    const newest = [...this.#lastBusy].sort(([, one], [, other]) => other - one);
    this.#lastBusy = new Map(newest.slice(0, REMEMBERED_MAX));
  }

  /** A time on disk may be a day old: a busy pipeline is no reason to write every few seconds. */
  #saveIfDue(): void {
    const isDue = [...this.#lastBusy].some(([id, atMs]) => atMs - (this.#saved.get(id) ?? 0) > DAY_MS);
    if (!isDue) return;
    this.#saved = new Map(this.#lastBusy);
    this.#saving = this.#saving
      .then(() => this.#save())
      .catch((error: unknown) => {
        // Without the file only the next process does not know.
        this.#runtime.log.warn('busy inputs not kept', { path: this.#path, error: String(error) });
      });
  }

  async #save(): Promise<void> {
    const { disk } = this.#runtime;
    const temporary = `${this.#path}.tmp`;
    const file = await disk.open(temporary, 'create');
    await file.write(new TextEncoder().encode(`${JSON.stringify(Object.fromEntries(this.#saved))}\n`), 0);
    await file.sync();
    await file.close();
    await disk.rename(temporary, this.#path);
  }
}

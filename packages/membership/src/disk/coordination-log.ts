/**
 * The coordination log of a node: the highest term it entered and the last state it accepted, durable before it answers.
 *
 * `_state/coord-<generation>.log` only grows; a new generation with one full record takes over when it is large. Writes
 * come one at a time. A failed fsync is final: the process must stop, since nobody knows what the disk kept. A write that
 * found the disk full may be made again: nothing was promised yet, and it starts at the same offset.
 *
 * A mark beside the log says how much of it was durable, so that a last record that does not read is told from a torn one,
 * and a missing log from one that was never written.
 */
import { headerOf } from '@shoal/cluster';
import {
  baseOfDiff,
  type ClusterState,
  packStateInSteps,
  readClusterState,
  StateReplay,
  unpackState,
  writeClusterState,
  writeStateDiff,
} from '@shoal/cluster-state';
import type { DurableState } from '@shoal/consensus';
import { assert, ShoalError, type Steps, ValueReader } from '@shoal/core';
import {
  type Cancel,
  type Clock,
  type Disk,
  DurableMark,
  type File,
  finalSync,
  finalSyncDir,
  type Log,
  type LogMark,
  readLogMark,
  type Scheduler,
  TimeSlices,
} from '@shoal/runtime';
import {
  type CoordinationRecord,
  decodeLog,
  encodeFileHeader,
  encodeRecord,
  FILE_HEADER_BYTES,
} from './coordination-record.ts';

/** A log above this is rewritten as one record. */
const ROTATE_BYTES = 64 * 1024 * 1024;
/** A log of so many times the bytes of the record that it begins with is rewritten too: a start reads and applies all that follows it. */
const ROTATE_RATIO = 4;
/** A log below this is not worth rewriting. */
const ROTATE_BYTES_MIN = 512 * 1024;
const MARK_NAME = 'coord.mark';
/** Time after a save until the mark is synced too; saves meanwhile share it. */
const MARK_SYNC_AFTER_MS = 500;
const FILE_NAME = /^coord-(\d{1,15})\.log$/;

export interface OpenedLog {
  readonly log: CoordinationLog;
  /** State that was on disk, or `empty` as given. */
  readonly durable: DurableState<ClusterState>;
}

interface LogSettings {
  readonly rotateBytes: number;
  readonly sched: Scheduler;
  readonly clock: Clock;
}

export class CoordinationLog {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #rotateBytes: number;
  #generation: number;
  #file: File | null;
  #offset: number;
  /** Bytes of the file up to the end of its first record, which has a state whole. */
  #fullEnd: number;
  #last: DurableState<ClusterState>;
  #isWriting = false;
  /** Opened with the first save. */
  #mark: DurableMark | null = null;
  readonly #sched: Scheduler;
  readonly #turns: TimeSlices;
  #stopMarkTimer: Cancel | null = null;
  #markSyncing: Promise<void> | null = null;

  private constructor(
    disk: Disk,
    folder: string,
    start: {
      readonly generation: number;
      readonly file: File | null;
      readonly offset: number;
      readonly fullEnd: number;
      readonly durable: DurableState<ClusterState>;
    },
    { rotateBytes, sched, clock }: LogSettings,
  ) {
    this.#disk = disk;
    this.#folder = folder;
    this.#rotateBytes = rotateBytes;
    this.#sched = sched;
    this.#turns = new TimeSlices(sched, clock);
    this.#generation = start.generation;
    this.#file = start.file;
    this.#offset = start.offset;
    this.#fullEnd = start.fullEnd;
    this.#last = start.durable;
  }

  /**
   * Reads the newest generation in `folder`, which must exist. Throws `illegal_state_exception` when it is damaged: the
   * path and the offset are in the reason.
   */
  static async open(
    disk: Disk,
    folder: string,
    empty: DurableState<ClusterState>,
    options: { readonly log: Log; readonly sched: Scheduler; readonly clock: Clock; readonly rotateBytes?: number },
  ): Promise<OpenedLog> {
    const settings = { sched: options.sched, clock: options.clock, rotateBytes: options.rotateBytes ?? ROTATE_BYTES };
    const mark = await readLogMark(disk, `${folder}/${MARK_NAME}`);
    const names = await disk.list(folder);
    const generations = names
      .flatMap((name) => FILE_NAME.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => b - a);
    // Left behind by a crash while the next generation was written: never part of the log.
    for (const name of names) if (/^coord-\d+\.log\.tmp$/.test(name)) await disk.unlink(`${folder}/${name}`);
    const [newest, ...older] = generations;
    checkComplete(folder, newest ?? 0, mark);
    if (newest === undefined) {
      const start = { generation: 0, file: null, offset: 0, fullEnd: 0, durable: empty };
      return { log: new CoordinationLog(disk, folder, start, settings), durable: empty };
    }
    const path = `${folder}/coord-${newest}.log`;
    const bytes = await disk.readFile(path);
    const content = decodeLog(bytes);
    if (content.kind === 'foreign') throw unreadable(`[${path}]: ${content.reason}`);
    if (content.kind === 'damaged') {
      throw unreadable(
        `[${path}]: the record at offset [${content.offset}] is damaged and there is a good one behind it at [${content.nextGoodOffset}]; the node cannot know what it voted for. Restore the disk, or start with an empty data path`,
      );
    }
    if (mark?.generation === newest && content.endOffset < mark.sizeBytes) {
      throw unreadable(
        `[${path}]: the record at offset [${content.endOffset}] is damaged or missing, and [${mark.sizeBytes}] bytes had been made durable; the node cannot know what it voted for. Restore the disk, or start with an empty data path`,
      );
    }
    const durable = replay(content.records, path);
    const file = await disk.open(path, 'update');
    if (content.endOffset < bytes.length) {
      options.log.warn('dropped the torn end of the coordination log', {
        path,
        offset: content.endOffset,
        bytes: bytes.length - content.endOffset,
      });
      await file.truncate(content.endOffset);
      await file.sync();
    }
    for (const generation of older) await disk.unlink(`${folder}/coord-${generation}.log`);
    const fullEnd = FILE_HEADER_BYTES + (content.records[0]?.payload.length ?? 0);
    const start = { generation: newest, file, offset: content.endOffset, fullEnd, durable };
    return { log: new CoordinationLog(disk, folder, start, settings), durable };
  }

  /**
   * Resolves when everything in `durable` survives a crash. Rejects with `DiskError` kind `full` when there was no room: the
   * same may be saved again later. Any other failure is final.
   */
  async save(durable: DurableState<ClusterState>): Promise<void> {
    assert(!this.#isWriting, 'two saves of the coordination log at a time');
    assertSaveable(this.#last, durable);
    this.#isWriting = true;
    try {
      this.#mark ??= await DurableMark.open(this.#disk, `${this.#folder}/${MARK_NAME}`);
      await this.#write(durable);
      this.#last = durable;
      // Before anybody is answered: from then on a log that ends earlier is damaged.
      await this.#mark.noteLater({ generation: this.#generation, sizeBytes: this.#offset });
      this.#stopMarkTimer ??= this.#sched.after(MARK_SYNC_AFTER_MS, () => this.#syncMark());
    } finally {
      this.#isWriting = false;
    }
  }

  #syncMark(): void {
    this.#stopMarkTimer = null;
    this.#markSyncing = this.#mark?.sync() ?? null;
  }

  /** Writes `durable` in the place of all that was there, an older term or not: for a node that does not run. */
  async rewrite(durable: DurableState<ClusterState>): Promise<void> {
    assert(!this.#isWriting, 'the coordination log is rewritten while it is written');
    await this.#startGeneration(durable);
    this.#last = durable;
  }

  async close(): Promise<void> {
    this.#stopMarkTimer?.();
    await this.#markSyncing;
    await this.#mark?.close();
    this.#mark = null;
    await this.#file?.close();
    this.#file = null;
  }

  async #write(durable: DurableState<ClusterState>): Promise<void> {
    const rotateBytes = Math.min(this.#rotateBytes, Math.max(ROTATE_BYTES_MIN, ROTATE_RATIO * this.#fullEnd));
    const isNewState = durable.accepted.value !== this.#last.accepted.value;
    // An election does not wait until a state is written whole.
    if (this.#file === null || (isNewState && this.#offset >= rotateBytes)) {
      await this.#startGeneration(durable);
      return;
    }
    const { type, value } = recordFor(this.#last, durable);
    const record = encodeRecord({ type, payload: await this.#turns.run(packStateInSteps(value), null) });
    await this.#file.write(record, this.#offset);
    await finalSync(this.#file, this.#path());
    this.#offset += record.length;
  }

  async #startGeneration(durable: DurableState<ClusterState>): Promise<void> {
    const old = this.#file === null ? null : { file: this.#file, path: this.#path() };
    // Counts only once it is there: an attempt that finds no room is made again under the same name.
    const generation = this.#generation + 1;
    const path = `${this.#folder}/coord-${generation}.log`;
    const record = encodeRecord({ type: 'full', payload: await this.#turns.run(fullRecord(durable), null) });
    const file = await this.#disk.open(`${path}.tmp`, 'create');
    try {
      await file.write(encodeFileHeader(), 0);
      await file.write(record, FILE_HEADER_BYTES);
    } catch (error) {
      await file.close();
      throw error;
    }
    await finalSync(file, path);
    await this.#disk.rename(`${path}.tmp`, path);
    await finalSyncDir(this.#disk, this.#folder);
    assert(generation > this.#generation, `generation ${generation} of the log after ${this.#generation}`);
    this.#generation = generation;
    this.#file = file;
    this.#offset = FILE_HEADER_BYTES + record.length;
    this.#fullEnd = this.#offset;
    if (old !== null) {
      await old.file.close();
      await this.#disk.unlink(old.path);
    }
  }

  #path(): string {
    return `${this.#folder}/coord-${this.#generation}.log`;
  }
}

/** Asserts that a save never leads back to an older term or state. */
function assertSaveable(last: DurableState<ClusterState>, next: DurableState<ClusterState>): void {
  const [from, to] = [last.accepted, next.accepted];
  assert(next.currentTerm >= last.currentTerm, `term ${next.currentTerm} is saved after term ${last.currentTerm}`);
  assert(to.term <= next.currentTerm, `a state of term ${to.term} is saved in term ${next.currentTerm}`);
  assert(
    to.term > from.term || (to.term === from.term && to.version >= from.version),
    `state ${to.term}/${to.version} is saved after ${from.term}/${from.version}`,
  );
  const { stateUuid } = to.value;
  assert(stateUuid === to.stateUuid, `state ${to.stateUuid} is saved with the value of ${stateUuid}`);
}

/** The smallest record that leads from what is on disk to `next`. */
function recordFor(
  last: DurableState<ClusterState>,
  next: DurableState<ClusterState>,
): { readonly type: CoordinationRecord['type']; readonly value: Readonly<Record<string, unknown>> } {
  const [from, to] = [last.accepted.value, next.accepted.value];
  assert(to.version === next.accepted.version && to.term === next.accepted.term, 'a state without its own header');
  const { currentTerm } = next;
  if (from === to) return { type: 'term', value: { currentTerm } };
  const value = { currentTerm, diff: writeStateDiff(from, to) };
  return { type: from.stateUuid === to.stateUuid ? 'commit' : 'diff', value };
}

function fullRecord({ currentTerm, accepted }: DurableState<ClusterState>): Steps<Uint8Array> {
  return packStateInSteps({ currentTerm, state: writeClusterState(accepted.value) });
}

/** Throws when the generation that was durable last is not there. */
function checkComplete(folder: string, newest: number, mark: LogMark | null): void {
  if (mark === null || mark.generation <= newest) return;
  throw unreadable(
    `[${folder}/coord-${mark.generation}.log]: the file is missing, and [${mark.sizeBytes}] bytes of it had been made durable; the node cannot know what it voted for. Restore the disk, or start with an empty data path`,
  );
}

function replay(records: readonly CoordinationRecord[], path: string): DurableState<ClusterState> {
  let currentTerm = 0;
  let replayed: StateReplay | null = null;
  for (const { type, payload } of records) {
    const r = ValueReader.of(unpackState(payload), 'record');
    currentTerm = Math.max(currentTerm, r.integer('currentTerm', 0, Number.MAX_SAFE_INTEGER));
    if (type === 'full') {
      replayed = new StateReplay(readClusterState(r.raw('state')));
    } else if (type !== 'term') {
      const diff = r.raw('diff');
      if (replayed === null || baseOfDiff(diff) !== replayed.stateUuid) {
        throw unreadable(`[${path}]: a difference to a state that the log does not have`);
      }
      replayed.apply(diff);
    }
  }
  if (replayed === null) throw unreadable(`[${path}]: no state in it`);
  const state = replayed.finish();
  return { currentTerm, accepted: { ...headerOf(state), value: state } };
}

function unreadable(reason: string): ShoalError {
  return new ShoalError('illegal_state_exception', 500, `coordination state cannot be read from ${reason}`);
}

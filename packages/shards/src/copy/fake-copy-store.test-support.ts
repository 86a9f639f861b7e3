/**
 * A store of a copy in memory: what a crash leaves is what was synced. Every call takes a while.
 */
import { assert, ShoalError } from '@shoal/core';
import type { ExecutedWrite } from '@shoal/engine';
import type { RetentionLease, SafeCommit, SeqNoRange, StoredCopy } from '@shoal/replication';
import { type HistoryOperation, type OperationList, PackedResults } from '@shoal/shard-api';
import type { CopyStore } from './copy-store.ts';
import type { VirtualTime } from './virtual-time.test-support.ts';

const STEP_MS = 4;
const CHUNK_BYTES = 200;

interface Durable {
  readonly log: ReadonlyMap<number, HistoryOperation>;
  readonly term: number;
  readonly globalCheckpoint: number;
  readonly historyUuid: string | null;
  readonly leases: ReadonlyMap<string, RetentionLease>;
  readonly historyFrom: number;
}

const EMPTY: Durable = {
  log: new Map(),
  term: 0,
  globalCheckpoint: -1,
  historyUuid: null,
  leases: new Map(),
  historyFrom: 0,
};

export class FakeCopyStore implements CopyStore {
  readonly #time: VirtualTime;
  durable: Durable;
  #globalCheckpoint: number;
  #leases: ReadonlyMap<string, RetentionLease>;
  #executed: Map<number, HistoryOperation>;
  /** Above the last rollback, and neither confirmed nor replaced. */
  #unconfirmed = new Map<number, HistoryOperation>();
  readonly #held = new Map<string, { readonly commit: SafeCommit; readonly content: Uint8Array }>();
  readonly #chunks = new Map<number, Uint8Array>();
  /** Work that must run alone, now. */
  #alone = 0;
  isBroken = false;
  /** Time that a rollback takes, in ms: as long as there is to be read again. */
  rollbackMs = STEP_MS;
  /** Documents that searches see. */
  visible = 0;

  constructor(time: VirtualTime, durable: Durable = EMPTY) {
    this.#time = time;
    this.durable = durable;
    this.#globalCheckpoint = durable.globalCheckpoint;
    this.#leases = durable.leases;
    this.#executed = new Map(durable.log);
  }

  /** The store as the next process finds it. */
  afterCrash(): FakeCopyStore {
    const next = new FakeCopyStore(this.#time, this.durable);
    next.rollbackMs = this.rollbackMs;
    return next;
  }

  /** Ids of the documents that are there. */
  get documents(): ReadonlySet<string> {
    return new Set([...this.#executed.values()].flatMap((it) => (it.kind === 'index' ? [it.id] : [])));
  }

  get operations(): readonly string[] {
    return [...this.#executed.values()].sort((a, b) => a.seqNo - b.seqNo).map((it) => `${it.seqNo}/${it.primaryTerm}`);
  }

  get maxSeqNo(): number {
    return Math.max(-1, ...this.#executed.keys());
  }

  async stored(): Promise<StoredCopy> {
    await this.#time.pass(STEP_MS);
    const { term, globalCheckpoint, historyUuid, historyFrom, leases } = this.durable;
    const operations = setOf([...this.#executed.keys()]);
    return { term, globalCheckpoint, historyUuid, historyFrom, leases, operations, files: [] };
  }

  async write(list: OperationList, from: number, _claim: unknown, collects: boolean): Promise<ExecutedWrite> {
    await this.#time.pass(STEP_MS);
    assert(this.#alone === 0, 'a write runs beside work that runs alone');
    const results = new PackedResults();
    const operations: HistoryOperation[] = [];
    for (let at = from; at < list.length; at++) {
      const asked = list.at(at);
      assert(asked?.kind === 'index', 'tests index documents');
      const seqNo = this.maxSeqNo + 1;
      const { id, routing, source } = asked;
      const primaryTerm = this.durable.term;
      const done = { kind: 'index', seqNo, primaryTerm, version: 1, id, routing, source, origin: null } as const;
      this.#executed.set(seqNo, done);
      operations.push(done);
      results.push({ kind: 'done', result: 'created', version: 1, seqNo, primaryTerm, source: null });
    }
    const ranges = rangesOf(operations.map(({ seqNo }) => seqNo));
    return { results, mappingUpdate: null, ranges, operations: collects ? operations : [], repeated: -1 };
  }

  apply(operations: readonly HistoryOperation[]): Promise<void> {
    return this.#runAlone(STEP_MS, () => {
      for (const operation of operations) {
        this.#unconfirmed.delete(operation.seqNo);
        if (!this.#executed.has(operation.seqNo)) this.#executed.set(operation.seqNo, operation);
      }
    });
  }

  async sync(): Promise<void> {
    const log = new Map([...this.#unconfirmed, ...this.#executed]);
    const kept = { globalCheckpoint: this.#globalCheckpoint, leases: this.#leases };
    await this.#time.pass(STEP_MS);
    if (this.isBroken) throw new Error('the disk is broken');
    // What was dropped meanwhile does not come back.
    const isThere = ([seqNo, operation]: readonly [number, HistoryOperation]): boolean =>
      this.#executed.get(seqNo) === operation || this.#unconfirmed.get(seqNo) === operation;
    const synced = [...this.durable.log, ...log].filter(isThere);
    this.durable = { ...this.durable, ...kept, log: new Map(synced) };
  }

  async refresh(): Promise<void> {
    await this.#time.pass(STEP_MS);
    this.visible = this.documents.size;
  }

  enterTerm(term: number): Promise<void> {
    assert(term >= this.durable.term, `term ${term} after ${this.durable.term}`);
    return this.#runAlone(STEP_MS, () => {
      this.durable = { ...this.durable, term };
    });
  }

  lead(term: number): Promise<void> {
    return this.#runAlone(STEP_MS, () => {
      for (let seqNo = 0; seqNo <= this.maxSeqNo; seqNo++) {
        if (this.#executed.has(seqNo)) continue;
        this.#executed.set(seqNo, { kind: 'noop', seqNo, primaryTerm: term, reason: 'hole' });
      }
      this.#persist();
    });
  }

  rollback(to: number, drops: boolean): Promise<void> {
    return this.#runAlone(this.rollbackMs, () => {
      const all = new Map([...this.#unconfirmed, ...this.#executed]);
      const isBelow = ([seqNo]: readonly [number, unknown]): boolean => seqNo <= to;
      this.#executed = new Map([...all].filter(isBelow));
      this.#unconfirmed = drops ? new Map() : new Map([...all].filter((entry) => !isBelow(entry)));
      this.#persist();
    });
  }

  confirm(): Promise<void> {
    return this.#runAlone(STEP_MS, () => {
      this.#executed = new Map([...this.#unconfirmed, ...this.#executed]);
      this.#unconfirmed = new Map();
    });
  }

  trim(above: number, belowTerm: number): Promise<void> {
    return this.#runAlone(STEP_MS, () => {
      for (const log of [this.#executed, this.#unconfirmed]) {
        for (const [seqNo, { primaryTerm }] of log) if (seqNo > above && primaryTerm < belowTerm) log.delete(seqNo);
      }
      this.#persist();
    });
  }

  beginHistory(historyUuid: string): Promise<void> {
    return this.#runAlone(STEP_MS, () => {
      this.durable = { ...this.durable, historyUuid };
    });
  }

  keepGlobalCheckpoint(globalCheckpoint: number): void {
    this.#globalCheckpoint = globalCheckpoint;
  }

  keepLeases(leases: ReadonlyMap<string, RetentionLease>): void {
    this.#leases = leases;
  }

  retain(): void {}

  async *changes(first: number, last: number): AsyncGenerator<readonly HistoryOperation[], void> {
    const wanted = [...this.#executed.values()].filter(({ seqNo }) => first <= seqNo && seqNo <= last);
    wanted.sort((a, b) => a.seqNo - b.seqNo);
    for (let at = 0; at < wanted.length; at += 3) {
      await this.#time.pass(STEP_MS);
      yield wanted.slice(at, at + 3);
    }
  }

  async acquireCommit(target: string): Promise<SafeCommit> {
    await this.#time.pass(STEP_MS);
    const through = this.#globalCheckpoint;
    const agreed = [...this.#executed.values()].filter(({ seqNo }) => seqNo <= through);
    const text = JSON.stringify(agreed, (_key, value) => (value instanceof Uint8Array ? [...value] : value));
    const content = new TextEncoder().encode(text);
    const chunks = Math.max(1, Math.ceil(content.length / CHUNK_BYTES));
    const files = [{ name: 'all', bytes: content.length, chunks, checksum: String(text.length) }];
    const commit = { through, files, recentWrites: null };
    this.#held.set(target, { commit, content });
    return commit;
  }

  async verifyCommit(): Promise<boolean> {
    await this.#time.pass(STEP_MS);
    return true;
  }

  async readChunk(target: string, _file: string, chunk: number): Promise<Uint8Array> {
    await this.#time.pass(STEP_MS);
    const held = this.#held.get(target);
    if (held === undefined) throw new ShoalError('illegal_state_exception', 500, `nothing is held for ${target}`);
    return held.content.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
  }

  get heldCommits(): number {
    return this.#held.size;
  }

  releaseCommit(target: string): void {
    this.#held.delete(target);
  }

  async keepChunk(_file: string, chunk: number, bytes: Uint8Array): Promise<void> {
    assert(this.#alone === 0, 'the engine is shut for files while work runs on it');
    await this.#time.pass(STEP_MS);
    this.#chunks.set(chunk, bytes.slice());
  }

  recovered(): void {}

  async installFiles({ through, files }: SafeCommit, historyUuid: string): Promise<boolean> {
    await this.#time.pass(STEP_MS);
    const chunks = Array.from({ length: files[0]?.chunks ?? 0 }, (_, chunk) => this.#chunks.get(chunk));
    if (chunks.some((chunk) => chunk === undefined)) return false;
    const text = new TextDecoder().decode(Buffer.concat(chunks as Uint8Array[]));
    const operations = JSON.parse(text) as HistoryOperation[];
    this.#executed = new Map(operations.map((it) => [it.seqNo, revived(it)]));
    this.#unconfirmed = new Map();
    this.#globalCheckpoint = through;
    this.durable = { ...this.durable, historyUuid, historyFrom: through + 1, log: new Map() };
    this.#persist();
    return true;
  }

  async #runAlone(ms: number, work: () => void): Promise<void> {
    this.#alone++;
    await this.#time.pass(ms);
    assert(this.#alone === 1, `${this.#alone} pieces of work run that run alone`);
    work();
    this.#alone--;
  }

  #persist(): void {
    const log = new Map([...this.#unconfirmed, ...this.#executed]);
    this.durable = { ...this.durable, log, globalCheckpoint: this.#globalCheckpoint, leases: this.#leases };
  }
}

function revived(operation: HistoryOperation): HistoryOperation {
  if (operation.kind !== 'index') return operation;
  return { ...operation, source: Uint8Array.from(operation.source as unknown as number[]) };
}

function setOf(seqNos: readonly number[]): StoredCopy['operations'] {
  const ranges = rangesOf(seqNos.toSorted((a, b) => a - b));
  const [first, ...rest] = ranges;
  return first?.first === 0 ? { checkpoint: first.last, above: rest } : { checkpoint: -1, above: ranges };
}

function rangesOf(seqNos: readonly number[]): readonly SeqNoRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const seqNo of seqNos) {
    const last = ranges.at(-1);
    if (last !== undefined && last.last + 1 === seqNo) last.last = seqNo;
    else ranges.push({ first: seqNo, last: seqNo });
  }
  return ranges;
}

/**
 * The store of a copy as the engine has it: an open shard, or while files of a recovery come, the folder that they come into.
 *
 * A copy has no open shard until there is something to open: after its first recovery by files it has one.
 */
import type { ExecutedWrite, FileRecovery, OpenShardOptions, PrimaryClaim, Shard } from '@shoal/engine';
import { EMPTY_STORE, type RetentionLease, type SafeCommit, type StoredCopy } from '@shoal/replication';
import type { HistoryOperation, OperationList } from '@shoal/shard-api';
import { shardNotOpen } from '../calls/shard-errors.ts';
import type { CopyStore } from './copy-store.ts';
import { PeerProgress } from './peer-progress.ts';

export interface EngineOfCopy {
  /** Options that the shard is opened with now: its mapping and settings change. */
  readonly options: () => OpenShardOptions;
  readonly openShard: (options: OpenShardOptions) => Promise<Shard>;
  /** Wall clock, milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly beginFiles: (options: OpenShardOptions) => Promise<FileRecovery>;
  /** The open shard is another one, or none. */
  readonly shardChanged: (shard: Shard | null) => void;
}

export class EngineCopyStore implements CopyStore {
  readonly #engine: EngineOfCopy;
  #shard: Shard | null;
  #files: FileRecovery | null = null;
  /** Work on files, which ends when the last of it has. */
  #filesWork: Promise<unknown> = Promise.resolve();
  readonly progress: PeerProgress;
  /** Term that the copy has entered. */
  #term: number;

  constructor(engine: EngineOfCopy, shard: Shard | null) {
    this.progress = new PeerProgress(engine.nowMs);
    this.#engine = engine;
    this.#shard = shard;
    this.#term = engine.options().primaryTerm;
  }

  get maxSeqNo(): number {
    return this.#open.history.maxSeqNo;
  }

  async stored(): Promise<StoredCopy> {
    const shard = this.#shard;
    if (shard === null) return EMPTY_STORE;
    const { primaryTerm, globalCheckpoint, executed, historyUuid, completeFrom, leases } = shard.history;
    // From here on what this copy alone has is not agreed, and its commits must not say so.
    shard.history.retain({ globalCheckpoint, retainedFrom: completeFrom });
    return {
      term: primaryTerm,
      globalCheckpoint,
      operations: executed,
      historyUuid,
      historyFrom: completeFrom,
      leases,
      // Only who recovers says what it has, and it takes opening them all.
      files: this.#engine.options().isReplica === true ? await shard.commits.newest() : [],
    };
  }

  write(
    operations: OperationList,
    from: number,
    claim: PrimaryClaim | null,
    collects: boolean,
  ): Promise<ExecutedWrite> {
    return this.#open.history.write(operations, from, claim, collects);
  }

  async apply(operations: readonly HistoryOperation[], primaryTerm: number): Promise<void> {
    await this.#open.history.apply(operations, primaryTerm);
    this.progress.applied(operations.length);
  }

  async sync(): Promise<void> {
    await this.#open.history.sync();
  }

  async refresh(): Promise<void> {
    await this.#open.refresh();
  }

  async enterTerm(primaryTerm: number): Promise<void> {
    this.#term = primaryTerm;
    await this.#shard?.history.enterTerm(primaryTerm);
  }

  async lead(primaryTerm: number): Promise<void> {
    await this.#open.history.lead(primaryTerm);
  }

  async rollback(to: number, drops: boolean): Promise<void> {
    await this.#open.history.rollback(to, drops);
  }

  async confirm(): Promise<void> {
    await this.#open.history.confirm();
  }

  async trim(above: number, belowTerm: number): Promise<void> {
    await this.#open.history.trim(above, belowTerm);
  }

  async beginHistory(historyUuid: string): Promise<void> {
    await this.#open.history.beginHistory(historyUuid);
  }

  keepGlobalCheckpoint(globalCheckpoint: number): void {
    this.#shard?.history.keepGlobalCheckpoint(globalCheckpoint);
  }

  keepLeases(leases: ReadonlyMap<string, RetentionLease>): void {
    this.#shard?.history.keepLeases(leases);
  }

  retain(from: number, commitThrough: number): void {
    this.#shard?.history.retain({ globalCheckpoint: commitThrough, retainedFrom: from });
  }

  changes(first: number, last: number): AsyncGenerator<readonly HistoryOperation[], void> {
    return this.#open.history.changes(first, last);
  }

  async acquireCommit(target: string): Promise<SafeCommit | null> {
    return this.#open.commits.acquire(target);
  }

  async verifyCommit(target: string): Promise<boolean> {
    return this.#open.commits.verify(target);
  }

  async readChunk(target: string, file: string, chunk: number): Promise<Uint8Array> {
    return this.#open.commits.readChunk(target, file, chunk);
  }

  releaseCommit(target: string): void {
    this.#shard?.commits.release(target);
  }

  keepChunk(file: string, chunk: number, bytes: Uint8Array): Promise<void> {
    return this.#withFiles(async () => {
      const files = await this.#beginFiles();
      await files.keepChunk(file, chunk, bytes);
      this.progress.bytesCame(file, bytes.byteLength);
    });
  }

  installFiles(commit: SafeCommit, historyUuid: string): Promise<boolean> {
    return this.#withFiles(() => this.#install(commit, historyUuid));
  }

  recovered(): void {
    this.progress.ended();
  }

  /** Resolves when nothing is done in the folder any more but by the open shard. */
  async close(): Promise<void> {
    await this.#filesWork;
    await this.#files?.discard();
  }

  /** One piece of work after the other: the engine is shut before the first of them. */
  #withFiles<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#filesWork.then(work);
    // Whoever asked for it hears of it.
    this.#filesWork = done.catch(() => undefined);
    return done;
  }

  async #install(commit: SafeCommit, historyUuid: string): Promise<boolean> {
    const recovery = await this.#beginFiles();
    const installed = await recovery.install(commit, historyUuid);
    if (installed === null) return false;
    this.#files = null;
    const { through, files } = commit;
    this.progress.installed(files);
    const shard = await this.#engine.openShard({
      ...this.#engine.options(),
      bootstrap: 'existing',
      isReplica: true,
      installed,
      primaryTerm: this.#term,
      needs: { globalCheckpoint: through, retainedFrom: through + 1 },
    });
    this.#shard = shard;
    this.#engine.shardChanged(shard);
    return true;
  }

  /** Nothing of the open shard is committed: what was said of its files stays true. */
  async #beginFiles(): Promise<FileRecovery> {
    if (this.#files !== null) return this.#files;
    const shard = this.#shard;
    this.#shard = null;
    this.#engine.shardChanged(null);
    await shard?.close(true);
    this.#files = await this.#engine.beginFiles(this.#engine.options());
    return this.#files;
  }

  get #open(): Shard {
    if (this.#shard === null) throw shardNotOpen('RECOVERING');
    return this.#shard;
  }
}

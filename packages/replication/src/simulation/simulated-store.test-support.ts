/**
 * Engine and log of one copy, small enough to run a thousand lives a second: documents by id, operations by sequence number,
 * and a log of which a crash keeps what was synced and some of the rest.
 */
import type { SeededRandom } from '@shoal/simulation';
import type { StoredCopy } from '../copy/copy-state.ts';
import type { CommitFile, RetentionLease } from '../copy/recovery-state.ts';
import type { NodeId } from '../group/shard-group.ts';
import type { ReplicationRules } from '../rules/replication-rules.ts';
import { addSeqNos, rangesOf, type SeqNoSet, seqNosThrough } from '../sequence/seq-no-ranges.ts';
import {
  changesDocument,
  meetsCondition,
  replacesInLog,
  type ShardOperation,
  type StoredVersion,
} from '../sequence/shard-operation.ts';

/** What a client wants written. */
export interface SimWrite {
  readonly id: string;
  /** Null: a delete. */
  readonly value: string | null;
  /** Version that the document must have, as `if_seq_no` and `if_primary_term`; null: whatever there is. */
  readonly condition: StoredVersion | null;
  /** The engine refuses it. */
  readonly fails: boolean;
}

export interface SimDocument {
  readonly id: string;
  readonly value: string | null;
  readonly version: number;
}

export interface SimOperation extends ShardOperation {
  /** Null: a no-op. */
  readonly document: SimDocument | null;
}

export interface StoredDocument {
  readonly seqNo: number;
  readonly term: number;
  readonly version: number;
  /** Null: a tombstone. */
  readonly value: string | null;
}

type LogRecord =
  | { readonly kind: 'operation'; readonly operation: SimOperation }
  | { readonly kind: 'trim'; readonly above: number; readonly belowTerm: number };

/** Documents of a commit, and the sequence number up to which it has everything. */
export interface SimCommit {
  readonly through: number;
  readonly documents: ReadonlyMap<string, StoredDocument>;
}

export const EMPTY_COMMIT: SimCommit = { through: -1, documents: new Map() };

export class SimulatedStore {
  term = 0;
  /** Term in which numbers are given; null: in none. */
  leads: number | null = null;
  historyUuid: string | null = null;
  historyFrom = 0;
  leases: ReadonlyMap<NodeId, RetentionLease> = new Map();
  /** What is read of its files is not what was written. */
  isDamaged = false;
  commit: SimCommit = EMPTY_COMMIT;
  documents = new Map<string, StoredDocument>();
  /** Operations of the log above the commit, the newest term of each sequence number. */
  history = new Map<number, SimOperation>();
  /** Those that a crash leaves. */
  durable = new Map<number, SimOperation>();
  private readonly records: LogRecord[] = [];
  private syncedCount = 0;
  private globalCheckpoint = -1;
  private syncedGlobalCheckpoint = -1;

  private readonly rules: ReplicationRules;

  constructor(rules: ReplicationRules) {
    this.rules = rules;
  }

  get recordCount(): number {
    return this.records.length;
  }

  get knownGlobalCheckpoint(): number {
    return this.globalCheckpoint;
  }

  keepGlobalCheckpoint(value: number): void {
    this.globalCheckpoint = value;
  }

  /** Highest number that an operation here has. */
  get maxSeqNo(): number {
    return Math.max(this.commit.through, ...this.history.keys());
  }

  /** Executes what a client wants and numbers it; null when it is refused. */
  write({ id, value, condition, fails }: SimWrite): SimOperation | null {
    if (this.leads === null) throw new Error('a write on a copy that does not lead');
    const stored = this.documents.get(id) ?? null;
    const live = stored === null || stored.value === null ? null : stored;
    if (fails || !meetsCondition(live, condition)) return null;
    const document = { id, value, version: (stored?.version ?? 0) + 1 };
    const operation = { seqNo: this.maxSeqNo + 1, primaryTerm: this.leads, document };
    this.put(operation);
    this.append({ kind: 'operation', operation });
    return operation;
  }

  /** Fills the holes of the history, and gives numbers from now on. @returns the no-ops */
  lead(term: number): readonly SimOperation[] {
    this.leads = term;
    const noOps: SimOperation[] = [];
    for (let seqNo = this.commit.through + 1; seqNo < this.maxSeqNo && this.rules.gapsFilled; seqNo++) {
      if (!this.history.has(seqNo)) noOps.push({ seqNo, primaryTerm: term, document: null });
    }
    for (const operation of noOps) this.append({ kind: 'operation', operation });
    return noOps;
  }

  executeOnReplica(operation: SimOperation): void {
    this.change(operation, this.rules);
    this.append({ kind: 'operation', operation });
  }

  rollback(to: number, drops: boolean): void {
    if (drops) this.trim(to, Number.MAX_SAFE_INTEGER);
    this.rebuild(to);
  }

  /** Documents as all operations of the log together give them. */
  rebuild(through = Number.MAX_SAFE_INTEGER): void {
    this.documents = new Map(this.commit.documents);
    for (const seqNo of [...this.history.keys()].sort((a, b) => a - b)) {
      if (seqNo <= through) this.change(this.history.get(seqNo)!, { newestSeqNoWins: true });
    }
  }

  trim(above: number, belowTerm: number): void {
    this.append({ kind: 'trim', above, belowTerm });
  }

  /** Tombstones go when every operation up to theirs is here. */
  collectTombstones(checkpoint: number): void {
    for (const [id, { value, seqNo }] of this.documents) {
      if (value === null && seqNo <= checkpoint) this.documents.delete(id);
    }
  }

  /** A new commit of everything up to here; the log is cut below `keepFrom`. */
  flush(through: number, keepFrom: number): void {
    const documents = new Map(this.commit.documents);
    for (const seqNo of [...this.history.keys()].sort((a, b) => a - b)) {
      const { document, primaryTerm: term } = this.history.get(seqNo)!;
      if (seqNo > through || document === null) continue;
      const { id, version, value } = document;
      if (changesDocument(documents.get(id) ?? null, { seqNo, term }, { newestSeqNoWins: true })) {
        documents.set(id, { seqNo, term, version, value });
      }
    }
    this.commit = { through, documents };
    this.cut(Math.min(keepFrom, through + 1));
  }

  /** Files that another copy had: everything that was here before is gone. */
  install(commit: SimCommit, historyUuid: string): void {
    this.commit = commit;
    this.historyUuid = historyUuid;
    this.historyFrom = commit.through + 1;
    this.documents = new Map(commit.documents);
    this.history.clear();
    this.durable.clear();
    this.records.length = 0;
    this.syncedCount = 0;
    this.globalCheckpoint = commit.through;
    this.syncedGlobalCheckpoint = commit.through;
  }

  private cut(keepFrom: number): void {
    this.historyFrom = Math.max(this.historyFrom, keepFrom);
    for (const seqNo of [...this.history.keys()]) if (seqNo < keepFrom) this.history.delete(seqNo);
    for (const seqNo of [...this.durable.keys()]) if (seqNo < keepFrom) this.durable.delete(seqNo);
  }

  synced(recordCount: number): void {
    for (; this.syncedCount < recordCount; this.syncedCount++)
      applyRecord(this.durable, this.records[this.syncedCount]!, this.rules);
    this.syncedGlobalCheckpoint = this.globalCheckpoint;
  }

  /** The process dies: of what was not synced some part from its beginning is left. */
  crash(random: SeededRandom): void {
    const kept = this.syncedCount + random.below(this.records.length - this.syncedCount + 1);
    const globalCheckpoint = this.syncedGlobalCheckpoint;
    this.synced(kept);
    this.records.length = kept;
    this.globalCheckpoint = globalCheckpoint;
    this.syncedGlobalCheckpoint = globalCheckpoint;
    this.history = new Map(this.durable);
  }

  /** What a copy finds that opens from here: all of it is synced first, for it counts as durable from then on. */
  open(): StoredCopy {
    this.leads = null;
    this.synced(this.records.length);
    this.rebuild();
    // A commit holds only what is agreed, whatever the log knew of that when the process died.
    this.globalCheckpoint = Math.max(this.globalCheckpoint, this.commit.through);
    const { term, globalCheckpoint, historyUuid, historyFrom, commit } = this;
    const operations = setOf(commit, this.history);
    const files = filesOf(commit).map(({ file }) => file);
    return { term, globalCheckpoint, operations, historyUuid, historyFrom, leases: this.leases, files };
  }

  durableSet(): SeqNoSet {
    return setOf(this.commit, this.durable);
  }

  private change(operation: SimOperation, rules: { readonly newestSeqNoWins: boolean }): void {
    const { document } = operation;
    if (document === null) return;
    const version = { seqNo: operation.seqNo, term: operation.primaryTerm };
    if (changesDocument(this.documents.get(document.id) ?? null, version, rules)) this.put(operation);
  }

  private put({ document, seqNo, primaryTerm: term }: SimOperation): void {
    if (document === null) return;
    this.documents.set(document.id, { seqNo, term, version: document.version, value: document.value });
  }

  private append(record: LogRecord): void {
    this.records.push(record);
    applyRecord(this.history, record, this.rules);
  }
}

const FILES = 3;

/** The documents of a commit in a few files; the checksum of a file is its content. */
export function filesOf(commit: SimCommit): readonly { readonly file: CommitFile; readonly content: string }[] {
  return Array.from({ length: FILES }, (_, at) => {
    const documents = [...commit.documents].filter(([id]) => id.charCodeAt(id.length - 1) % FILES === at).sort();
    const content = JSON.stringify(documents);
    return {
      file: { name: `f${at}`, bytes: content.length, chunks: 1 + (content.length % 2), checksum: content },
      content,
    };
  });
}

function applyRecord(history: Map<number, SimOperation>, record: LogRecord, rules: ReplicationRules): void {
  if (record.kind === 'trim') {
    for (const [seqNo, { primaryTerm }] of history) {
      if (seqNo > record.above && primaryTerm < record.belowTerm) history.delete(seqNo);
    }
    return;
  }
  const { operation } = record;
  const before = history.get(operation.seqNo);
  if (before === undefined || replacesInLog(before, operation, rules)) history.set(operation.seqNo, operation);
}

function setOf(commit: SimCommit, history: ReadonlyMap<number, SimOperation>): SeqNoSet {
  const above = [...history.keys()].filter((seqNo) => seqNo > commit.through).sort((a, b) => a - b);
  return addSeqNos(seqNosThrough(commit.through), rangesOf(above));
}

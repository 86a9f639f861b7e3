/**
 * Watches all copies of all shards of a simulated world from within: the state of each after every event, and every operation that a
 * log takes. It stands in front of four methods of the product for as long as a life goes on, and changes nothing.
 */
import { shardIdForRouting } from '@shoal/cluster';
import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import type { DataNode } from '@shoal/node';
import type { Disk } from '@shoal/runtime';
import type { HistoryOperation } from '@shoal/shard-api';
import { Translog } from '../../packages/engine/src/shard/translog/translog.ts';
import { LogRecorder } from '../../packages/engine/src/shard/writing/log-recorder.ts';
import { CopyShell } from '../../packages/shards/src/copy/copy-shell.ts';
import {
  CopyHistories,
  contentOf,
  documentOf,
  type ExecutedOperation,
  type ObservedCopy,
  type ObservedState,
} from './copy-histories.test-support.ts';
import type { Numbered } from './history.test-support.ts';
import { demand } from './violation.test-support.ts';
import type { WholeWorld } from './whole-world.test-support.ts';

interface WatchedShell {
  readonly shell: CopyShell;
  /** Disk as its process has it; null while its assignment was not seen. */
  disk: Disk | null;
  /** Null: it has not opened. */
  seen: ObservedState | null;
}

/** The fields of a recorder and its log that say where it is. */
interface PlacedRecorder {
  readonly translog: { readonly disk: Disk; readonly folder: string };
}

export class CopyWatch {
  readonly histories = new CopyHistories();
  readonly #around: WholeWorld;
  /** By allocation id, the newest of those that a process opened. One of a dead process says what its disk has until it is started again. */
  readonly #shells = new Map<string, WatchedShell>();
  /** What logs took, by the disk as a process has it, then by folder. */
  readonly #logs = new Map<Disk, Map<string, Map<number, ExecutedOperation>>>();
  readonly #record = LogRecorder.prototype.record;
  readonly #open = CopyShell.prototype.open;
  readonly #close = CopyShell.prototype.close;
  readonly #openLog = Translog.open;
  /** Newest that any node has applied. */
  #newest: ClusterState | null = null;
  /** Shards by allocation id. */
  readonly #shards = new Map<string, string>();
  /** Names of nodes by allocation id. */
  readonly #nodes = new Map<string, string>();

  constructor(around: WholeWorld) {
    this.#around = around;
    const executed = (recorder: PlacedRecorder, operation: HistoryOperation): void =>
      this.#executed(recorder, operation);
    const opened = (shell: CopyShell): void => this.#opened(shell);
    const closed = (shell: CopyShell): void => this.#closed(shell);
    const [record, open, close, openLog] = [this.#record, this.#open, this.#close, this.#openLog];
    LogRecorder.prototype.record = function (this: LogRecorder, operation) {
      executed(this as unknown as PlacedRecorder, operation);
      record.call(this, operation);
    };
    CopyShell.prototype.open = async function (this: CopyShell) {
      await open.call(this);
      opened(this);
    };
    CopyShell.prototype.close = function (this: CopyShell) {
      closed(this);
      close.call(this);
    };
    Translog.open = (options) => {
      // What was executed before is in a commit, or came from elsewhere in files.
      this.#logs.get(options.disk)?.delete(shardOfFolder(options.folder));
      return openLog.call(Translog, options);
    };
    around.world.onEveryEvent(() => this.#look());
  }

  end(): void {
    LogRecorder.prototype.record = this.#record;
    CopyShell.prototype.open = this.#open;
    CopyShell.prototype.close = this.#close;
    Translog.open = this.#openLog;
  }

  /** A client was told that its write is done. @param value null: the document is deleted */
  acknowledged(index: string, id: string, { seqNo, term }: Numbered, value: string | null): void {
    const metadata = this.#newest?.metadata.indices.get(index);
    if (this.#newest === null || metadata === undefined) return;
    const shard = shardIdForRouting(metadata, id, null);
    const copies = (metadata.inSyncAllocations[shard] ?? []).flatMap((at) => this.#copy(at) ?? []);
    const toldInTerm = metadata.primaryTerms[shard] ?? 0;
    const operation = { seqNo, term, content: documentOf(id, value), toldInTerm };
    this.histories.acknowledged(nameOf(metadata.uuid, shard), operation, copies);
  }

  /** Every copy knows that all copies have all that there is. */
  get areAgreed(): boolean {
    const copies = [...(this.#newest?.routing.indices.values() ?? [])].flat(2);
    return copies.every(({ allocationId }) => {
      const state = this.#copy(allocationId ?? '')?.state;
      return state === undefined || state.globalCheckpoint === state.processed.checkpoint;
    });
  }

  /** When everything is quiet. */
  converged(): void {
    for (const copies of [...(this.#newest?.routing.indices.values() ?? [])].flat()) {
      const [first] = copies;
      if (first === undefined) continue;
      const observed = copies.flatMap(({ allocationId }) => this.#copy(allocationId ?? '') ?? []);
      demand(
        copies.length === 1 || observed.length === copies.length,
        () => `${copies.length} copies of ${first.index}[${first.shard}], ${observed.length} are watched`,
      );
      this.histories.converged(nameOf(first.indexUuid, first.shard), observed);
    }
  }

  #executed({ translog: { disk, folder } }: PlacedRecorder, operation: HistoryOperation): void {
    const at = shardOfFolder(folder);
    const { seqNo, primaryTerm: term } = operation;
    const content = contentOf(operation);
    const logs = this.#logs.get(disk) ?? new Map<string, Map<number, ExecutedOperation>>();
    this.#logs.set(disk, logs);
    const log = logs.get(at) ?? new Map<number, ExecutedOperation>();
    logs.set(at, log);
    log.set(seqNo, { term, content });
    this.histories.executed(at, { seqNo, term, content });
  }

  #opened(shell: CopyShell): void {
    const { state } = shell;
    // Closed meanwhile.
    if (state === null) return;
    this.#forgetEnded();
    this.#shells.set(state.allocationId, { shell, disk: null, seen: null });
  }

  /** Processes that end over and over leave copies behind of which nothing is asked any more: each would be looked at after every event. */
  #forgetEnded(): void {
    for (const [allocationId, { disk }] of this.#shells) {
      if (disk === null || disk === this.#diskOf(allocationId)) continue;
      this.#shells.delete(allocationId);
      this.#logs.delete(disk);
    }
  }

  /** Its store may be opened again, without a shell where there is no other copy. */
  #closed(shell: CopyShell): void {
    for (const [allocationId, watched] of this.#shells) {
      if (watched.shell === shell) this.#shells.delete(allocationId);
    }
  }

  #look(): void {
    this.#around.eachProgram(this.#lookAt);
    for (const [allocationId, watched] of this.#shells) {
      const { state } = watched.shell;
      if (state === null || state === watched.seen) continue;
      const shard = this.#shards.get(allocationId);
      watched.disk ??= this.#diskOf(allocationId);
      // Its assignment is not applied by any node yet: it leads nothing either.
      if (shard === undefined) continue;
      const before = watched.seen;
      watched.seen = state;
      this.histories.stepped(shard, before ?? state, state);
      if (state.phase === 'primary' && before?.phase !== 'primary') {
        const copy = this.#copy(allocationId);
        if (copy !== null) this.histories.promoted(shard, copy);
      }
      if (state.phase === 'primary' && state.globalCheckpoint !== before?.globalCheckpoint) this.#checkAgreed(shard);
    }
  }

  readonly #lookAt = ({ cluster }: DataNode): void => this.#applied(cluster.state());

  #applied(state: ClusterState): void {
    const newest = this.#newest;
    if (newest === state) return;
    if (
      newest !== null &&
      (state.term < newest.term || (state.term === newest.term && state.version <= newest.version))
    )
      return;
    this.#newest = state;
    for (const { uuid, inSyncAllocations } of state.metadata.indices.values()) {
      const known = newest === null ? [] : (indexOf(newest, uuid)?.inSyncAllocations ?? []);
      for (const [shard, ids] of inSyncAllocations.entries()) {
        if (ids.some((id) => known[shard]?.includes(id) !== true)) this.#checkAgreed(nameOf(uuid, shard));
      }
    }
    for (const { allocationId, nodeId, indexUuid, shard } of [...state.routing.indices.values()].flat(2)) {
      if (allocationId === null) continue;
      this.#shards.set(allocationId, nameOf(indexUuid, shard));
      const name = state.nodes.get(nodeId ?? '')?.name;
      if (name !== undefined) this.#nodes.set(allocationId, name);
    }
  }

  /** The primary of the newest term says what is agreed, of copies that the cluster manager counts in sync. */
  #checkAgreed(name: string): void {
    const [uuid = '', number = ''] = name.split('/');
    const shard = Number(number);
    const metadata = this.#newest === null ? undefined : indexOf(this.#newest, uuid);
    const copies = this.#newest?.routing.indices.get(metadata?.name ?? '')?.[shard] ?? [];
    const primary = this.#copy(copies.find(({ isPrimary }) => isPrimary)?.allocationId ?? '')?.state;
    if (primary?.phase !== 'primary' || primary.term !== metadata?.primaryTerms[shard]) return;
    const inSync = (metadata.inSyncAllocations[shard] ?? []).flatMap((id) => this.#copy(id)?.state ?? []);
    this.histories.agreed(name, primary, inSync);
  }

  #copy(allocationId: string): ObservedCopy | null {
    const { shell, disk = null } = this.#shells.get(allocationId) ?? {};
    const state = shell?.state ?? null;
    // After a restart a copy may be there without a shell, of which nothing is known.
    if (state === null || disk === null || disk !== this.#diskOf(allocationId)) return null;
    const executed = this.#logs.get(disk)?.get(this.#shards.get(allocationId) ?? '');
    return { state, executed: executed ?? new Map() };
  }

  /** Disk, as the process has it, of the node that a copy is assigned to. */
  #diskOf(allocationId: string): Disk | null {
    const name = this.#nodes.get(allocationId);
    return name === undefined ? null : this.#around.machine(name).runtime.disk;
  }
}

function indexOf({ metadata }: ClusterState, uuid: string): IndexMetadata | undefined {
  return [...metadata.indices.values()].find((index) => index.uuid === uuid);
}

function nameOf(uuid: string, shard: number): string {
  return `${uuid}/${shard}`;
}

/** `.../indices/<uuid>/<shard>/...` */
function shardOfFolder(folder: string): string {
  const [, uuid = '', shard = ''] = /indices\/([^/]+)\/(\d+)/.exec(folder) ?? [];
  demand(uuid !== '', () => `a log in ${folder}, which is no folder of a shard`);
  return `${uuid}/${shard}`;
}

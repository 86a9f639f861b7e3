/**
 * The shards of one worker thread, and the shells of those that have other copies: opening, writing, what other copies ask, closing.
 */
import { asShoalError, assert, isAssertionFailure, isShoalError, type ShoalError } from '@shoal/core';
import { FileRecovery, type OpenShardOptions, readShardState, type Shard } from '@shoal/engine';
import { type CopyContext, DEFAULT_CONTEXT, type ShardGroup } from '@shoal/replication';
import { DiskError, type Runtime } from '@shoal/runtime';
import { typedIndexSettings } from '@shoal/schema';
import { PackedOperations, type ShardRecovery } from '@shoal/shard-api';
import type { CopyOutput } from '../calls/copy-output.ts';
import type { PackedBody } from '../calls/packed-body.ts';
import { noRoomToOpen, shardNotOpen } from '../calls/shard-errors.ts';
import type { OpenedCopy, ShardKey, WorkerCalls } from '../calls/worker-calls.ts';
import { CopyShell } from '../copy/copy-shell.ts';
import type { CopyWriteAnswer } from '../copy/copy-writes.ts';
import { EngineCopyStore } from '../copy/engine-copy-store.ts';

export interface ThreadShardsOptions {
  readonly runtime: Runtime;
  /** Lets others have the thread. */
  readonly yieldNow: () => Promise<void>;
  readonly openShard: (options: OpenShardOptions, onFailed: (error: ShoalError) => void) => Promise<Shard>;
  readonly onShardFailed: (key: ShardKey, error: ShoalError) => void;
  readonly onCopyOutput: (key: ShardKey, output: CopyOutput) => void;
  /** An invariant is broken: the thread ends. */
  readonly broken: (error: unknown) => void;
}

interface OpenCopy {
  readonly key: ShardKey;
  /** What its shard is opened with; mapping and settings are those of now. */
  options: OpenShardOptions;
  aliases: readonly string[];
  /** Null while files of a recovery come. */
  shard: Shard | null;
  shell: CopyShell | null;
  store: EngineCopyStore | null;
  /** Longest time between a write and its sync; 0: it waits for it. */
  syncDelayMs: number;
  context: CopyContext;
}

const NOTHING_READ: ShardRecovery = {
  fileCount: 0,
  fileBytes: 0,
  copiedFileCount: 0,
  copiedFileBytes: 0,
  indexTimeMs: 0,
  translogOperations: 0,
  translogTimeMs: 0,
};

/** Calls that are answered here. */
type HandledName =
  | ('open' | 'close' | 'lead' | 'follow' | 'peerRecovery' | 'copyRequest' | 'copyAnswered' | 'managerAnswered')
  | ('updateMapping' | 'updateSettings' | 'updateAliases');
type Handlers = {
  readonly [Name in HandledName]: (args: WorkerCalls[Name]['args']) => Promise<WorkerCalls[Name]['result']>;
};

export class ThreadShards {
  readonly #options: ThreadShardsOptions;
  readonly #copies = new Map<ShardKey, OpenCopy>();

  constructor(options: ThreadShardsOptions) {
    this.#options = options;
  }

  get handlers(): Handlers {
    return {
      open: (args) => this.#open(args),
      close: ({ key, isDiscarded }) => this.#close(key, isDiscarded),
      lead: ({ key, primaryTerm }) => this.#lead(key, primaryTerm),
      follow: ({ key, group }) => this.#follow(key, group),
      peerRecovery: async ({ key }) => {
        const copy = this.#copies.get(key);
        return copy?.store?.progress.view(copy.shell?.state ?? null) ?? null;
      },
      copyRequest: async ({ key, call, timeoutMs }) => this.#request(key, call, timeoutMs),
      copyAnswered: async ({ key, requestId, response }) => {
        this.#copies.get(key)?.shell?.answered(requestId, response);
        return null;
      },
      managerAnswered: async ({ key, ask, answer }) => {
        this.#copies.get(key)?.shell?.managerAnswered(ask, answer);
        return null;
      },
      updateMapping: async ({ key, mapping }) => {
        const copy = this.#copy(key);
        copy.options = { ...copy.options, mapping };
        copy.shard?.updateMapping(mapping);
        return null;
      },
      updateSettings: async ({ key, settings }) => {
        const copy = this.#copy(key);
        copy.options = { ...copy.options, settings };
        copy.syncDelayMs = syncDelayOf(settings);
        copy.context = contextOf(settings);
        copy.shard?.updateSettings(settings);
        return null;
      },
      updateAliases: async ({ key, aliases }) => {
        const copy = this.#copy(key);
        copy.aliases = aliases;
        copy.shard?.updateAliases(aliases);
        return null;
      },
    };
  }

  /** @throws illegal_index_shard_state_exception when it is not open */
  find(key: ShardKey): Shard {
    const shard = this.#copies.get(key)?.shard ?? null;
    // Not a broken invariant: the shard may have been closed while the request waited for something else.
    if (shard === null) throw shardNotOpen('CLOSED');
    return shard;
  }

  /** null when it is not open. */
  get(key: ShardKey): Shard | null {
    return this.#copies.get(key)?.shard ?? null;
  }

  async #open({ key, options, isTarget }: WorkerCalls['open']['args']): Promise<OpenedCopy> {
    assert(!this.#copies.has(key), `shard ${key} is opened twice`);
    const copy: OpenCopy = {
      key,
      options,
      aliases: [],
      shard: null,
      shell: null,
      store: null,
      syncDelayMs: syncDelayOf(options.settings),
      context: contextOf(options.settings),
    };
    if (!isTarget) {
      copy.shard = await this.#openShard(copy, options);
      this.#copies.set(key, copy);
      const keepsHistory = copy.shard.history.leases.size > 0 || options.othersInSync === true;
      return { recovery: copy.shard.recovery, keepsHistory };
    }
    copy.shard = await this.#openTarget(copy);
    this.#copies.set(key, copy);
    await this.#beginShell(copy).catch(async (error: unknown) => {
      await this.#close(key, true);
      throw error;
    });
    return { recovery: copy.shard?.recovery ?? NOTHING_READ, keepsHistory: true };
  }

  async #close(key: ShardKey, isDiscarded: boolean): Promise<null> {
    const copy = this.#copies.get(key);
    this.#copies.delete(key);
    copy?.shell?.close();
    await copy?.store?.close();
    await copy?.shard?.close(isDiscarded);
    return null;
  }

  async write({
    key,
    claim,
    operations,
    from,
    activeCopiesMin,
  }: WorkerCalls['write']['args']): Promise<CopyWriteAnswer> {
    const copy = this.#copies.get(key);
    const read = PackedOperations.read(operations);
    if (copy?.shell) return copy.shell.write(read, from, claim, activeCopiesMin);
    const outcome = await this.find(key).write(read, from, claim);
    return { ...outcome, successful: 1, failed: [] };
  }

  /** Leads from now on in a term, unless the shell hears of it by the group. */
  async #lead(key: ShardKey, primaryTerm: number): Promise<null> {
    const copy = this.#copies.get(key);
    if (!copy?.shell) await this.find(key).history.lead(primaryTerm);
    return null;
  }

  /** A committed group of the shard. Writes that come from here on wait in the shell, where one begins. */
  async #follow(key: ShardKey, group: ShardGroup): Promise<null> {
    const copy = this.#copies.get(key);
    if (copy === undefined) return null;
    const begun = copy.shell === null ? this.#beginShell(copy) : null;
    copy.shell?.groupChanged(group);
    await begun;
    return null;
  }

  #request(key: ShardKey, body: PackedBody, timeoutMs: number): Promise<PackedBody> {
    const shell = this.#copies.get(key)?.shell ?? null;
    if (shell === null) throw shardNotOpen('CLOSED');
    return shell.request(body, timeoutMs);
  }

  #copy(key: ShardKey): OpenCopy {
    const copy = this.#copies.get(key);
    if (copy === undefined) throw shardNotOpen('CLOSED');
    return copy;
  }

  #openShard(copy: OpenCopy, options: OpenShardOptions): Promise<Shard> {
    const { key } = copy;
    const failed = (error: ShoalError): void => {
      copy.shell?.engineFailed(error);
      this.#options.onShardFailed(key, error);
    };
    return this.#options.openShard(options, failed).catch((error: unknown) => {
      throw isDiskFull(error) ? noRoomToOpen(asShoalError(error)) : error;
    });
  }

  /** A store that cannot be opened is as good as none: the primary has everything. */
  async #openTarget(copy: OpenCopy): Promise<Shard | null> {
    const { runtime } = this.#options;
    const { options } = copy;
    try {
      if ((await readShardState(runtime.disk, options.path)) === null) return null;
      return await this.#openShard(copy, { ...options, bootstrap: 'existing', isReplica: true });
    } catch (error) {
      if (isAssertionFailure(error) || isDiskFull(error)) throw error;
      const reason = asShoalError(error).message;
      runtime.log.warn('store of a copy cannot be used, it is copied anew', { shard: copy.key, reason });
      return null;
    }
  }

  async #beginShell(copy: OpenCopy): Promise<void> {
    const { runtime, yieldNow, broken, onCopyOutput } = this.#options;
    const { key, shard } = copy;
    const store = new EngineCopyStore(
      {
        options: () => copy.options,
        openShard: (options) => this.#openShard(copy, options),
        nowMs: () => runtime.clock.wallMs(),
        beginFiles: (options) =>
          FileRecovery.begin(
            runtime,
            { path: options.path, indexUuid: options.shard.indexUuid, allocationId: options.allocationId },
            yieldNow,
          ),
        shardChanged: (changed) => {
          copy.shard = changed;
          if (changed !== null && copy.aliases.length > 0) changed.updateAliases(copy.aliases);
        },
      },
      shard,
    );
    const shell = new CopyShell({
      runtime,
      allocationId: copy.options.allocationId,
      store,
      port: (output) => onCopyOutput(key, output),
      syncDelayMs: () => copy.syncDelayMs,
      context: () => copy.context,
      broken,
    });
    copy.shell = shell;
    copy.store = store;
    // A primary that was alone until now: what runs ends first, and what it did is in the store that the shell opens from.
    if (shard !== null) await shard.history.enterTerm(shard.history.primaryTerm);
    await shell.open();
  }
}

function syncDelayOf(settings: OpenShardOptions['settings']): number {
  const { translogDurability, translogSyncIntervalMs } = typedIndexSettings(settings);
  return translogDurability === 'async' ? translogSyncIntervalMs : 0;
}

function contextOf(settings: OpenShardOptions['settings']): CopyContext {
  return { ...DEFAULT_CONTEXT, leasePeriodMs: typedIndexSettings(settings).historyKeptMs };
}

/** Also where the error says it in the words of the log of operations. */
function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskError) return error.kind === 'full';
  return isShoalError(error) && error.type === 'translog_exception' && error.status === 503;
}

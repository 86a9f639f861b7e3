/**
 * What copies of this node ask of others: their messages go to the node that holds the copy they name, and their questions to the cluster
 * manager. Here nobody knows what the messages say.
 */
import { fromWireError, isShoalError, type ShoalError, unreachable } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import { COPY_MESSAGE } from '@shoal/protocol';
import type { ManagerAnswer, ManagerRequest } from '@shoal/replication';
import type { Runtime } from '@shoal/runtime';
import type { CopyOutput } from '../calls/copy-output.ts';
import { packBody, unpackBody } from '../calls/packed-body.ts';
import { Timers } from '../calls/timers.ts';
import type { LocalShard } from './local-shard.ts';

/** Longest that another copy may take. Where its node is gone, the connection or the cluster state says so sooner. */
const COPY_TIMEOUT_MS = 60_000;
/** Pause before a copy hears that no cluster manager answered: it asks again at once. */
const MANAGER_PAUSE_MS = 500;

type Send = Extract<CopyOutput, { readonly kind: 'send' }>;
type Ask = Extract<CopyOutput, { readonly kind: 'askManager' }>;

export interface CopyRouterOptions {
  readonly runtime: Pick<Runtime, 'sched' | 'log'>;
  readonly cluster: ClusterService;
  /** The engine of a copy failed, or its disk. */
  readonly failed: (shard: LocalShard, error: ShoalError) => void;
  /** A copy is over, and its disk is sound. */
  readonly ended: (shard: LocalShard, reason: string) => void;
}

export class CopyRouter {
  readonly #options: CopyRouterOptions;
  readonly #pauses: Timers;

  constructor(options: CopyRouterOptions) {
    this.#options = options;
    this.#pauses = new Timers(options.runtime.sched);
  }

  take(shard: LocalShard, output: CopyOutput): void {
    switch (output.kind) {
      case 'send':
        this.#send(shard, output);
        break;
      case 'askManager':
        this.#ask(shard, output);
        break;
      case 'closed':
        if (output.error === null) this.#options.ended(shard, output.reason);
        else this.#options.failed(shard, fromWireError(output.error));
        break;
      default:
        unreachable(output);
    }
  }

  close(): void {
    this.#pauses.close();
  }

  #send(shard: LocalShard, { requestId, to, traffic, call }: Send): void {
    const { key, worker, index, indexUuid } = shard;
    const state = this.#options.cluster.state();
    const copies = state.routing.indices.get(index)?.[shard.shard] ?? [];
    const nodeId = copies.find((copy) => copy.allocationId === to && copy.indexUuid === indexUuid)?.nodeId ?? null;
    const { mappingVersion } = state.metadata.indices.get(index) ?? { mappingVersion: 0 };
    const target = { index, indexUuid, shard: shard.shard, allocationId: to, stateVersion: state.version };
    const answered = (response: Parameters<typeof packBody>[0] | null): void => {
      const packed = response === null ? null : packBody(response);
      // A worker that has ended has no copy that waits.
      worker?.call('copyAnswered', { key, requestId, response: packed }).catch(() => undefined);
    };
    if (nodeId === null) {
      answered(null);
      return;
    }
    const message = { target, mappingVersion, call: unpackBody(call) };
    const channel = traffic === 'files' ? 'recovery' : 'bulk';
    this.#options.cluster.send(nodeId, COPY_MESSAGE, message, { channel, timeoutMs: COPY_TIMEOUT_MS }).then(
      ({ response }) => answered(response),
      (error: unknown) => {
        this.#options.runtime.log.debug('another copy gave no answer', { shard: key, to, error: String(error) });
        answered(null);
      },
    );
  }

  #ask(shard: LocalShard, { ask, request }: Ask): void {
    const { key, worker } = shard;
    const answered = (answer: ManagerAnswer): void => {
      worker?.call('managerAnswered', { key, ask, answer }).catch(() => undefined);
    };
    this.#request(shard, request).then(
      () => answered('done'),
      (error: unknown) => {
        if (isShoalError(error) && error.type === 'no_longer_primary_shard_exception') answered('noLongerPrimary');
        else this.#pauses.after(MANAGER_PAUSE_MS, () => answered('unavailable'));
      },
    );
  }

  #request({ index, shard }: LocalShard, request: ManagerRequest): Promise<void> {
    const { admin } = this.#options.cluster;
    const { allocationId, primaryTerm } = request;
    const copy = { index, shard, allocationId, primaryTerm };
    switch (request.kind) {
      case 'copyStarted':
        return admin.shardStarted(copy);
      case 'copyFailed': {
        const { markStale } = request;
        const reason = markStale ? 'a write was not acknowledged by the copy' : 'the copy failed on its node';
        return admin.shardFailed({ ...copy, markStale, reason });
      }
      case 'handOver':
        return admin.handOverPrimary({ ...copy, target: request.target });
      case 'confirmPrimary':
        return admin.confirmPrimary(copy);
    }
  }
}

/**
 * Faults that wait for their requests. A request meets the first one that is for it; each is used up after so many.
 */
import { simpleMatch } from '@shoal/core';
import type { Fault, FaultTarget, ShardFailureFault } from './fault.ts';
import { shardError, statusError } from './fault-errors.ts';

/** A fault that was asked for. */
export interface ArmedFault {
  /** Requests that it is still waiting for. */
  readonly left: number;
  /** Takes it back: it meets nobody any more. */
  cancel(): void;
}

/** Kinds of faults that meet a request as it comes in. */
export type RequestFault = Exclude<Fault, ShardFailureFault>;

/** A request that a fault may be for. */
export interface FaultedRequest {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** What of documents the request writes. */
  readonly writes: 'nothing' | 'document' | 'bulk';
}

interface Waiting {
  readonly fault: Fault;
  readonly target: FaultTarget;
  left: number;
}

export class Faults {
  readonly #waiting: Waiting[] = [];

  /**
   * Asks for a fault of the next requests that it is for; one of a shard is for the next searches that ask it.
   *
   * @param times requests, at least 1; `Infinity`: all until it is cancelled
   * @throws RangeError for a fault that cannot be
   */
  next(times: number, fault: Fault, target: FaultTarget = {}): ArmedFault {
    if (!(times >= 1)) throw new RangeError(`a fault is for at least one request, and this is for [${times}]`);
    check(fault, target);
    const waiting: Waiting = { fault, target, left: times };
    this.#waiting.push(waiting);
    return {
      get left() {
        return waiting.left;
      },
      cancel: () => {
        waiting.left = 0;
      },
    };
  }

  /** Takes all faults back. */
  clear(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.left = 0;
  }

  /** The fault that a request meets, which counts it; null: none. */
  meet(request: FaultedRequest): RequestFault | null {
    const found = this.#take(({ fault, target }) => isFor(fault, request) && isTarget(target, request));
    return found === null || found.kind === 'shardFailure' ? null : found;
  }

  /** @throws the error of a fault that is for this shard */
  searchShard({ index, shard }: { readonly index: string; readonly shard: number }): void {
    const found = this.#take(
      ({ fault }) => fault.kind === 'shardFailure' && fault.index === index && (fault.shard ?? 0) === shard,
    );
    if (found?.kind === 'shardFailure') throw shardError(found);
  }

  #take(isMet: (waiting: Waiting) => boolean): Fault | null {
    const at = this.#waiting.findIndex((waiting) => waiting.left > 0 && isMet(waiting));
    const found = this.#waiting[at];
    if (found === undefined) return null;
    found.left--;
    if (found.left === 0) this.#waiting.splice(at, 1);
    return found.fault;
  }
}

function check(fault: Fault, target: FaultTarget): void {
  if (fault.kind === 'status') statusError(fault);
  if (fault.kind === 'delay' && !(fault.ms >= 0)) throw new RangeError(`a delay of [${fault.ms}] ms`);
  if (fault.kind === 'shardFailure' && Object.keys(target).length > 0) {
    throw new RangeError('the fault of a shard is for searches that ask it, whatever their path');
  }
}

function isFor(fault: Fault, { writes }: FaultedRequest): boolean {
  if (fault.kind === 'shardFailure') return false;
  if (fault.kind === 'conflict') return writes === 'bulk' || (writes === 'document' && fault.items === undefined);
  return fault.kind !== 'status' || fault.items === undefined || writes === 'bulk';
}

function isTarget({ method, path }: FaultTarget, request: FaultedRequest): boolean {
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (path === undefined) return true;
  return typeof path === 'string' ? simpleMatch(path, request.path) : path.test(request.path);
}

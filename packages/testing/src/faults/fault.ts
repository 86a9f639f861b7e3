/**
 * Faults that a test can ask a node for, to see what its application does then.
 */

/** Answer with an error status instead of the work; of a bulk request the whole, or only some of its items. */
export interface StatusFault {
  readonly kind: 'status';
  /** 400..599 */
  readonly status: number;
  /** Type of the error. Default: the one that Elasticsearch sends with the status; required where it has none. */
  readonly type?: string;
  readonly reason?: string;
  /** Positions of bulk items that fail alone, from 0; the others are carried out. The fault then waits for a bulk request. */
  readonly items?: readonly number[];
}

/** No answer: the client waits until it has enough. */
export interface TimeoutFault {
  readonly kind: 'timeout';
  /** The request is carried out, and only its answer never comes. Default: false */
  readonly isDone?: boolean;
}

/** The connection breaks where an answer is waited for. */
export interface CutFault {
  readonly kind: 'cut';
  /** The request is carried out, and only its answer is lost. Default: false */
  readonly isDone?: boolean;
}

/** Writes of documents fail with 409, as if somebody else had been faster. Requests that write none go by. */
export interface ConflictFault {
  readonly kind: 'conflict';
  /** Positions of bulk items that fail, from 0. Default: all of them */
  readonly items?: readonly number[];
}

/** A shard fails when it is searched, and the search goes on without it or fails, as `allow_partial_search_results` says. */
export interface ShardFailureFault {
  readonly kind: 'shardFailure';
  /** Name of the index, which no alias or pattern stands for. */
  readonly index: string;
  /** Number of the shard. Default: 0 */
  readonly shard?: number;
  readonly type?: string;
  readonly reason?: string;
}

/** The work begins later, by the clock of the node. */
export interface DelayFault {
  readonly kind: 'delay';
  readonly ms: number;
}

export type Fault = StatusFault | TimeoutFault | CutFault | ConflictFault | ShardFailureFault | DelayFault;

/** Requests that a fault is for; all that are left out may be any. */
export interface FaultTarget {
  readonly method?: string;
  /** Path without the query: a text where `*` stands for anything, or an expression. */
  readonly path?: string | RegExp;
}

/** Lost connection, as the side of the server knows it: its socket is destroyed without an answer. */
export class ConnectionCut extends Error {
  readonly code: 'ECONNRESET' | 'ECONNREFUSED';

  constructor(code: ConnectionCut['code'] = 'ECONNRESET') {
    super(code === 'ECONNRESET' ? 'socket hang up' : 'connection refused');
    this.name = 'ConnectionCut';
    this.code = code;
  }
}

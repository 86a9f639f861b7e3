/**
 * Requests of one copy on their way out: written once for all copies that get the same, files read chunk by chunk. What is told to the
 * cluster manager leads searches here: it is told when they find what they look for.
 */
import { isAssertionFailure } from '@shoal/core';
import { writeCopyCall } from '@shoal/protocol';
import type { CopyEffect } from '@shoal/replication';
import type { HistoryOperation } from '@shoal/shard-api';
import type { WireBody } from '@shoal/transport';
import type { CopyOutput } from '../calls/copy-output.ts';
import { packBody } from '../calls/packed-body.ts';
import type { CopyStore } from './copy-store.ts';

type Send = Extract<CopyEffect<HistoryOperation>, { readonly kind: 'send' }>;
type AskManager = Extract<CopyEffect<HistoryOperation>, { readonly kind: 'askManager' }>;

export interface CopySendsOptions {
  readonly store: Pick<CopyStore, 'readChunk' | 'refresh'>;
  readonly port: (output: CopyOutput) => void;
  /** A chunk could not be read: as if it had not arrived. */
  readonly unread: (requestId: number) => void;
  readonly broken: (error: unknown) => void;
  readonly engineFailed: (error: unknown) => void;
}

export class CopySends {
  readonly #options: CopySendsOptions;
  /** The request that was written last, which goes to each copy alike. */
  #last: { readonly request: unknown; readonly body: WireBody } | null = null;
  #isClosed = false;

  constructor(options: CopySendsOptions) {
    this.#options = options;
  }

  send({ requestId, to, request }: Send): void {
    if (request.kind === 'recoveryChunk') {
      this.#sendChunk(requestId, to, request);
      return;
    }
    if (this.#last?.request !== request) this.#last = { request, body: writeCopyCall({ request, chunk: null }) };
    const call = packBody(this.#last.body);
    this.#options.port({ kind: 'send', requestId, to, traffic: 'operations', call });
  }

  askManager({ ask, request }: AskManager): void {
    const { store, port, engineFailed } = this.#options;
    if (request.kind !== 'copyStarted') {
      port({ kind: 'askManager', ask, request });
      return;
    }
    store.refresh().then(() => {
      if (!this.#isClosed) port({ kind: 'askManager', ask, request });
    }, engineFailed);
  }

  close(): void {
    this.#isClosed = true;
    this.#last = null;
  }

  #sendChunk(
    requestId: number,
    to: string,
    request: Extract<Send['request'], { readonly kind: 'recoveryChunk' }>,
  ): void {
    const { store, port, unread, broken } = this.#options;
    store.readChunk(to, request.file, request.chunk).then(
      (chunk) => {
        if (this.#isClosed) return;
        port({ kind: 'send', requestId, to, traffic: 'files', call: packBody(writeCopyCall({ request, chunk })) });
      },
      (error: unknown) => {
        // Nothing is held for a target that has given up; damage of a file is found again by its target.
        if (isAssertionFailure(error)) broken(error);
        else unread(requestId);
      },
    );
  }
}

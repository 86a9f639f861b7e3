/**
 * What a node was asked, kept for assertions: the newest requests, within a limit of bytes.
 */
import type { HttpHandler, RawHttpRequest, RequestContent } from '@shoal/http';
import { type AskedBytes, type AskedRequest, askedRequest } from './asked-request.ts';

const REQUESTS_MAX = 10_000;
/** Bytes of bodies and answers kept; beyond them the oldest requests are let go. */
const BYTES_MAX = 64 * 1024 * 1024;

export class RequestLog {
  readonly #requests: AskedRequest[] = [];
  readonly #bytes: AskedBytes[] = [];
  #bytesKept = 0;
  #dropped = 0;

  /** Oldest first; the list that grows with each request. */
  get requests(): readonly AskedRequest[] {
    return this.#requests;
  }

  /** Requests that were let go because there were too many. */
  get dropped(): number {
    return this.#dropped;
  }

  clear(): void {
    for (const asked of this.#bytes) asked.isKept = false;
    this.#requests.length = 0;
    this.#bytes.length = 0;
    this.#bytesKept = 0;
    this.#dropped = 0;
  }

  /** A handler that notes what goes through it. */
  noting(handler: HttpHandler): HttpHandler {
    return {
      match: (method, target) => {
        const matched = handler.match(method, target);
        return {
          isHot: matched.isHot,
          answer: async (content) => {
            const asked = this.#note({ method, target, headers: content.headers });
            const answered = await matched.answer(this.#readingBody(content, asked));
            // Both are views of memory that others write again.
            asked.answered = { status: answered.status, body: answered.body.slice() };
            this.#count(asked, answered.body.length);
            return answered;
          },
        };
      },
    };
  }

  #note(raw: Pick<RawHttpRequest, 'method' | 'target' | 'headers'>): AskedBytes {
    const asked: AskedBytes = { raw, body: null, answered: null, isKept: true };
    this.#bytes.push(asked);
    this.#requests.push(askedRequest(asked));
    this.#trim();
    return asked;
  }

  /** Content whose body is noted when it is read. It is read whole: in pieces nobody would have all of it. */
  #readingBody({ readPieces: _, ...content }: RequestContent, asked: AskedBytes): RequestContent {
    return {
      ...content,
      readBody: async (bytesMax) => {
        const body = await content.readBody(bytesMax);
        asked.body = body.slice();
        this.#count(asked, body.length);
        return body;
      },
    };
  }

  #count(asked: AskedBytes, bytes: number): void {
    // One that was let go in the meantime is not counted: nothing would take its bytes off again.
    if (!asked.isKept) return;
    this.#bytesKept += bytes;
    this.#trim();
  }

  #trim(): void {
    while (this.#requests.length > REQUESTS_MAX || this.#bytesKept > BYTES_MAX) {
      const oldest = this.#bytes.shift();
      this.#requests.shift();
      if (oldest === undefined) return;
      oldest.isKept = false;
      this.#bytesKept -= sizeOf(oldest);
      this.#dropped++;
    }
  }
}

function sizeOf({ body, answered }: AskedBytes): number {
  return (body?.length ?? 0) + (answered?.body.length ?? 0);
}

/**
 * The handler of a node with the faults that were asked for in front of it.
 */
import { asShoalError, parseJson, writeJson } from '@shoal/core';
import {
  DEFAULT_CONTENT_BYTES_MAX,
  type HttpHandler,
  parseRequestTarget,
  type RawHttpRequest,
  type RenderedResponse,
  type RequestContent,
  type RequestTarget,
  refusedRequest,
} from '@shoal/http';
import { type BulkItem, bulkItems, joinedAnswer, splitBulk } from './bulk-items.ts';
import { type ConflictFault, ConnectionCut, type StatusFault } from './fault.ts';
import { conflictError, itemError, statusError } from './fault-errors.ts';
import type { FaultedRequest, Faults, RequestFault } from './faults.ts';

const BULK = '_bulk';
/** Endpoints below an index that write the document of an id. */
const WRITES: ReadonlySet<string> = new Set(['_doc', '_create', '_update']);
const WRITING_METHODS: ReadonlySet<string> = new Set(['PUT', 'POST', 'DELETE']);

export interface FaultyHandlerOptions {
  readonly handler: HttpHandler;
  readonly faults: Faults;
  /** Lets time pass by the node's clock. */
  readonly wait: (ms: number) => Promise<void>;
  /** Rejects once the node closes: clients that wait for an answer that never comes are let go. */
  readonly closed: () => Promise<never>;
}

type Answer = (content: RequestContent) => Promise<RenderedResponse>;

export function faultyHandler(options: FaultyHandlerOptions): HttpHandler {
  const { handler, faults } = options;
  return {
    match: (method, target) => {
      const matched = handler.match(method, target);
      return {
        isHot: matched.isHot,
        answer: async (content) => {
          const request = requestOf(method, target);
          const fault = request === null ? null : faults.meet(request);
          if (request === null || fault === null) return matched.answer(content);
          return meet({ ...options, raw: { method, target, ...content }, request, answer: matched.answer }, fault);
        },
      };
    },
  };
}

interface Meeting extends FaultyHandlerOptions {
  readonly raw: RawHttpRequest;
  readonly request: FaultedRequest;
  readonly answer: Answer;
}

async function meet(meeting: Meeting, fault: RequestFault): Promise<RenderedResponse> {
  const { raw, request, answer, wait } = meeting;
  switch (fault.kind) {
    case 'delay':
      await wait(fault.ms);
      return answer(raw);
    case 'timeout':
      if (fault.isDone === true) await answer(raw);
      return neverAnswered(meeting);
    case 'cut':
      if (fault.isDone === true) await answer(raw);
      throw new ConnectionCut();
    case 'conflict':
      if (request.writes === 'bulk') return bulkWithout(meeting, fault);
      return refusedRequest(conflictError(documentOf(raw.target)), raw);
    case 'status':
      if (fault.items !== undefined) return bulkWithout(meeting, fault);
      return refusedRequest(statusError(fault), raw);
  }
}

/** Settles with an error alone, when the client has gone or the node closes. */
function neverAnswered({ raw, closed }: Meeting): Promise<never> {
  const gone = new Promise<never>((_, reject) => raw.signal.onCancel(() => reject(new ConnectionCut())));
  return Promise.race([gone, closed()]);
}

async function bulkWithout({ raw, answer }: Meeting, fault: StatusFault | ConflictFault): Promise<RenderedResponse> {
  try {
    const body = await raw.readBody(DEFAULT_CONTENT_BYTES_MAX);
    const [index = ''] = parseRequestTarget(raw.target).segments;
    const items = bulkItems(body, index === BULK ? '' : index);
    const fails = (position: number): boolean => fault.items?.includes(position) ?? true;
    const errorOf = (item: BulkItem, position: number) => (fails(position) ? itemError(fault, item) : null);
    const { rest, failed } = splitBulk(items, errorOf);
    const { readPieces: _, ...whole } = raw;
    const done = rest.length === 0 ? nothingDone(raw) : await answer({ ...whole, readBody: async () => rest });
    if (done.status !== 200) return done;
    const joined = writeJson(joinedAnswer(parseJson(done.body), failed, items.length));
    const headers = done.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
    return { status: 200, headers: [...headers, ['content-length', String(joined.length)]], body: joined };
  } catch (error) {
    return refusedRequest(asShoalError(error), raw);
  }
}

/** Answer of a bulk request without items, in the headers of any other. */
function nothingDone(raw: RawHttpRequest): RenderedResponse {
  const { headers } = refusedRequest(statusError({ status: 500 }), raw);
  return { status: 200, headers, body: writeJson({ took: 0, errors: false, items: [] }) };
}

/** null for a target that is none: the node says what is wrong with it. */
function requestOf(method: string, target: string): FaultedRequest | null {
  let parsed: RequestTarget;
  try {
    parsed = parseRequestTarget(target);
  } catch {
    return null; // Told by the node, which reads it again.
  }
  const { path, segments } = parsed;
  const endpoint = segments.find((segment) => segment === BULK || WRITES.has(segment));
  const isWrite = endpoint !== undefined && WRITING_METHODS.has(method);
  return { method, path, writes: !isWrite ? 'nothing' : endpoint === BULK ? 'bulk' : 'document' };
}

function documentOf(target: string): { readonly index: string; readonly id: string } {
  const [index = '', , id = ''] = parseRequestTarget(target).segments;
  return { index, id };
}

/**
 * From the options of `ShoalClient` to requests of the protocol: defaults filled in, documents as bytes.
 */
import { illegalArgument, writeJson } from '@shoal/core';
import type { ClientRequest } from '@shoal/protocol';
import type {
  BulkOperation,
  BulkOptions,
  CountOptions,
  DeleteOptions,
  Document,
  GetOptions,
  HealthOptions,
  IndexOptions,
  SearchOptions,
} from './shoal-client.ts';

const WRITE_TIMEOUT_MS = 60_000;
const HEALTH_TIMEOUT_MS = 30_000;
const LINE_BREAK = 0x0a;

export function indexRequest(options: IndexOptions): ClientRequest {
  return {
    operation: 'index',
    index: named(options.index, 'index'),
    id: options.id === undefined ? null : named(options.id, 'id'),
    opType: options.opType ?? 'index',
    source: documentBytes(options.document),
    ...writeOptions(options),
  };
}

export function deleteRequest(options: DeleteOptions): ClientRequest {
  return {
    operation: 'delete',
    index: named(options.index, 'index'),
    id: named(options.id, 'id'),
    ...writeOptions(options),
  };
}

export function getRequest(options: GetOptions): ClientRequest {
  return {
    operation: 'get',
    index: named(options.index, 'index'),
    id: named(options.id, 'id'),
    routing: options.routing ?? null,
    realtime: options.realtime ?? true,
  };
}

export function bulkRequest(options: BulkOptions): ClientRequest {
  return {
    operation: 'bulk',
    index: options.index ?? null,
    refresh: options.refresh ?? 'none',
    timeoutMs: options.timeoutMs ?? WRITE_TIMEOUT_MS,
    body: bulkBody(options.operations),
  };
}

export function countRequest(options: CountOptions): ClientRequest {
  return {
    operation: 'count',
    indices: indicesOf(options.index),
    routing: options.routing ?? null,
    preference: options.preference ?? null,
    body: options.query === undefined ? null : writeJson({ query: options.query }),
  };
}

export function searchRequest(options: SearchOptions): ClientRequest {
  return {
    operation: 'search',
    indices: indicesOf(options.index),
    routing: options.routing ?? null,
    preference: options.preference ?? null,
    body: options.body === undefined ? null : writeJson(options.body),
  };
}

export function healthRequest(options: HealthOptions): ClientRequest {
  return {
    operation: 'clusterHealth',
    indices: indicesOf(options.index),
    waitForStatus: options.waitForStatus ?? null,
    waitForNodes: options.waitForNodes ?? null,
    timeoutMs: options.timeoutMs ?? HEALTH_TIMEOUT_MS,
  };
}

function writeOptions(options: IndexOptions | DeleteOptions) {
  return {
    routing: options.routing ?? null,
    refresh: options.refresh ?? 'none',
    ifSeqNo: options.ifSeqNo ?? null,
    ifPrimaryTerm: options.ifPrimaryTerm ?? null,
    timeoutMs: options.timeoutMs ?? WRITE_TIMEOUT_MS,
  } as const;
}

function documentBytes(document: Document): Uint8Array {
  return document instanceof Uint8Array ? document : writeJson(document);
}

/** An empty name would turn the request into another one: an empty id of a delete would name the index. */
function named(text: string, field: string): string {
  if (text === '') throw illegalArgument(`[${field}] must not be empty`);
  return text;
}

function indicesOf(index: string | readonly string[] | undefined): readonly string[] {
  if (index === undefined) return [];
  return typeof index === 'string' ? [index] : index;
}

/** NDJSON of the bulk API: a line for each action and for each document, each ended by a line break. */
function bulkBody(operations: readonly BulkOperation[]): Uint8Array {
  const lines: Uint8Array[] = [];
  for (const operation of operations) {
    const { kind, index, id } = operation;
    const routing = operation.kind === 'update' ? undefined : operation.routing;
    lines.push(writeJson({ [kind]: { _index: index, _id: id, routing } }));
    if (operation.kind === 'update') lines.push(oneLine(operation.body));
    else if (operation.kind !== 'delete') lines.push(oneLine(operation.document));
  }
  const body = new Uint8Array(lines.reduce((sum, line) => sum + line.byteLength + 1, 0));
  let at = 0;
  for (const line of lines) {
    body.set(line, at);
    at += line.byteLength;
    body[at++] = LINE_BREAK;
  }
  return body;
}

function oneLine(document: Document): Uint8Array {
  const bytes = documentBytes(document);
  if (bytes.includes(LINE_BREAK)) throw illegalArgument('a document of a bulk request must not contain line breaks');
  return bytes;
}

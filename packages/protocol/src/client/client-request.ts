/**
 * Requests of a client to the cluster: one typed request an operation, coordinated by the node that gets it.
 *
 * The same values are executed in-process by a node client and sent over 9300 by a transport client.
 */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { RefreshPolicy } from '../documents/bulk-shard.ts';
import { malformedSection, type SectionReader } from '../sections/section-reader.ts';
import type { SectionWriter } from '../sections/section-writer.ts';

export type HealthStatus = 'green' | 'yellow' | 'red';

interface WriteOptions {
  readonly index: string;
  readonly routing: string | null;
  readonly refresh: RefreshPolicy;
  /** Longest wait for the primary shard. */
  readonly timeoutMs: number;
}

interface Expected {
  readonly ifSeqNo: number | null;
  readonly ifPrimaryTerm: number | null;
}

export type ClientRequest =
  | (WriteOptions &
      Expected & {
        readonly operation: 'index';
        /** null: the coordinator makes one. */
        readonly id: string | null;
        readonly opType: 'index' | 'create';
        /** JSON of the document. */
        readonly source: Uint8Array;
      })
  | (WriteOptions & Expected & { readonly operation: 'delete'; readonly id: string })
  | {
      readonly operation: 'get';
      readonly index: string;
      readonly id: string;
      readonly routing: string | null;
      readonly realtime: boolean;
    }
  | {
      readonly operation: 'bulk';
      /** Index of the lines that name none; null when each does. */
      readonly index: string | null;
      readonly refresh: RefreshPolicy;
      readonly timeoutMs: number;
      /** NDJSON of the bulk API. */
      readonly body: Uint8Array;
    }
  | {
      readonly operation: 'count' | 'search';
      /** Names, aliases, wildcards; empty for all. */
      readonly indices: readonly string[];
      readonly routing: string | null;
      readonly preference: string | null;
      /** JSON of the request body; null without one. */
      readonly body: Uint8Array | null;
    }
  | {
      readonly operation: 'clusterHealth';
      readonly indices: readonly string[];
      readonly waitForStatus: HealthStatus | null;
      readonly waitForNodes: string | null;
      readonly timeoutMs: number;
    };

export type ClientOperation = ClientRequest['operation'];

const OPERATIONS: readonly ClientOperation[] = ['index', 'delete', 'get', 'bulk', 'count', 'search', 'clusterHealth'];
const REFRESH: readonly RefreshPolicy[] = ['none', 'immediate', 'wait_for'];
const STATUSES: readonly HealthStatus[] = ['green', 'yellow', 'red'];
const INDICES_MAX = 100_000;
/** No client waits longer than a day. */
const TIMEOUT_MAX_MS = 86_400_000;

/** Safe to ask a second node when the first one's answer was lost: it changes nothing. */
export function isRead(operation: ClientOperation): boolean {
  return operation === 'get' || operation === 'count' || operation === 'search' || operation === 'clusterHealth';
}

export function writeClientRequest(request: ClientRequest, sections: SectionWriter): Readonly<Record<string, unknown>> {
  const bytes = bytesOf(request);
  const needsBytes = request.operation === 'index' || request.operation === 'bulk';
  assert(bytes !== null || !needsBytes, `request ${request.operation} without its document`);
  if (bytes !== null) sections.add(bytes);
  const { source: _source, body: _body, ...rest } = { source: null, body: null, ...request };
  return { ...rest, hasBytes: bytes !== null };
}

export function readClientRequest(r: ValueReader, sections: SectionReader): ClientRequest {
  const operation = r.oneOf('operation', OPERATIONS);
  const bytes = r.boolean('hasBytes') ? sections.bytes('bytes') : null;
  switch (operation) {
    case 'index': {
      const opType = r.oneOf('opType', ['index', 'create']);
      const id = r.optionalString('id');
      return { operation, id, opType, source: required(bytes), ...readWrite(r), ...readExpected(r) };
    }
    case 'delete':
      return { operation, id: r.string('id'), ...readWrite(r), ...readExpected(r) };
    case 'get':
      return {
        operation,
        index: r.string('index'),
        id: r.string('id'),
        routing: r.optionalString('routing'),
        realtime: r.boolean('realtime'),
      };
    case 'bulk':
      return {
        operation,
        index: r.optionalString('index'),
        refresh: r.oneOf('refresh', REFRESH),
        timeoutMs: readTimeout(r),
        body: required(bytes),
      };
    case 'count':
    case 'search':
      return {
        operation,
        indices: readIndices(r),
        routing: r.optionalString('routing'),
        preference: r.optionalString('preference'),
        body: bytes,
      };
    case 'clusterHealth':
      return {
        operation,
        indices: readIndices(r),
        waitForStatus: r.optional('waitForStatus', readStatus),
        waitForNodes: r.optionalString('waitForNodes'),
        timeoutMs: readTimeout(r),
      };
  }
}

function bytesOf(request: ClientRequest): Uint8Array | null {
  if (request.operation === 'index') return request.source;
  return 'body' in request ? request.body : null;
}

function required(bytes: Uint8Array | null): Uint8Array {
  if (bytes === null) throw malformedSection('bytes', 'is missing');
  return bytes;
}

function readWrite(r: ValueReader): WriteOptions {
  return {
    index: r.string('index'),
    routing: r.optionalString('routing'),
    refresh: r.oneOf('refresh', REFRESH),
    timeoutMs: readTimeout(r),
  };
}

function readExpected(r: ValueReader): Expected {
  return {
    ifSeqNo: r.optionalInteger('ifSeqNo', 0, Number.MAX_SAFE_INTEGER),
    ifPrimaryTerm: r.optionalInteger('ifPrimaryTerm', 0, Number.MAX_SAFE_INTEGER),
  };
}

function readTimeout(r: ValueReader): number {
  return r.integer('timeoutMs', 0, TIMEOUT_MAX_MS);
}

function readIndices(r: ValueReader): readonly string[] {
  return r.list('indices', ValueReader.asString, INDICES_MAX);
}

const readStatus: ItemReader<HealthStatus> = (value, field) =>
  new ValueReader({ [field]: value }).oneOf(field, STATUSES);

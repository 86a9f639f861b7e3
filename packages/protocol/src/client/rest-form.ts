/**
 * A client's request in the form of the REST API, so that it is coordinated by the very code that answers HTTP.
 */
import type { RefreshPolicy } from '../documents/bulk-shard.ts';
import type { ClientRequest } from './client-request.ts';

export interface RestForm {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

const JSON_TYPE = 'application/json';
const NDJSON_TYPE = 'application/x-ndjson';
const NO_BODY: Uint8Array = new Uint8Array(0);

type Parameters = Readonly<Record<string, string | number | boolean | null>>;

export function restForm(request: ClientRequest): RestForm {
  switch (request.operation) {
    case 'index': {
      const { index, id, opType, source } = request;
      const parameters = { ...writeParameters(request), op_type: opType === 'create' ? 'create' : null };
      const path = id === null ? ['_doc'] : ['_doc', id];
      return {
        method: id === null ? 'POST' : 'PUT',
        target: target([index, ...path], parameters),
        contentType: JSON_TYPE,
        body: source,
      };
    }
    case 'delete':
      return withoutBody('DELETE', target([request.index, '_doc', request.id], writeParameters(request)));
    case 'get': {
      const { index, id, routing, realtime } = request;
      return withoutBody('GET', target([index, '_doc', id], { routing, realtime: realtime ? null : false }));
    }
    case 'bulk': {
      const parameters = { refresh: refreshParameter(request.refresh), timeout: `${request.timeoutMs}ms` };
      const path = request.index === null ? ['_bulk'] : [request.index, '_bulk'];
      return { method: 'POST', target: target(path, parameters), contentType: NDJSON_TYPE, body: request.body };
    }
    case 'count':
    case 'search': {
      const { operation, indices, routing, preference, body } = request;
      const path = [...indexPath(indices), operation === 'count' ? '_count' : '_search'];
      return {
        method: 'POST',
        target: target(path, { routing, preference }),
        contentType: body === null ? null : JSON_TYPE,
        body: body ?? NO_BODY,
      };
    }
    case 'clusterHealth': {
      const { indices, waitForStatus, waitForNodes, timeoutMs } = request;
      const timeout = `${timeoutMs}ms`;
      const parameters = {
        wait_for_status: waitForStatus,
        wait_for_nodes: waitForNodes,
        timeout,
        master_timeout: timeout,
      };
      return withoutBody('GET', target(['_cluster', 'health', ...indexPath(indices)], parameters));
    }
  }
}

function withoutBody(method: RestForm['method'], path: string): RestForm {
  return { method, target: path, contentType: null, body: NO_BODY };
}

function indexPath(indices: readonly string[]): readonly string[] {
  return indices.length === 0 ? [] : [indices.join(',')];
}

function writeParameters(request: ClientRequest & { readonly operation: 'index' | 'delete' }): Parameters {
  return {
    routing: request.routing,
    refresh: refreshParameter(request.refresh),
    timeout: `${request.timeoutMs}ms`,
    if_seq_no: request.ifSeqNo,
    if_primary_term: request.ifPrimaryTerm,
  };
}

function refreshParameter(policy: RefreshPolicy): string | null {
  if (policy === 'none') return null;
  return policy === 'immediate' ? 'true' : 'wait_for';
}

function target(path: readonly string[], parameters: Parameters): string {
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
  const encoded = path.map((part) => `/${encodeURIComponent(part)}`).join('');
  return query === '' ? encoded : `${encoded}?${query}`;
}

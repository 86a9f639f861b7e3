/**
 * A whole request of a client, coordinated by the node that gets it: transport client → any node. Channel `reg`, bulk
 * requests on `bulk`. Beside it the nodes that a sniffing client may use.
 */

import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { SectionReader } from '../sections/section-reader.ts';
import { SectionWriter } from '../sections/section-writer.ts';
import { type ClientRequest, readClientRequest, writeClientRequest } from './client-request.ts';

export interface ClientResponse {
  /** Status of the REST API; an error has 400 and above and its usual body. */
  readonly status: number;
  /** JSON. */
  readonly body: Uint8Array;
}

/** Statuses of HTTP that end a request. */
const STATUS_MIN = 200;
const STATUS_MAX = 599;

export const CLIENT_EXECUTE: ActionCodec<ClientRequest, ClientResponse> = {
  name: 'client:execute',
  writeRequest: (request) => {
    const sections = new SectionWriter();
    return { message: writeClientRequest(request, sections), sections: sections.sections };
  },
  readRequest: (body) => {
    const sections = new SectionReader(body.sections);
    const request = readClientRequest(ValueReader.of(body.message), sections);
    sections.end();
    return request;
  },
  writeResponse: ({ status, body }) => {
    assert(status >= STATUS_MIN && status <= STATUS_MAX, `a client is answered with status ${status}`);
    return { message: { status }, sections: [body] };
  },
  readResponse: (body) => {
    const sections = new SectionReader(body.sections);
    const response = {
      status: ValueReader.of(body.message).integer('status', STATUS_MIN, STATUS_MAX),
      body: sections.bytes('body'),
    };
    sections.end();
    return response;
  },
};

export interface ClientNodesRequest {
  /** True to list only nodes that hold data. */
  readonly onlyData: boolean;
}

export interface ClientNodesResponse {
  readonly nodes: readonly { readonly nodeId: string; readonly host: string; readonly port: number }[];
}

const NODES_MAX = 100_000;
const PORT_MAX = 65_535;

const readNode: ItemReader<ClientNodesResponse['nodes'][number]> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { nodeId: r.string('nodeId'), host: r.string('host'), port: r.integer('port', 1, PORT_MAX) };
};

export const CLIENT_NODES: ActionCodec<ClientNodesRequest, ClientNodesResponse> = {
  name: 'client:nodes',
  writeRequest: (request) => ({ message: { onlyData: request.onlyData } }),
  readRequest: (body) => ({ onlyData: ValueReader.of(body.message).boolean('onlyData') }),
  writeResponse: (response) => ({
    message: { nodes: response.nodes.map(({ nodeId, host, port }) => ({ nodeId, host, port })) },
  }),
  readResponse: (body) => ({ nodes: ValueReader.of(body.message).list('nodes', readNode, NODES_MAX) }),
};

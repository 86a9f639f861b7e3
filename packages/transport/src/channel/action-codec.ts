/**
 * Declaration of an action: its name, and the writers and distrustful readers of its request and response.
 */
import type { Connection, InboundRequest, SendOptions, Transport, WireBody } from './transport.ts';

export interface ActionCodec<Req, Res> {
  /** Elasticsearch's action string, such as `indices:data/read/search[phase/query]`. */
  readonly name: string;
  readonly writeRequest: (request: Req) => WireBody;
  readonly readRequest: (body: WireBody) => Req;
  readonly writeResponse: (response: Res) => WireBody;
  readonly readResponse: (body: WireBody) => Res;
}

/** Sends one typed request. Rejects with a `ShoalError`: the other node's, a timeout, a disconnect, a malformed answer. */
export async function requestWith<Req, Res>(
  connection: Connection,
  codec: ActionCodec<Req, Res>,
  request: Req,
  options: SendOptions,
): Promise<Res> {
  return codec.readResponse(await connection.request(codec.name, codec.writeRequest(request), options));
}

/** Registers a typed handler. What the reader refuses is answered as an error without calling it. */
export function handleWith<Req, Res>(
  transport: Transport,
  codec: ActionCodec<Req, Res>,
  handler: (request: Req, inbound: InboundRequest) => Promise<Res> | Res,
): void {
  transport.handle(codec.name, async (inbound) =>
    codec.writeResponse(await handler(codec.readRequest(inbound), inbound)),
  );
}

/** `handleWith` for answers that are in the form of `writeResponse` already, such as those that another thread wrote. */
export function handleWritten<Req, Res>(
  transport: Transport,
  codec: ActionCodec<Req, Res>,
  handler: (request: Req, inbound: InboundRequest) => Promise<WireBody>,
): void {
  transport.handle(codec.name, (inbound) => handler(codec.readRequest(inbound), inbound));
}

export { type ActionCodec, handleWith, requestWith } from './action-codec.ts';
export {
  NODE_KINDS,
  type NodeIdentity,
  type NodeKind,
  readNodeIdentity,
  writeNodeIdentity,
} from './node-identity.ts';
export type {
  CancelFlag,
  Channel,
  ClosedConnection,
  Connection,
  ConnectOptions,
  InboundRequest,
  InboundResponse,
  RequestHandler,
  SendOptions,
  Transport,
  TransportStats,
  WireBody,
} from './transport.ts';
export { type ItemReader, isMalformedMessage, ValueReader } from './value-reader.ts';

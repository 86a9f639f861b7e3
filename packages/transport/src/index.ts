export { type ActionCodec, handleWith, handleWritten, requestWith } from './action-codec.ts';
export { type CancelSource, createCancelSource } from './cancel-source.ts';
export {
  NODE_KINDS,
  type NodeIdentity,
  type NodeKind,
  readNodeIdentity,
  writeNodeIdentity,
} from './node-identity.ts';
export { localConnection, type StartTransportOptions, startTransport } from './start-transport.ts';
export type {
  CancelFlag,
  Channel,
  ClosedConnection,
  Connection,
  ConnectOptions,
  InboundRequest,
  InboundResponse,
  RequestHandler,
  RequestTracker,
  SendOptions,
  TrackedRequest,
  Transport,
  TransportStats,
  WireBody,
} from './transport.ts';
export {
  dialFailure,
  type HandshakeFailure,
  handshakeFailure,
  nodeNotConnected,
  showAddress,
  showNode,
  taskCancelled,
} from './transport-errors.ts';
export type { TransportSettings } from './transport-settings.ts';
export { type ItemReader, isMalformedMessage, ValueReader } from './value-reader.ts';

export { type ActionCodec, handleWith, handleWritten, requestWith } from './channel/action-codec.ts';
export {
  NODE_KINDS,
  type NodeIdentity,
  type NodeKind,
  readNodeIdentity,
  writeNodeIdentity,
} from './channel/node-identity.ts';
export type {
  Channel,
  ClosedConnection,
  Connection,
  ConnectOptions,
  InboundRequest,
  InboundResponse,
  RefusedPeer,
  RequestHandler,
  RequestTracker,
  SendOptions,
  TrackedRequest,
  Transport,
  TransportStats,
  WireBody,
} from './channel/transport.ts';
export {
  dialFailure,
  type HandshakeFailure,
  handshakeFailure,
  nodeNotConnected,
  showNode,
  taskCancelled,
} from './channel/transport-errors.ts';
export type { TransportSettings } from './channel/transport-settings.ts';
export {
  MESSAGE_LIMITS,
  type MessageLimits,
  messageFault,
  messageHead,
  messageValue,
} from './messages/message-check.ts';
export { createMessageCodec, type MessageCodec } from './messages/message-codec.ts';
export { localConnection, type StartTransportOptions, startTransport } from './start/start-transport.ts';

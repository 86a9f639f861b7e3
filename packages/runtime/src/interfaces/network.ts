/**
 * TCP: listeners, dials and byte streams, and the failures that callers act on.
 */

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface DialOptions {
  readonly connectTimeoutMs: number;
}

export interface Network {
  /** Port 0 asks for any free port. Rejects with `NetworkError` kind `addressInUse` when taken. */
  listen(at: Address, onSocket: (socket: Socket) => void): Promise<Listener>;
  /** Rejects with a `NetworkError`. */
  dial(to: Address, options: DialOptions): Promise<Socket>;
  /** All addresses of a host name; the host itself when it is one already. */
  resolve(host: string): Promise<readonly string[]>;
}

export interface Listener {
  readonly address: Address;
  close(): Promise<void>;
}

/** One TCP byte stream. Handlers are set once, before the first byte is awaited. */
export interface Socket {
  readonly remote: Address;
  readonly local: Address;
  /** Queues bytes; the caller does not touch them afterwards. After `close` it does nothing. */
  write(chunks: readonly Uint8Array[]): void;
  /** Bytes queued and not yet taken by the kernel. */
  readonly pendingBytes: number;
  pause(): void;
  resume(): void;
  /** Sends what is queued, then FIN. */
  end(): void;
  /** Drops everything at once. */
  destroy(): void;
  on(handlers: SocketHandlers): void;
}

export interface SocketHandlers {
  data(chunk: Uint8Array): void;
  /** `pendingBytes` fell to zero after it was above it. */
  drain?(): void;
  /** The last event: the peer or we closed, or the connection failed. */
  closed(reason: string): void;
}

export type NetworkErrorKind =
  | 'refused'
  | 'timeout'
  | 'unreachable'
  | 'addressInUse'
  | 'unresolved'
  | 'reset'
  | 'other';

/** A failed dial or listen, in the few kinds that callers act on. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly kind: NetworkErrorKind;
  constructor(kind: NetworkErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

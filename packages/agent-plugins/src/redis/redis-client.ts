/**
 * Connections to Redis, through the package `redis`: what both plugins use of it, as commands and bytes.
 *
 * The package does not reconnect by itself here: whoever lost a connection decides what comes next.
 */
import { loadOptionalPackage } from '@shoal/agent-plugin-kit';

export interface RedisAddress {
  /** Path of a socket of this machine, or host and port. */
  readonly at: { readonly path: string } | { readonly host: string; readonly port: number };
  readonly database: number;
  readonly password: string | null;
  readonly isTls: boolean;
  readonly timeoutMs: number;
}

/** Bytes are not decoded: a codec reads them. */
export type RedisReply = Buffer | string | number | null | readonly RedisReply[];

export interface RedisConnection {
  send(command: readonly (string | Uint8Array)[]): Promise<RedisReply>;
  /** Calls `take` for each message of the channel, or of each channel that fits the pattern. */
  subscribe(kind: 'channel' | 'pattern', key: string, take: (message: Buffer, channel: string) => void): Promise<void>;
  /** Resolves with what ended the connection; with null after `close`. */
  readonly ended: Promise<Error | null>;
  close(): void;
}

/** RESP's type of texts, which come as bytes. */
const BLOB_STRING = 36;
const PACKAGE = { name: 'redis', version: '6' };

/** The part of the package's client that is used. */
interface PackageClient {
  on(name: 'error' | 'end', listener: (error: Error) => void): unknown;
  connect(): Promise<unknown>;
  destroy(): void;
  readonly isOpen: boolean;
  sendCommand(args: readonly (string | Buffer)[], options: object): Promise<RedisReply>;
  subscribe(channel: string, listener: Listener, isBinary: true): Promise<void>;
  pSubscribe(pattern: string, listener: Listener, isBinary: true): Promise<void>;
}

type Listener = (message: Buffer, channel: Buffer) => void;

/** @throws ShoalError when the package is not installed; the package's errors when nobody answers */
export async function connectRedis(address: RedisAddress, plugin: string): Promise<RedisConnection> {
  const { createClient } = (await loadOptionalPackage(PACKAGE, plugin)) as {
    createClient(options: object): PackageClient;
  };
  const client = createClient({
    // The older protocol is spoken by every server.
    RESP: 2,
    database: address.database,
    ...(address.password === null ? {} : { password: address.password }),
    disableClientInfo: true,
    socket: {
      ...address.at,
      ...(address.isTls ? { tls: true } : {}),
      connectTimeout: address.timeoutMs,
      reconnectStrategy: false,
    },
  });
  let end: (error: Error | null) => void = () => undefined;
  const ended = new Promise<Error | null>((resolve) => (end = resolve));
  client.on('error', (error) => end(error));
  client.on('end', () => end(new Error('the connection was closed')));
  try {
    await client.connect();
  } catch (error) {
    destroy(client);
    throw error;
  }
  return {
    ended,
    send: (command) => client.sendCommand(command.map(argument), { typeMapping: { [BLOB_STRING]: Buffer } }),
    subscribe(kind, key, take) {
      const listener: Listener = (message, channel) => take(message, channel.toString('utf8'));
      return kind === 'channel' ? client.subscribe(key, listener, true) : client.pSubscribe(key, listener, true);
    },
    close() {
      end(null);
      destroy(client);
    },
  };
}

function argument(value: string | Uint8Array): string | Buffer {
  return typeof value === 'string' ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** The package throws when there is no connection to end. */
function destroy(client: PackageClient): void {
  if (client.isOpen) client.destroy();
}

/** @throws ShoalError when the package is not installed: plugins ask before they start. */
export async function requireRedis(plugin: string): Promise<void> {
  await loadOptionalPackage(PACKAGE, plugin);
}

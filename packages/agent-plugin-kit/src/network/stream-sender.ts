/**
 * One connection that bytes are sent over: opened when it is needed, and opened anew after it broke. Whether what broke is sent
 * again is for the plugin to say.
 */
import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { LoopControl } from '../retry/stoppable-wait.ts';

export interface SenderAddress {
  readonly host: string;
  readonly port: number;
}

export class StreamSender {
  private readonly address: SenderAddress;
  /** null: without TLS. */
  private readonly tls: ConnectionOptions | null;
  private readonly control: LoopControl;
  private socket: Socket | null = null;

  constructor(address: SenderAddress, tls: ConnectionOptions | null, control: LoopControl) {
    this.address = address;
    this.tls = tls;
    this.control = control;
  }

  /** Resolves when there is a connection. */
  async connect(): Promise<void> {
    this.socket ??= await this.connected();
  }

  /** Resolves when the kernel has the bytes. After a failure the next call connects anew. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.connect();
    const { socket } = this;
    if (socket === null) throw new Error('the connection was closed');
    try {
      await new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
    } catch (error) {
      socket.destroy();
      this.socket = null;
      throw error;
    }
  }

  /** What was written goes out first. */
  async close(): Promise<void> {
    const { socket } = this;
    if (socket !== null && !socket.destroyed) await new Promise<void>((resolve) => socket.end(resolve));
  }

  private connected(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = this.tls === null ? connect(this.address) : connectTls({ ...this.address, ...this.tls });
      const forget = this.control.onStop(() => void (socket.connecting && socket.destroy()));
      socket.once('error', reject).once('close', () => reject(new Error('the connection was closed')));
      socket.once(this.tls === null ? 'connect' : 'secureConnect', () => {
        forget();
        // From here on a failure shows in the write that it breaks.
        socket.off('error', reject).on('error', () => socket.destroy());
        socket.once('close', () => (this.socket = this.socket === socket ? null : this.socket));
        socket.resume();
        resolve(socket);
      });
    });
  }
}

/**
 * A connection to one memcached server, in its binary protocol: keys may hold any byte. Made when first used, and again
 * after it broke.
 */
import { connect, type Socket } from 'node:net';
import { ShoalError, showHostPort } from '@shoal/core';

const REQUEST = 0x80;
const RESPONSE = 0x81;
const HEADER_BYTES = 24;
const GET = 0x00;
const SET = 0x01;
const VERSION = 0x0b;
const NO_ERROR = 0;
const NOT_FOUND = 1;
/** A server's own limit is 1 MiB unless it was raised. */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
const TIMEOUT_MS = 5_000;

export interface StoredValue {
  readonly flags: number;
  readonly bytes: Buffer;
}

interface Answer {
  readonly status: number;
  readonly extras: Buffer;
  readonly value: Buffer;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class MemcachedConnection {
  readonly name: string;
  private readonly host: string;
  private readonly port: number;
  private socket: Socket | null = null;
  private waiting: Waiting[] = [];
  private received: Buffer = Buffer.alloc(0);

  constructor(host: string, port: number) {
    this.host = host;
    this.port = port;
    this.name = showHostPort({ host, port });
  }

  /** Rejects when the server cannot be reached. */
  async check(): Promise<void> {
    await this.ask(VERSION, '', Buffer.alloc(0), Buffer.alloc(0));
  }

  async get(key: string): Promise<StoredValue | null> {
    const answer = await this.ask(GET, key, Buffer.alloc(0), Buffer.alloc(0));
    if (answer.status === NOT_FOUND) return null;
    this.checkStatus(answer);
    return { flags: answer.extras.length >= 4 ? answer.extras.readUInt32BE(0) : 0, bytes: answer.value };
  }

  /** @param ttl seconds; 0 for ever */
  async set(key: string, value: StoredValue, ttl: number): Promise<void> {
    const extras = Buffer.alloc(8);
    extras.writeUInt32BE(value.flags, 0);
    extras.writeUInt32BE(ttl, 4);
    this.checkStatus(await this.ask(SET, key, extras, value.bytes));
  }

  close(): void {
    this.socket?.destroy();
    this.socket = null;
  }

  private checkStatus(answer: Answer): void {
    if (answer.status === NO_ERROR) return;
    throw failure(this.name, `status ${answer.status}: ${answer.value.toString('utf8').slice(0, 200)}`);
  }

  private ask(opcode: number, key: string, extras: Buffer, value: Buffer): Promise<Answer> {
    const name = Buffer.from(key);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt8(REQUEST, 0);
    header.writeUInt8(opcode, 1);
    header.writeUInt16BE(name.length, 2);
    header.writeUInt8(extras.length, 4);
    header.writeUInt32BE(name.length + extras.length + value.length, 8);
    const socket = this.opened();
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      socket.write(Buffer.concat([header, extras, name, value]));
    });
  }

  private opened(): Socket {
    if (this.socket !== null) return this.socket;
    const socket = connect({ host: this.host, port: this.port });
    this.socket = socket;
    this.received = Buffer.alloc(0);
    socket.setNoDelay(true);
    // Counts only while an answer is awaited: a quiet connection is none that failed.
    socket.setTimeout(TIMEOUT_MS, () => {
      if (this.waiting.length > 0) socket.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`));
    });
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.end(socket, error));
    socket.on('close', () => this.end(socket, new Error('the connection was closed')));
    return socket;
  }

  private end(socket: Socket, error: Error): void {
    if (this.socket === socket) this.socket = null;
    const { waiting } = this;
    this.waiting = [];
    for (const one of waiting) one.reject(failure(this.name, error.message));
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    while (this.received.length >= HEADER_BYTES) {
      const size = this.received.readUInt32BE(8);
      if (this.received[0] !== RESPONSE || size > ANSWER_BYTES_MAX) {
        this.socket?.destroy(new Error('the answer is none of memcached'));
        return;
      }
      if (this.received.length < HEADER_BYTES + size) return;
      const extras = this.received.readUInt8(4);
      const begin = HEADER_BYTES + extras + this.received.readUInt16BE(2);
      const answer = {
        status: this.received.readUInt16BE(6),
        extras: this.received.subarray(HEADER_BYTES, HEADER_BYTES + extras),
        value: this.received.subarray(begin, HEADER_BYTES + size),
      };
      this.received = this.received.subarray(HEADER_BYTES + size);
      this.waiting.shift()?.resolve(answer);
    }
  }
}

function failure(name: string, why: string): ShoalError {
  return new ShoalError('memcached_exception', 503, `${name}: ${why}`);
}

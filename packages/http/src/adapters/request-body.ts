/**
 * Reads the body of a request from its socket: never more than the limit, packed or unpacked.
 *
 * The limit holds for what comes in and for what it unpacks to, so that a small gzip cannot fill the memory.
 */
import type { IncomingMessage } from 'node:http';
import { gunzip, inflate } from 'node:zlib';
import { assert, illegalArgument, ShoalError } from '@shoal/core';
import type { BodyLease } from './body-budget.ts';

type Unpack = (packed: Uint8Array, bytesMax: number) => Promise<Uint8Array>;

const UNPACKERS: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', unpackWith(gunzip)],
  ['x-gzip', unpackWith(gunzip)],
  ['deflate', unpackWith(inflate)],
]);

const NOTHING = new Uint8Array(0);
const TOO_LARGE_CODE = 'ERR_BUFFER_TOO_LARGE';

export interface BodyLimits {
  /** Most bytes of this body, packed and unpacked. */
  readonly bytesMax: number;
  /** Budget of all bodies together. */
  readonly lease: BodyLease;
  /** Called before the first byte is read, when nothing speaks against the body so far. */
  readonly onWanted: () => void;
}

/** Rejects with 413 above `bytesMax`, 429 above the budget, 400 for a broken packing, 415 for an unknown one. */
export async function readRequestBody(request: IncomingMessage, limits: BodyLimits): Promise<Uint8Array> {
  const { bytesMax, lease } = limits;
  // Without one of the two headers that announce a body there is none, and node:http ends the request by itself.
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if ((length === undefined || length === '0') && transfer === undefined) return NOTHING;
  const announced = Number(length ?? '0');
  if (announced > bytesMax) throw contentTooLong(announced, bytesMax);
  const unpack = unpackerOf(request.headers['content-encoding']);
  const packed = await collect(request, limits);
  if (packed.length === 0 || unpack === null) return packed;
  const unpacked = await unpack(packed, bytesMax);
  lease.take(unpacked.length);
  return unpacked;
}

/** A body that is in memory already, as its sender packed it. Rejects as `readRequestBody` does. */
export async function unpackBody(
  body: Uint8Array,
  encoding: string | undefined,
  bytesMax: number,
): Promise<Uint8Array> {
  if (body.length > bytesMax) throw contentTooLong(body.length, bytesMax);
  const unpack = unpackerOf(encoding);
  return unpack === null || body.length === 0 ? body : unpack(body, bytesMax);
}

/** null: bodies of that encoding are not packed. */
function unpackerOf(header: string | undefined): Unpack | null {
  const encoding = (header ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return null;
  const unpack = UNPACKERS.get(encoding);
  if (unpack === undefined) {
    throw new ShoalError(
      'illegal_argument_exception',
      415,
      `Content-Encoding [${encoding}] is not supported, use gzip`,
    );
  }
  return unpack;
}

function collect(request: IncomingMessage, { bytesMax, lease, onWanted }: BodyLimits): Promise<Uint8Array> {
  onWanted();
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = [];
    let size = 0;
    let isRefused = false;
    const refuse = (error: unknown): void => {
      // The rest is read and dropped (the server bounds for how long): a closed socket would hide the answer.
      chunks = [];
      isRefused = true;
      reject(error);
    };
    request.on('data', (chunk: Uint8Array) => {
      if (isRefused) return;
      size += chunk.length;
      try {
        if (size > bytesMax) throw contentTooLong(size, bytesMax);
        lease.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refuse(error);
      }
    });
    request.on('end', () => {
      if (isRefused) return;
      const [only] = chunks;
      const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      assert(
        body.length === size && size <= bytesMax,
        `a body of ${body.length} bytes, ${size} read, limit ${bytesMax}`,
      );
      resolve(body);
    });
    request.on('error', (error) => reject(illegalArgument(`request body could not be read: ${error.message}`)));
  });
}

function unpackWith(algorithm: typeof gunzip): Unpack {
  return (packed, bytesMax) =>
    new Promise((resolve, reject) => {
      algorithm(packed, { maxOutputLength: bytesMax }, (error, bytes) => {
        if (error === null) resolve(bytes);
        else if ((error as NodeJS.ErrnoException).code === TOO_LARGE_CODE)
          reject(contentTooLong(bytesMax + 1, bytesMax));
        else reject(illegalArgument(`request body could not be decompressed: ${error.message}`));
      });
    });
}

function contentTooLong(bytes: number, bytesMax: number): ShoalError {
  return new ShoalError(
    'content_too_long_exception',
    413,
    `entity content is too long [${bytes}] for the configured limit [${bytesMax}]`,
  );
}

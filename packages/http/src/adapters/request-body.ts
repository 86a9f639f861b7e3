/**
 * Reads the body of a request from its socket: never more than the limit, packed or unpacked.
 *
 * The limit holds for what comes in and for what it unpacks to, so that a small gzip cannot fill the memory.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, createInflate, gunzip, inflate } from 'node:zlib';
import { assert, BytePieces, illegalArgument, ShoalError } from '@shoal/core';
import type { BodyLease } from './body-budget.ts';
import { LineCutter, PIECE_BYTES } from './line-cutter.ts';

/** How a body is packed: unpacked at once, or as it comes. */
interface Packing {
  readonly unpack: typeof gunzip;
  readonly stream: typeof createGunzip;
}

const GZIP: Packing = { unpack: gunzip, stream: createGunzip };
const PACKINGS: ReadonlyMap<string, Packing> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', { unpack: inflate, stream: createInflate }],
]);

const NOTHING = new Uint8Array(0);
const TOO_LARGE_CODE = 'ERR_BUFFER_TOO_LARGE';
/** Bytes that are unpacked at a time. */
const UNPACKED_BYTES = PIECE_BYTES / 4;

export interface BodyLimits {
  /** Most bytes of this body, packed and unpacked. */
  readonly bytesMax: number;
  /** Budget of all bodies together. */
  readonly lease: BodyLease;
  /** Called before the first byte is read, when nothing speaks against the body so far. */
  readonly onWanted: () => void;
}

/** What the headers say of a body. */
interface BodyHead {
  /** Bytes as sent; 0: not said. */
  readonly announced: number;
  /** null: sent as it is. */
  readonly packing: Packing | null;
}

/** Rejects with 413 above `bytesMax`, 429 above the budget, 400 for a broken packing, 415 for an unknown one. */
export async function readRequestBody(request: IncomingMessage, limits: BodyLimits): Promise<Uint8Array> {
  const head = bodyHead(request, limits.bytesMax);
  if (head === null) return NOTHING;
  const body = await collect(request, limits);
  if (head.packing === null || body.length === 0) return body;
  const unpacked = await unpackedBy(head.packing, body, limits.bytesMax);
  limits.lease.take(unpacked.length);
  return unpacked;
}

/** A body that is in memory already, as its sender packed it. Rejects as `readRequestBody` does. */
export async function unpackBody(
  body: Uint8Array,
  encoding: string | undefined,
  bytesMax: number,
): Promise<Uint8Array> {
  if (body.length > bytesMax) throw contentTooLong(body.length, bytesMax);
  const packing = packingOf(encoding);
  return packing === null || body.length === 0 ? body : unpackedBy(packing, body, bytesMax);
}

/**
 * Reads a body of lines as pieces of whole lines. Rejects as `readRequestBody` does; what is packed is unpacked as it comes, so that
 * the body is in memory once. A piece that is dropped goes back to the budget.
 */
export async function readRequestPieces(request: IncomingMessage, limits: BodyLimits): Promise<BytePieces> {
  const head = bodyHead(request, limits.bytesMax);
  if (head === null) return new BytePieces([]);
  const cutter = new LineCutter(head.packing === null ? head.announced : 0);
  const take = (chunk: Uint8Array): void => cutter.add(chunk);
  await (head.packing === null
    ? feed(request, limits, take)
    : feedUnpacked(request, head.packing, { ...limits, take }));
  return new BytePieces(cutter.finish(), (bytes) => limits.lease.give(bytes));
}

/** null: there is no body. */
function bodyHead(request: IncomingMessage, bytesMax: number): BodyHead | null {
  // Without one of the two headers that announce a body there is none, and node:http ends the request by itself.
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if ((length === undefined || length === '0') && transfer === undefined) return null;
  const announced = Number(length ?? '0');
  if (announced > bytesMax) throw contentTooLong(announced, bytesMax);
  return { announced, packing: packingOf(request.headers['content-encoding']) };
}

/** null: bodies of that encoding are not packed. */
function packingOf(header: string | undefined): Packing | null {
  const encoding = (header ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return null;
  const packing = PACKINGS.get(encoding);
  if (packing !== undefined) return packing;
  throw new ShoalError('illegal_argument_exception', 415, `Content-Encoding [${encoding}] is not supported, use gzip`);
}

async function collect(request: IncomingMessage, limits: BodyLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await feed(request, limits, (chunk) => {
    chunks.push(chunk);
  });
  const [only] = chunks;
  const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
  assert(body.length <= limits.bytesMax, `a body of ${body.length} bytes, limit ${limits.bytesMax}`);
  return body;
}

/** Gives the chunks of a body to `take`, each charged before. */
function feed(
  request: IncomingMessage,
  { bytesMax, lease, onWanted }: BodyLimits,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  onWanted();
  return new Promise((resolve, reject) => {
    let size = 0;
    const onChunk = (chunk: Uint8Array): void => {
      size += chunk.length;
      try {
        if (size > bytesMax) throw contentTooLong(size, bytesMax);
        lease.take(chunk.length);
        take(chunk);
      } catch (error) {
        dropRest(request, onChunk);
        reject(error);
      }
    };
    request.on('data', onChunk);
    request.on('end', resolve);
    request.on('error', (error) => reject(unreadable(error)));
  });
}

interface UnpackedLimits extends BodyLimits {
  readonly take: (chunk: Uint8Array) => void;
}

/** Gives a body to `take` as it is unpacked, each chunk charged before; what was unpacked is not held. */
function feedUnpacked(
  request: IncomingMessage,
  packing: Packing,
  { bytesMax, lease, onWanted, take }: UnpackedLimits,
): Promise<void> {
  onWanted();
  return new Promise((resolve, reject) => {
    const unpacking = packing.stream({ chunkSize: UNPACKED_BYTES });
    let packedSize = 0;
    let size = 0;
    const refuse = (error: unknown): void => {
      request.unpipe(unpacking);
      dropRest(request, onPacked);
      unpacking.destroy();
      reject(error);
    };
    const onPacked = (chunk: Uint8Array): void => {
      packedSize += chunk.length;
      if (packedSize > bytesMax) refuse(contentTooLong(packedSize, bytesMax));
    };
    unpacking.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      try {
        if (size > bytesMax) throw contentTooLong(bytesMax + 1, bytesMax);
        lease.take(chunk.length);
        take(chunk);
      } catch (error) {
        refuse(error);
      }
    });
    unpacking.on('end', resolve);
    unpacking.on('error', (error) => (packedSize === 0 ? resolve() : refuse(notUnpacked(error))));
    request.on('data', onPacked);
    request.on('error', (error) => refuse(unreadable(error)));
    request.pipe(unpacking);
  });
}

/** Reads the rest and drops it (the server bounds for how long): a closed socket would hide the answer. */
function dropRest(request: Readable, listener: (chunk: Uint8Array) => void): void {
  request.off('data', listener);
  request.resume();
}

function unpackedBy({ unpack }: Packing, packed: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    unpack(packed, { maxOutputLength: bytesMax }, (error, bytes) => {
      if (error === null) resolve(bytes);
      else if ((error as NodeJS.ErrnoException).code === TOO_LARGE_CODE) reject(contentTooLong(bytesMax + 1, bytesMax));
      else reject(notUnpacked(error));
    });
  });
}

function notUnpacked(error: Error): ShoalError {
  return illegalArgument(`request body could not be decompressed: ${error.message}`);
}

function unreadable(error: Error): ShoalError {
  return illegalArgument(`request body could not be read: ${error.message}`);
}

function contentTooLong(bytes: number, bytesMax: number): ShoalError {
  return new ShoalError(
    'content_too_long_exception',
    413,
    `entity content is too long [${bytes}] for the configured limit [${bytesMax}]`,
  );
}

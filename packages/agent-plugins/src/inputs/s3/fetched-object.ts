/**
 * An object on this machine, in a file without a name: it is gone when it is closed, and when the process ends.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ShoalError } from '@shoal/core';
import type { S3Client } from '../../aws/s3-client.ts';

const PIECE_BYTES = 256 * 1024;

export interface ObjectTarget {
  readonly bucket: string;
  readonly key: string;
}

export class FetchedObject {
  readonly headers: IncomingHttpHeaders;
  private readonly handle: FileHandle;

  private constructor(handle: FileHandle, headers: IncomingHttpHeaders) {
    this.handle = handle;
    this.headers = headers;
  }

  /** @throws ShoalError when it cannot be had whole */
  static async fetch(client: S3Client, target: ObjectTarget, folder: string): Promise<FetchedObject> {
    const answer = await client.open({ method: 'GET', ...target });
    const handle = await nameless(folder, target);
    try {
      let size = 0;
      for await (const chunk of answer.body) size += await written(handle, chunk, size);
      const expected = answer.headers['content-length'];
      if (expected !== undefined && size !== Number(expected))
        throw new ShoalError('http_exception', 502, `S3 sent ${size} of ${expected} bytes of [${target.key}]`);
      return new FetchedObject(handle, answer.headers);
    } catch (error) {
      answer.body.destroy();
      await handle.close();
      throw error;
    }
  }

  /** The contents from their begin. A stream of the file itself would close it when it is destroyed. */
  stream(): Readable {
    return Readable.from(pieces(this.handle), { objectMode: false });
  }

  async copyTo(path: string): Promise<void> {
    await pipeline(this.stream(), createWriteStream(path));
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

async function* pieces(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** Answers the length of the piece. */
async function written(handle: FileHandle, piece: Uint8Array, position: number): Promise<number> {
  for (let done = 0; done < piece.length; )
    done += (await handle.write(piece, done, piece.length - done, position + done)).bytesWritten;
  return piece.length;
}

async function nameless(folder: string, { bucket, key }: ObjectTarget): Promise<FileHandle> {
  const digest = createHash('md5').update(`${bucket}/${key}`).digest('hex');
  // Another input may be at the same object: whoever opens the name last has it, and each keeps a file of its own.
  const path = join(folder, `s3-input-${process.pid}-${digest}`);
  await unlink(path).catch(() => undefined);
  const handle = await open(path, 'wx+');
  await unlink(path);
  return handle;
}

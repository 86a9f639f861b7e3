/**
 * A compressed file that a crash left: its end may be missing, and then most readers refuse it. What can be read of it is
 * compressed once more, under a name that says so.
 */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';

const EXTENSION = '.txt.gz';
const MENDED = `-recovered${EXTENSION}`;

export interface GzipFile {
  readonly path: string;
  readonly key: string;
}

/** The file itself when it is whole; null when nothing of it can be read. */
export async function wholeGzip(file: GzipFile): Promise<GzipFile | null> {
  if (await isWhole(file.path)) return file;
  const mended = { path: mendedName(file.path), key: mendedName(file.key) };
  // A crash after the name was given: the contents are there, and the broken file is still beside them.
  if (!existsSync(mended.path) && !(await mend(file.path, mended.path))) return null;
  await rm(file.path);
  return mended;
}

/** Whether this is the mended form of another file. */
export function isMended(path: string): boolean {
  return path.endsWith(MENDED);
}

export function mendedName(name: string): string {
  return `${name.slice(0, -EXTENSION.length)}${MENDED}`;
}

async function isWhole(path: string): Promise<boolean> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return pipeline(createReadStream(path), createGunzip(), nowhere).then(
    () => true,
    // Cut off, or damaged: how much of it is good is found out when it is mended.
    () => false,
  );
}

/** Answers whether there was anything to keep. */
async function mend(from: string, to: string): Promise<boolean> {
  // Not a name of a file to upload: half of it may be left again.
  const unfinished = `${to}.unfinished`;
  let bytes = 0;
  async function* readable(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of createReadStream(from).pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }))) {
        bytes += chunk.length;
        yield chunk;
      }
    } catch {
      // Damage ends what can be read.
    }
  }
  await pipeline(readable, createGzip(), createWriteStream(unfinished));
  if (bytes === 0) await rm(unfinished);
  else await rename(unfinished, to);
  return bytes > 0;
}

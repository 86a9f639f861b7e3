/**
 * How a second command reaches a running `shoal up`: a file in the data folder, which only its owner reads, names a port of loopback and a
 * secret. Who cannot read the file cannot ask anything; who can may as well end the processes.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Control {
  readonly port: number;
  readonly secret: string;
}

const NAME = 'up.control';
/** Read and written by its owner alone. */
const MODE = 0o600;

export async function writeControl(dataPath: string, control: Control): Promise<void> {
  const path = join(dataPath, NAME);
  // A file that is there keeps the rights that it has.
  await rm(path, { force: true });
  await writeFile(path, JSON.stringify(control), { mode: MODE, flag: 'wx' });
}

export function removeControl(dataPath: string): Promise<void> {
  return rm(join(dataPath, NAME), { force: true });
}

/** null: nothing was started on that folder, or it was told to end. */
export async function readControl(dataPath: string): Promise<Control | null> {
  let text: string;
  try {
    text = await readFile(join(dataPath, NAME), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const { port, secret } = JSON.parse(text) as Partial<Control>;
  if (typeof port !== 'number' || typeof secret !== 'string') throw new Error(`[${join(dataPath, NAME)}] is damaged`);
  return { port, secret };
}

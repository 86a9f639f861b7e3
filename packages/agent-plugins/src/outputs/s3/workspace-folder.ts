/**
 * Folders of files that are not uploaded yet: `<temporary_directory>/<UUID>/<prefix>/<name>`, as Logstash lays them, so that
 * files it left are found too.
 *
 * A note in each folder says which bucket and key its file is for, and which process writes it: an output that starts must
 * not take away the files of another one that is at work. A file without a note was left by Logstash, or by nobody known.
 */
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { randomUuidText } from '@shoal/agent-plugin-kit';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Hidden, and so not taken for a file to upload. */
const NOTE = '.shoal';
/** Names of files that are to be uploaded. */
const FILE_NAME = /^ls\.s3\..*\.txt(\.gz)?$/s;

interface Note {
  readonly bucket: string;
  readonly key: string;
  /** null: nobody writes it any more. */
  readonly writer: string | null;
}

export interface LeftFile {
  readonly folder: string;
  readonly path: string;
  readonly key: string;
}

/** Makes the folder of one file. Answers it with the path that the file is to have. */
export async function makeFolder(
  random: Parameters<typeof randomUuidText>[0],
  root: string,
  file: { readonly bucket: string; readonly key: string },
): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = join(root, randomUuidText(random));
  const path = join(folder, file.key);
  await mkdir(dirname(path), { recursive: true });
  await writeNote(folder, { ...file, writer: thisProcess() });
  return { folder, path };
}

/** Leaves the file to whoever restores it. */
export function releaseFolder(folder: string, file: { readonly bucket: string; readonly key: string }): Promise<void> {
  return writeNote(folder, { ...file, writer: null });
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/** Files for the bucket that nobody writes any more. */
export async function leftFiles(root: string, bucket: string): Promise<readonly LeftFile[]> {
  const found: LeftFile[] = [];
  for (const name of await readdir(root)) {
    if (!UUID.test(name)) continue;
    const folder = join(root, name);
    const note = await readNote(folder);
    if (note !== null && (note.bucket !== bucket || isAlive(note.writer))) continue;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile() || !FILE_NAME.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      found.push({ folder, path, key: note?.key ?? relative(folder, path).split(sep).join('/') });
    }
  }
  return found;
}

function writeNote(folder: string, note: Note): Promise<void> {
  return writeFile(join(folder, NOTE), JSON.stringify(note));
}

async function readNote(folder: string): Promise<Note | null> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, NOTE), 'utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const { bucket, key, writer }: Partial<Record<string, unknown>> = { ...value };
    if (typeof bucket !== 'string' || typeof key !== 'string') return null;
    return { bucket, key, writer: typeof writer === 'string' ? writer : null };
  } catch {
    // There is none, or it was cut off with the file: what the file is for then follows from its path.
    return null;
  }
}

/** A process by its number and its start: numbers are given again, in containers at every start. */
function thisProcess(): string {
  return `${process.pid}:${startOf(process.pid) ?? ''}`;
}

function isAlive(writer: string | null): boolean {
  const [number = '', start = ''] = (writer ?? '').split(':');
  const id = Number(number);
  if (!Number.isInteger(id) || id <= 0) return false;
  if (start !== '') return startOf(id) === start;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code === 'EPERM';
  }
}

/** Ticks since the start of the machine, where the system tells; null where it does not, or there is no such process. */
function startOf(id: number): string | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The name of the program stands in brackets, and may have any characters: what follows the last one is counted.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/**
 * How far each file was read, on disk: one line a file, `inode major minor position last_active path`.
 *
 * What the files hold (`file-fingerprint`) stands in a file beside it, `PATH.fingerprints`, so that Logstash reads this one.
 *
 * Replaced as a whole by renaming, so that a process that is killed leaves the old or the new one, never half of one. A
 * position is only ever that of events the queue has taken: after a crash lines may come twice, none is lost.
 */
import { open, readFile, rename } from 'node:fs/promises';
import { type Fingerprint, fingerprintText, parseFingerprint } from './file-fingerprint.ts';

export interface FilePosition {
  /** Bytes. */
  position: number;
  /** Seconds since 1970. */
  lastActive: number;
  path: string;
}

/** Who a file is, whatever its name: inode and device. */
export function fileIdentity(stat: { readonly ino: number; readonly dev: number }): string {
  const major = Math.floor(stat.dev / 256) % 4096;
  const minor = (stat.dev % 256) + Math.floor(stat.dev / 1_048_576) * 256;
  return `${stat.ino} ${major} ${minor}`;
}

export class Sincedb {
  readonly positions: Map<string, FilePosition> = new Map();
  /** Content of the files in `positions`, as far as it was looked at. */
  readonly fingerprints: Map<string, Fingerprint> = new Map();
  private readonly path: string | null;
  private readonly keptSeconds: number;
  isDirty = false;
  private writing: Promise<void> = Promise.resolve();

  /** @param path null keeps nothing */
  constructor(path: string | null, keptSeconds: number) {
    this.path = path;
    this.keptSeconds = keptSeconds;
  }

  /** A line that is none is passed over: the file may have been edited by hand. */
  async load(): Promise<void> {
    if (this.path === null) return;
    const text = await readIfThere(this.path);
    for (const line of text.split('\n')) {
      const match = /^(\d+) (\d+) (\d+) (\d+)(?: ([\d.]+)(?: (.*))?)?$/.exec(line);
      if (match === null) continue;
      const [, inode, major, minor, position, lastActive, path] = match;
      this.positions.set(`${inode} ${major} ${minor}`, {
        position: Number(position),
        lastActive: Number(lastActive ?? 0),
        path: path ?? '',
      });
    }
    for (const line of (await readIfThere(fingerprintPath(this.path))).split('\n')) {
      const [, identity = '', text = ''] = /^(\d+ \d+ \d+) (.*)$/.exec(line) ?? [];
      const fingerprint = parseFingerprint(text);
      if (fingerprint !== null && this.positions.has(identity)) this.fingerprints.set(identity, fingerprint);
    }
  }

  set(identity: string, position: FilePosition): void {
    this.positions.set(identity, position);
    this.isDirty = true;
  }

  forget(identity: string): void {
    this.fingerprints.delete(identity);
    if (this.positions.delete(identity)) this.isDirty = true;
  }

  /**
   * Writes the positions of this moment once `mayWrite` resolves; one write at a time. Does nothing when nothing changed.
   * What could not be written is tried again by the next call.
   */
  save(nowSeconds: number, mayWrite: () => Promise<void> = async () => {}): Promise<void> {
    const written = this.writing.then(async () => {
      if (this.path === null || !this.isDirty) return;
      this.isDirty = false;
      const [text, fingerprints] = [this.text(nowSeconds), this.fingerprintText()];
      await mayWrite();
      // Positions first: the old fingerprint of a file whose inode was given on lets it be read again, a new one with an old
      // position would skip what it holds.
      await replaceFile(this.path, text);
      await replaceFile(fingerprintPath(this.path), fingerprints);
    });
    this.writing = written.catch(() => {
      this.isDirty = true;
    });
    return written;
  }

  private text(nowSeconds: number): string {
    const lines: string[] = [];
    for (const [identity, { position, lastActive, path }] of this.positions) {
      if (nowSeconds - lastActive > this.keptSeconds) {
        this.positions.delete(identity);
        this.fingerprints.delete(identity);
      } else lines.push(`${identity} ${position} ${lastActive.toFixed(3)} ${path}\n`);
    }
    return lines.join('');
  }

  private fingerprintText(): string {
    return [...this.fingerprints].map(([identity, found]) => `${identity} ${fingerprintText(found)}\n`).join('');
  }
}

function fingerprintPath(path: string): string {
  return `${path}.fingerprints`;
}

/** Empty when there is none, as at the first start. One that cannot be read must not pass for that: all would be read again. */
async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w');
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

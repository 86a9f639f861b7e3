/**
 * The HTTP access log in combined log format, one line an answer, appended to a file of the node's disk.
 *
 * Writing never holds up an answer: lines wait in a bounded buffer while the file is written, and are counted and dropped
 * above it. The files are bounded too: a full one is renamed, and of those only the newest stay. A disk that refuses stops
 * the log with one line in the node's own log, not the node.
 */
import { messageOf } from '@shoal/core';
import type { Cancel, File, Runtime } from '@shoal/runtime';

export interface AccessEntry {
  readonly remoteAddress: string;
  readonly method: string;
  readonly target: string;
  readonly protocol: string;
  readonly status: number;
  readonly bytes: number;
  readonly referrer: string | null;
  readonly userAgent: string | null;
}

export interface AccessLog {
  write(entry: AccessEntry): void;
  /** Resolves when all lines are in the file. */
  close(): Promise<void>;
}

export interface AccessLogOptions {
  readonly path: string;
  /** A file that would become longer is renamed to `PATH.1` and a new one begun. */
  readonly fileBytesMax: number;
}

/** Most characters that wait for the disk: some ten thousand usual lines, some hundred hostile ones. */
const BUFFERED_CHARS_MAX = 4 * 1024 * 1024;
/** Characters encoded and written at once: a fraction of a millisecond of the main thread. */
const WRITE_CHARS_MAX = 256 * 1024;
/** Milliseconds for which lines are gathered: a write for each would cost a busy node more than its answers. */
const GATHER_MS = 100;
/** Full files that stay beside the current one, `PATH.1` the newest. */
const FULL_FILES_KEPT = 2;
const FIELD_CHARS_MAX = 2_048;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const ESCAPED = /["\\\p{Cc}]/u;
const ALL_ESCAPED = /["\\\p{Cc}]/gu;

/** Opens (or makes) the file; rejects with a `DiskError`. */
export async function openAccessLog(runtime: Runtime, options: AccessLogOptions): Promise<AccessLog> {
  const file = await runtime.disk.open(options.path, 'append');
  return new FileAccessLog(runtime, options, { file, offset: await file.sizeBytes() });
}

interface OpenFile {
  readonly file: File;
  offset: number;
}

class FileAccessLog implements AccessLog {
  readonly #runtime: Runtime;
  readonly #options: AccessLogOptions;
  #current: OpenFile;
  #lines: string[] = [];
  #bufferedChars = 0;
  #second = Number.NaN;
  #secondText = '';
  #dropped = 0;
  #isBroken = false;
  #cancelTimer: Cancel | null = null;
  #writing: Promise<void> | null = null;

  constructor(runtime: Runtime, options: AccessLogOptions, current: OpenFile) {
    this.#runtime = runtime;
    this.#options = options;
    this.#current = current;
  }

  write(entry: AccessEntry): void {
    if (this.#isBroken) return;
    if (this.#bufferedChars >= BUFFERED_CHARS_MAX) {
      this.#dropped++;
      return;
    }
    const line = lineAt(entry, this.#time());
    this.#lines.push(line);
    this.#bufferedChars += line.length;
    this.#cancelTimer ??= this.#runtime.sched.after(GATHER_MS, () => {
      this.#cancelTimer = null;
      this.#startDrain();
    });
  }

  /** Writes what waits, unless a drain is under way, which takes it along. */
  #startDrain(): void {
    // Cleared in a microtask of its own: a drain that finds nothing ends before its promise is assigned.
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = null;
      if (this.#lines.length > 0) this.#startDrain();
    });
  }

  /** Date part of a line, rendered once a second. */
  #time(): string {
    const second = Math.floor(this.#runtime.clock.wallMs() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = clfTime(second * 1000);
    }
    return this.#secondText;
  }

  async close(): Promise<void> {
    this.#cancelTimer?.();
    while (this.#writing !== null) await this.#writing;
    await this.#drain();
    await this.#current.file.close();
  }

  async #drain(): Promise<void> {
    try {
      while (this.#lines.length > 0) {
        const lines = this.#lines;
        this.#lines = [];
        this.#bufferedChars = 0;
        for (const part of parts(lines)) await this.#append(new TextEncoder().encode(part));
      }
      if (this.#dropped > 0) this.#runtime.log.warn('access log could not keep up', { droppedLines: this.#dropped });
      this.#dropped = 0;
    } catch (error) {
      // Answers matter more than their log: it ends here, and says so.
      this.#isBroken = true;
      this.#lines = [];
      this.#runtime.log.error('access log stopped', { error: messageOf(error) });
    }
  }

  async #append(bytes: Uint8Array): Promise<void> {
    const { offset } = this.#current;
    if (offset > 0 && offset + bytes.length > this.#options.fileBytesMax) await this.#rotate();
    await this.#current.file.write(bytes, this.#current.offset);
    this.#current.offset += bytes.length;
  }

  /** Starts a new file by renaming the full one: a process that follows it reads its end under the new name. */
  async #rotate(): Promise<void> {
    const { disk } = this.#runtime;
    const { path } = this.#options;
    for (let age = FULL_FILES_KEPT; age > 1; age--) {
      if (await disk.exists(`${path}.${age - 1}`)) await disk.rename(`${path}.${age - 1}`, `${path}.${age}`);
    }
    await disk.rename(path, `${path}.1`);
    const full = this.#current.file;
    this.#current = { file: await disk.open(path, 'create'), offset: 0 };
    await full.close();
  }
}

/** Whole lines, in pieces of about `WRITE_CHARS_MAX`. */
function* parts(lines: readonly string[]): Generator<string> {
  let first = 0;
  let chars = 0;
  for (const [position, line] of lines.entries()) {
    if (chars > 0 && chars + line.length > WRITE_CHARS_MAX) {
      yield lines.slice(first, position).join('');
      first = position;
      chars = 0;
    }
    chars += line.length;
  }
  yield lines.slice(first).join('');
}

/** `host - - [10/Oct/2000:13:55:36 +0000] "GET / HTTP/1.1" 200 2326 "referrer" "agent"` with a line break. */
export function combinedLine(entry: AccessEntry, wallMs: number): string {
  return lineAt(entry, clfTime(wallMs));
}

function lineAt(entry: AccessEntry, time: string): string {
  const request = quoted(`${entry.method} ${entry.target} ${entry.protocol}`);
  const bytes = entry.bytes === 0 ? '-' : String(entry.bytes);
  const tail = `${quoted(entry.referrer ?? '-')} ${quoted(entry.userAgent ?? '-')}`;
  return `${entry.remoteAddress} - - [${time}] ${request} ${entry.status} ${bytes} ${tail}\n`;
}

function clfTime(wallMs: number): string {
  const iso = new Date(wallMs).toISOString();
  const month = MONTHS[Number(iso.slice(5, 7)) - 1] ?? '';
  return `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}

/** Quotes, backslashes and control characters are escaped, so that one answer is always one line. */
function quoted(text: string): string {
  const shown = text.length > FIELD_CHARS_MAX ? text.slice(0, FIELD_CHARS_MAX) : text;
  if (!ESCAPED.test(shown)) return `"${shown}"`;
  const escaped = shown.replace(ALL_ESCAPED, (char) => {
    const code = char.charCodeAt(0);
    return char === '"' || char === '\\' ? `\\${char}` : `\\x${code.toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

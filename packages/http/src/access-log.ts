/**
 * The HTTP access log in combined log format, one line an answer, appended to a file of the node's disk.
 *
 * Writing never holds up an answer: lines wait in a bounded buffer while the file is written, and are counted and dropped
 * above it. A disk that refuses stops the log with one line in the node's own log, not the node.
 */
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

const BUFFERED_LINES_MAX = 10_000;
/** Lines are gathered for so long: a write for each would cost a busy node more than many an answer. */
const GATHER_MS = 100;
const FIELD_CHARS_MAX = 2_048;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Opens (or makes) the file; rejects with a `DiskError`. */
export async function openAccessLog(runtime: Runtime, path: string): Promise<AccessLog> {
  const file = await runtime.disk.open(path, 'append');
  return new FileAccessLog(runtime, file, await file.sizeBytes());
}

class FileAccessLog implements AccessLog {
  readonly #runtime: Runtime;
  readonly #file: File;
  #offset: number;
  #lines: string[] = [];
  #dropped = 0;
  #isBroken = false;
  #cancelTimer: Cancel | null = null;
  #writing: Promise<void> | null = null;

  constructor(runtime: Runtime, file: File, offset: number) {
    this.#runtime = runtime;
    this.#file = file;
    this.#offset = offset;
  }

  write(entry: AccessEntry): void {
    if (this.#isBroken) return;
    if (this.#lines.length >= BUFFERED_LINES_MAX) {
      this.#dropped++;
      return;
    }
    this.#lines.push(combinedLine(entry, this.#runtime.clock.wallMs()));
    this.#cancelTimer ??= this.#runtime.sched.after(GATHER_MS, () => {
      this.#cancelTimer = null;
      this.#writing ??= this.#drain();
    });
  }

  async close(): Promise<void> {
    this.#cancelTimer?.();
    await this.#writing;
    await this.#drain();
    await this.#file.close();
  }

  async #drain(): Promise<void> {
    try {
      while (this.#lines.length > 0) {
        const lines = this.#lines;
        this.#lines = [];
        const bytes = new TextEncoder().encode(lines.join(''));
        await this.#file.write(bytes, this.#offset);
        this.#offset += bytes.length;
      }
      if (this.#dropped > 0) this.#runtime.log.warn('access log could not keep up', { droppedLines: this.#dropped });
      this.#dropped = 0;
    } catch (error) {
      // Answers matter more than their log: it ends here, and says so.
      this.#isBroken = true;
      this.#lines = [];
      this.#runtime.log.error('access log stopped', { error: error instanceof Error ? error.message : String(error) });
    } finally {
      this.#writing = null;
    }
  }
}

/** `host - - [10/Oct/2000:13:55:36 +0000] "GET / HTTP/1.1" 200 2326 "referrer" "agent"` with a line break. */
export function combinedLine(entry: AccessEntry, wallMs: number): string {
  const request = quoted(`${entry.method} ${entry.target} ${entry.protocol}`);
  const bytes = entry.bytes === 0 ? '-' : String(entry.bytes);
  const tail = `${quoted(entry.referrer ?? '-')} ${quoted(entry.userAgent ?? '-')}`;
  return `${entry.remoteAddress} - - [${clfTime(wallMs)}] ${request} ${entry.status} ${bytes} ${tail}\n`;
}

function clfTime(wallMs: number): string {
  const iso = new Date(wallMs).toISOString();
  const month = MONTHS[Number(iso.slice(5, 7)) - 1] ?? '';
  return `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}

/** Quotes, backslashes and control characters are escaped, so that one answer is always one line. */
function quoted(text: string): string {
  const escaped = text.slice(0, FIELD_CHARS_MAX).replace(/["\\\p{Cc}]/gu, (char) => {
    const code = char.charCodeAt(0);
    return char === '"' || char === '\\' ? `\\${char}` : `\\x${code.toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

/**
 * A log file that does not grow for ever: at its size it becomes `name.1`, and the ones before it move on.
 *
 * Written synchronously: the last lines before a crash are the ones that matter. A disk that takes no more lines must not
 * end the agent: they are on stderr too.
 */
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE_BYTES_MAX = 100 * 1024 * 1024;
const OLD_FILES_MAX = 5;

export class LogFile {
  readonly #path: string;
  readonly #bytesMax: number;
  #descriptor: number;
  #bytes: number;

  constructor(folder: string, name: string, bytesMax: number = FILE_BYTES_MAX) {
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, name);
    this.#bytesMax = bytesMax;
    this.#descriptor = openSync(this.#path, 'a');
    this.#bytes = fstatSync(this.#descriptor).size;
  }

  write(line: string): void {
    const bytes = Buffer.from(line, 'utf8');
    try {
      if (this.#bytes > 0 && this.#bytes + bytes.byteLength > this.#bytesMax) this.#rotate();
      writeSync(this.#descriptor, bytes);
      this.#bytes += bytes.byteLength;
    } catch {
      // A full disk, most likely; nobody could be told but by this log.
    }
  }

  reopen(): void {
    const before = this.#descriptor;
    this.#descriptor = openSync(this.#path, 'a');
    this.#bytes = fstatSync(this.#descriptor).size;
    closeSync(before);
  }

  #rotate(): void {
    for (let number = OLD_FILES_MAX - 1; number >= 0; number--) {
      try {
        renameSync(number === 0 ? this.#path : `${this.#path}.${number}`, `${this.#path}.${number + 1}`);
      } catch {
        // There are fewer so far.
      }
    }
    this.reopen();
  }
}

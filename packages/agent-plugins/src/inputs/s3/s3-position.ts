/**
 * Position of the s3 input: the time of the last object that was read, in a file as Logstash writes it.
 *
 * S3 tells times in whole seconds, and several objects may share one. A position says that all objects up to its second are
 * done, so that it is moved to a second only when nothing more of that second is listed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { optionError } from '@shoal/agent-plugin-kit';

const WRITTEN = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(UTC|Z|[+-]\d\d:?\d\d)$/;

export class S3Position {
  private readonly path: string;
  /** Second since 1970 up to which all objects are done. */
  second: number;

  private constructor(path: string, second: number) {
    this.path = path;
    this.second = second;
  }

  /** @throws ShoalError when there is a file that tells no time: to begin anew would bring everything again */
  static read(path: string): S3Position {
    const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    // A file that nothing was written to yet.
    if (text === '') return new S3Position(path, Number.NEGATIVE_INFINITY);
    const second = parsedSecond(text);
    if (second === null) throw optionError(`[sincedb_path => ${path}] tells no time: [${text.slice(0, 100)}]`);
    return new S3Position(path, second);
  }

  /** A crash leaves the old position or the new one. */
  async write(second: number): Promise<void> {
    if (second <= this.second) return;
    await mkdir(dirname(this.path), { recursive: true });
    const next = `${this.path}.next`;
    await writeFile(next, writtenSecond(second));
    await rename(next, this.path);
    this.second = second;
  }
}

function parsedSecond(text: string): number | null {
  const [, day, time, zone = ''] = WRITTEN.exec(text) ?? [];
  const ms = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}

function writtenSecond(second: number): string {
  const [day, time = ''] = new Date(second * 1000).toISOString().split('T');
  return `${day} ${time.slice(0, 8)} UTC`;
}

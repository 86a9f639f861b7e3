/**
 * The files of one file input: finds them, reads what is new in each, notices rotation and cutting, keeps positions.
 *
 * One loop does everything, one file after the other, so that nothing here races: `round` is one turn of it.
 */
import type { Stats } from 'node:fs';
import { appendFile, type FileHandle, open, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { expandGlob } from '@shoal/agent-plugin-kit';
import type { Log, Runtime } from '@shoal/runtime';
import { isArchive, isWholeArchive, readArchive } from './file-archive.ts';
import { holdsWhatWasRead, rememberHead, rememberRead, statOf } from './file-contents.ts';
import { copyVerdict, openCopyOf } from './file-copies.ts';
import { lookAtHead, matches, tailOf } from './file-fingerprint.ts';
import { FileReading, type ReadingOptions, RefusedPush } from './file-reading.ts';
import { fileIdentity, type Sincedb } from './file-sincedb.ts';

export interface WatchOptions {
  readonly patterns: readonly string[];
  isExcluded(baseName: string): boolean;
  readonly isTail: boolean;
  readonly startsAtEnd: boolean;
  readonly closeOlderMs: number;
  readonly ignoreOlderMs: number | null;
  readonly maxOpenFiles: number;
  readonly chunkBytes: number;
  /** Chunks of one file before it is another's turn. */
  readonly chunkCount: number;
  readonly sortBy: 'last_modified' | 'path';
  readonly isDescending: boolean;
  readonly deletesCompleted: boolean;
  readonly completedLog: string | null;
  readonly checksArchives: boolean;
  reading(path: string): ReadingOptions;
  /** Resolves when nothing that was read is needed any more. */
  confirmed(): Promise<void>;
  /** Called between two chunks of a file: a long one must not keep positions from being written. */
  progressed(): Promise<void>;
}

interface Watched {
  readonly path: string;
  identity: string;
  handle: FileHandle | null;
  reading: FileReading | null;
  modifiedMs: number;
  /** Monotonic time of the last bytes, or of opening. */
  activeMs: number;
  /** Read mode: read to its end. */
  isDone: boolean;
  /** Found by the first discovery, so that `start_position` is meant. */
  isInitial: boolean;
  hasPendingFlush: boolean;
}

export class FileWatch {
  private readonly options: WatchOptions;
  private readonly sincedb: Sincedb;
  private readonly runtime: Runtime;
  private readonly log: Log;
  private readonly files = new Map<string, Watched>();
  private readonly unreadable = new Map<string, string>();
  private readonly buffer: Uint8Array;
  private hasDiscovered = false;
  isStopping = false;

  constructor(options: WatchOptions, sincedb: Sincedb, runtime: Runtime) {
    this.options = options;
    this.sincedb = sincedb;
    this.runtime = runtime;
    this.log = runtime.log;
    this.buffer = new Uint8Array(options.chunkBytes);
  }

  /** Read mode: nothing is left to read. */
  get isAllDone(): boolean {
    return this.hasDiscovered && [...this.files.values()].every((file) => file.isDone);
  }

  async discover(): Promise<void> {
    const seen = new Set<string>();
    for (const pattern of this.options.patterns) {
      for (const path of await expandGlob(pattern)) if (!this.options.isExcluded(basename(path))) seen.add(path);
    }
    for (const path of seen) {
      if (this.files.has(path)) continue;
      const found = await statOf(path);
      if (found === null) continue;
      const isOld = this.options.ignoreOlderMs !== null && this.ageMs(found) > this.options.ignoreOlderMs;
      // An ignored file counts from its end once it changes: its old lines are what was to be ignored.
      if (isOld) this.rememberIgnored(found, path);
      else this.files.set(path, this.watched(path, found));
    }
    this.hasDiscovered = true;
  }

  /** Reads what is new in every file. True when there was anything. */
  async round(): Promise<boolean> {
    let hasRead = false;
    for (const file of this.sorted()) {
      if (this.isStopping) break;
      if (file.isDone) continue;
      try {
        if (this.options.isTail ? await this.tail(file) : await this.readWhole(file)) hasRead = true;
        if (this.unreadable.delete(file.path)) this.log.info('a file can be read again', { path: file.path });
      } catch (error) {
        if (error instanceof RefusedPush) throw error;
        // One file that cannot be read must not keep the others; it is tried again in the next round.
        if (!this.unreadable.has(file.path))
          this.log.warn('cannot read a file, it is tried again', { path: file.path, error: String(error) });
        this.unreadable.set(file.path, String(error));
        await this.close(file);
      }
    }
    for (const path of this.unreadable.keys()) if (!this.files.has(path)) this.unreadable.delete(path);
    return hasRead;
  }

  /** Files that are there and cannot be read, with the reason. */
  get unreadableFiles(): ReadonlyMap<string, string> {
    return this.unreadable;
  }

  async closeAll(): Promise<void> {
    for (const file of this.files.values()) await this.close(file);
  }

  private ageMs(found: Stats): number {
    return this.runtime.clock.wallMs() - found.mtimeMs;
  }

  private watched(path: string, found: Stats): Watched {
    return {
      path,
      identity: fileIdentity(found),
      handle: null,
      reading: null,
      modifiedMs: found.mtimeMs,
      activeMs: this.runtime.clock.monotonicMs(),
      isDone: false,
      isInitial: !this.hasDiscovered,
      hasPendingFlush: false,
    };
  }

  private rememberIgnored(found: Stats, path: string): void {
    const identity = fileIdentity(found);
    if (!this.options.isTail || this.sincedb.positions.has(identity)) return;
    this.sincedb.set(identity, { position: found.size, lastActive: this.nowSeconds(), path });
  }

  private sorted(): Watched[] {
    const files = [...this.files.values()];
    const direction = this.options.isDescending ? -1 : 1;
    const byPath = (a: Watched, b: Watched): number => (a.path < b.path ? -1 : 1);
    const byTime = (a: Watched, b: Watched): number => a.modifiedMs - b.modifiedMs || byPath(a, b);
    const order = this.options.sortBy === 'path' ? byPath : byTime;
    return files.sort((a, b) => direction * order(a, b));
  }

  private async tail(file: Watched): Promise<boolean> {
    const atPath = await statOf(file.path);
    if (file.handle === null) {
      if (atPath === null) {
        this.files.delete(file.path);
        return false;
      }
      if (!(await this.openFor(file, atPath))) return false;
    }
    const hasRead = await this.readNew(file);
    const isMoved = atPath === null || fileIdentity(atPath) !== file.identity;
    if (isMoved) await this.leave(file, atPath);
    else await this.whenQuiet(file, hasRead);
    return hasRead || isMoved;
  }

  /** False when the file has nothing new, or too many are open. */
  private async openFor(file: Watched, found: Stats): Promise<boolean> {
    const identity = fileIdentity(found);
    // Renamed, and both names are followed: the reader that has it open finishes it first.
    if (this.isOpenElsewhere(identity, file)) return false;
    const known = this.sincedb.positions.get(identity);
    const isUnchanged = file.identity === identity && file.modifiedMs === found.mtimeMs;
    file.identity = identity;
    file.modifiedMs = found.mtimeMs;
    if (isUnchanged && file.reading !== null && known?.position === found.size) return false;
    const firstPosition = this.options.startsAtEnd && file.isInitial ? found.size : 0;
    if (this.openCount() >= this.options.maxOpenFiles) {
      if (known === undefined) this.remember(file, firstPosition);
      return false;
    }
    const handle = await open(file.path, 'r');
    const position = await this.positionIn(handle, file, firstPosition).catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
    if (position === null) {
      await handle.close();
      return false;
    }
    file.handle = handle;
    file.activeMs = this.runtime.clock.monotonicMs();
    // A reading that is kept has lines of a codec in it; one for another file, or of a cut file, would mix them.
    if (file.reading === null || file.reading.position !== position)
      file.reading = new FileReading(this.options.reading(file.path), position);
    return true;
  }

  /** Where to go on in a file that was just opened; null when that shows later only. */
  private async positionIn(handle: FileHandle, file: Watched, firstPosition: number): Promise<number | null> {
    const { positions, fingerprints } = this.sincedb;
    const known = positions.get(file.identity);
    const fingerprint = fingerprints.get(file.identity);
    let position = known?.position ?? firstPosition;
    if (known !== undefined && fingerprint !== undefined && !(await matches(handle, fingerprint.head))) {
      this.log.info('a file holds something else than before: reading it from its start', { path: file.path });
      await this.readCopy(file, new FileReading(this.options.reading(file.path), known.position));
      fingerprints.delete(file.identity);
      position = 0;
    } else if (known === undefined && this.options.isTail) {
      const verdict = await copyVerdict(file.path, handle, this.sincedb);
      if (verdict.kind === 'wait') {
        // What comes while it waits is new.
        file.isInitial = false;
        return null;
      }
      if (verdict.kind === 'copy') {
        this.log.info('a file is a copy of one that was read', { path: file.path, position: verdict.position });
        position = verdict.position;
        fingerprints.set(file.identity, verdict.fingerprint);
      }
    }
    this.remember(file, position);
    if (!fingerprints.has(file.identity))
      await rememberRead(this.sincedb, handle, file.identity, await tailOf(handle, position));
    return position;
  }

  private isOpenElsewhere(identity: string, self: Watched): boolean {
    for (const file of this.files.values()) {
      if (file !== self && file.handle !== null && file.identity === identity) return true;
    }
    return false;
  }

  private openCount(): number {
    let count = 0;
    for (const file of this.files.values()) if (file.handle !== null) count++;
    return count;
  }

  private async readNew(file: Watched): Promise<boolean> {
    const { handle, reading } = file;
    if (handle === null || reading === null) return false;
    const now = await handle.stat();
    file.modifiedMs = now.mtimeMs;
    const known = this.sincedb.fingerprints.get(file.identity)?.head;
    // Looked at before anything is read: the file may be rewritten at any time, and a second look finds that then.
    const isAsLong = now.size === reading.readOffset;
    let look = isAsLong ? { isSame: true, head: known ?? null } : await lookAtHead(handle, known);
    // Shorter than what was read, or begun anew and as long again: truncated and rewritten (copytruncate).
    if (now.size < reading.readOffset || !look.isSame) {
      this.log.info('a file was cut: reading it from its start', { path: file.path });
      await this.readCopy(file, reading);
      reading.rewind();
      this.sincedb.fingerprints.delete(file.identity);
      this.remember(file, 0);
      look = await lookAtHead(handle);
    }
    let hasRead = false;
    for (let chunk = 0; chunk < this.options.chunkCount && !this.isStopping; chunk++) {
      if ((await reading.readChunk(handle, this.buffer)) === 0) break;
      hasRead = true;
      this.remember(file, reading.position);
      await this.options.progressed();
    }
    if (hasRead) {
      file.activeMs = this.runtime.clock.monotonicMs();
      file.hasPendingFlush = true;
      if (look.head !== null) this.sincedb.fingerprints.set(file.identity, { head: look.head, tail: reading.tail() });
    }
    return hasRead;
  }

  /** What a file still had when it was cut, from the copy that was made of it before; nothing when there is no copy. */
  private async readCopy(file: Watched, reading: FileReading): Promise<void> {
    const { positions, fingerprints } = this.sincedb;
    const fingerprint = fingerprints.get(file.identity);
    const copy = fingerprint === undefined ? null : await openCopyOf(file.path, fingerprint);
    if (copy === null || fingerprint === undefined) return;
    try {
      // Followed by itself, it may be further already.
      if ((positions.get(copy.identity)?.position ?? 0) > reading.readOffset) return;
      while (!this.isStopping && (await reading.readChunk(copy.handle, this.buffer)) > 0);
      await reading.finish();
      const { path } = copy;
      this.log.info('the rest of a file that was cut was read from its copy', { path, position: reading.position });
      this.sincedb.set(copy.identity, { position: reading.position, lastActive: this.nowSeconds(), path });
      fingerprints.set(copy.identity, { head: fingerprint.head, tail: reading.tail() ?? fingerprint.tail });
    } finally {
      await copy.handle.close();
    }
  }

  /** Another file has the path now: this one is read to its end and let go. */
  private async leave(file: Watched, successor: Stats | null): Promise<void> {
    while (!this.isStopping && (await this.readNew(file)));
    if (this.isStopping) return;
    // Its last line may never get a delimiter; nobody will write to it by this name again.
    const links = file.handle === null ? 0 : (await file.handle.stat()).nlink;
    if (links === 0) await file.reading?.finish();
    else await file.reading?.flushIdle();
    if (file.reading !== null) this.remember(file, file.reading.position);
    await this.close(file);
    if (links === 0) this.sincedb.forget(file.identity);
    this.files.delete(file.path);
    if (successor !== null) this.files.set(file.path, this.watched(file.path, successor));
  }

  private async whenQuiet(file: Watched, hasRead: boolean): Promise<void> {
    if (hasRead || file.reading === null) return;
    const quietMs = this.runtime.clock.monotonicMs() - file.activeMs;
    if (file.hasPendingFlush && file.reading.idleFlushMs !== undefined && quietMs >= file.reading.idleFlushMs) {
      file.hasPendingFlush = false;
      await file.reading.flushIdle();
      this.remember(file, file.reading.position);
    }
    if (quietMs >= this.options.closeOlderMs) await this.close(file);
  }

  private async readWhole(file: Watched): Promise<boolean> {
    const found = await statOf(file.path);
    if (found === null) {
      this.files.delete(file.path);
      return false;
    }
    const known = this.sincedb.positions.get(fileIdentity(found));
    const isRead = known !== undefined && known.position === found.size && known.position > 0 && file.reading === null;
    if (isRead && (await holdsWhatWasRead(this.sincedb, file.path, found))) {
      file.isDone = true;
      return false;
    }
    if (isArchive(file.path)) return this.readArchive(file, found);
    if (file.handle !== null || (await this.openFor(file, found))) {
      if ((await this.readNew(file)) || this.isStopping) return true;
      await file.reading?.finish();
      this.remember(file, file.reading?.position ?? 0);
      await this.close(file);
      file.isDone = true;
      await this.complete(file);
    }
    return file.isDone;
  }

  /** A damaged archive is neither deleted nor noted as completed: it is all that is left of its lines. */
  private async readArchive(file: Watched, found: Stats): Promise<boolean> {
    if (this.options.checksArchives && !(await isWholeArchive(file.path))) {
      this.log.warn('an archive is damaged and is passed over', { path: file.path });
      file.isDone = true;
      return true;
    }
    file.identity = fileIdentity(found);
    const reading = new FileReading(this.options.reading(file.path), 0);
    const outcome = await readArchive(file.path, reading, { log: this.log, isStopping: () => this.isStopping });
    if (outcome === 'stopped') return false;
    this.remember(file, found.size);
    await rememberHead(this.sincedb, file.path, file.identity);
    file.isDone = true;
    if (outcome === 'whole') await this.complete(file);
    return true;
  }

  private async complete(file: Watched): Promise<void> {
    if (this.options.completedLog === null && !this.options.deletesCompleted) return;
    await this.options.confirmed();
    if (this.options.completedLog !== null) await appendFile(this.options.completedLog, `${file.path}\n`);
    if (!this.options.deletesCompleted) return;
    // Positions first: a file that is gone and still known does no harm, the other way round it would be read twice.
    await this.sincedb.save(this.nowSeconds());
    await rm(file.path, { force: true });
    this.sincedb.forget(file.identity);
    this.files.delete(file.path);
  }

  private remember(file: Watched, position: number): void {
    this.sincedb.set(file.identity, { position, lastActive: this.nowSeconds(), path: file.path });
  }

  private nowSeconds(): number {
    return this.runtime.clock.wallMs() / 1000;
  }

  private async close(file: Watched): Promise<void> {
    const { handle } = file;
    file.handle = null;
    await handle?.close();
  }
}

/**
 * How far a copy has come with its recovery from another one: what `_recovery` shows of it.
 *
 * The source names its files with the last request only, so that until then nobody here knows how many there are.
 */
import type { CommitFile, CopyState } from '@shoal/replication';
import type { PeerRecovery } from '@shoal/shard-api';

export class PeerProgress {
  readonly #nowMs: () => number;
  /** Files of which bytes came. */
  readonly #files = new Set<string>();
  #bytes = 0;
  #commit: readonly CommitFile[] | null = null;
  #firstBytesMs: number | null = null;
  #installedMs: number | null = null;
  #operations = 0;
  #stopMs: number | null = null;

  /** @param nowMs wall clock, milliseconds since 1970 */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  bytesCame(file: string, count: number): void {
    this.#firstBytesMs ??= this.#nowMs();
    this.#files.add(file);
    this.#bytes += count;
  }

  installed(commit: readonly CommitFile[]): void {
    this.#commit = commit;
    this.#installedMs = this.#nowMs();
  }

  applied(count: number): void {
    if (this.#stopMs === null) this.#operations += count;
  }

  /** It is in sync. */
  ended(): void {
    this.#stopMs ??= this.#nowMs();
  }

  view(state: Pick<CopyState<never>, 'phase' | 'target'> | null): PeerRecovery {
    const files = this.#commit ?? [];
    const beganMs = this.#firstBytesMs;
    return {
      stage: this.#stopMs === null ? this.#stage(state) : 'DONE',
      stopMs: this.#stopMs,
      recovery: {
        fileCount: files.length,
        fileBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        copiedFileCount: this.#files.size,
        copiedFileBytes: this.#bytes,
        indexTimeMs: beganMs === null ? 0 : Math.max(0, (this.#installedMs ?? this.#nowMs()) - beganMs),
        translogOperations: this.#operations,
        translogTimeMs:
          this.#installedMs === null ? 0 : Math.max(0, (this.#stopMs ?? this.#nowMs()) - this.#installedMs),
      },
    };
  }

  #stage(state: Pick<CopyState<never>, 'phase' | 'target'> | null): PeerRecovery['stage'] {
    if (state?.phase !== 'recovering') return 'INIT';
    if (state.target?.step === 'files') return 'INDEX';
    // A copy that needs no files gets operations as the first answer to its question.
    return state.target?.step === 'operations' || this.#operations > 0 ? 'TRANSLOG' : 'INIT';
  }
}

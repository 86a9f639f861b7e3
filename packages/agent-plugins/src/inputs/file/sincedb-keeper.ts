/**
 * When positions are written, and what the health of the input says: a disk that is full under the positions does not stop
 * the reading, since a restart would only read again what it already has.
 */
import type { EventSink, PluginContext } from '@shoal/agent-plugin-kit';
import type { Sincedb } from './file-sincedb.ts';

/** Files named in the health. */
const NAMED_FILES_MAX = 3;

export class SincedbKeeper {
  private readonly sincedb: Sincedb;
  private readonly intervalMs: number;
  private readonly context: PluginContext;
  private readonly sink: EventSink;
  private savedMs: number;
  /** Why positions could not be written; null when they were. */
  private failure: string | null = null;
  private told: string | null = null;
  /** The write that goes on; null when none does. */
  private saving: Promise<void> | null = null;

  constructor(sincedb: Sincedb, intervalMs: number, context: PluginContext, sink: EventSink) {
    this.sincedb = sincedb;
    this.intervalMs = intervalMs;
    this.context = context;
    this.sink = sink;
    this.savedMs = context.runtime.clock.monotonicMs();
  }

  /** Writes at the interval; a quiet moment is used too, so that a restart then repeats next to nothing. */
  async saveWhenDue({ isQuiet }: { readonly isQuiet: boolean }): Promise<void> {
    const isDue = this.context.runtime.clock.monotonicMs() - this.savedMs >= this.intervalMs;
    // After a failure a quiet moment is no reason: it would be tried, and fail, at every look at the files.
    if (!this.sincedb.isDirty || this.saving !== null || !(isDue || (isQuiet && this.failure === null))) return;
    this.saving = this.save().finally(() => (this.saving = null));
    // The outputs may take their time to confirm: files are read on meanwhile.
    if (this.sink.confirmed === undefined) await this.saving;
  }

  /** Writes the positions of this moment. A failure is told and tried again, never thrown. */
  async save(): Promise<void> {
    const { clock, log } = this.context.runtime;
    this.savedMs = clock.monotonicMs();
    let isConfirmed = false;
    try {
      await this.sincedb.save(clock.wallMs() / 1000, async () => {
        await this.sink.confirmed?.();
        isConfirmed = true;
      });
      if (this.failure !== null) log.info('positions of files are written again');
      this.failure = null;
    } catch (error) {
      // A pipeline that stops before its outputs have everything: lines whose position is not written come again.
      if (!isConfirmed) return;
      if (this.failure === null)
        log.error('positions of files cannot be written: a restart would read lines again', { error: String(error) });
      this.failure = `positions of files cannot be written: ${String(error)}`;
    }
  }

  /** Tells the health of the input when it changes. */
  tell(unreadable: ReadonlyMap<string, string>): void {
    const named = [...unreadable].slice(0, NAMED_FILES_MAX).map(([path, error]) => `${path} (${error})`);
    const files = unreadable.size === 0 ? null : `${unreadable.size} files cannot be read: ${named.join(', ')}`;
    const reasons = [this.failure, files].filter((reason) => reason !== null);
    const trouble = reasons.length === 0 ? null : reasons.join('; ');
    if (trouble === this.told) return;
    this.told = trouble;
    this.context.metrics.gauge('unreadable_files', unreadable.size);
    this.sink.troubled?.(trouble);
  }
}

/**
 * Messages of a stream, as many at once as there are, up to a limit. While nobody asks, the stream fetches no more than its
 * own buffer holds: that is the back pressure.
 */
import type { Runtime } from '@shoal/runtime';
import type { KafkaMessage, KafkaStream } from '../../kafka/kafka-client.ts';

export class MessageBatches {
  private readonly stream: KafkaStream;
  private readonly runtime: Runtime;
  private readonly countMax: number;
  private failure: Error | null = null;
  private isEnded = false;
  private wake: () => void = () => undefined;

  constructor(stream: KafkaStream, runtime: Runtime, countMax: number) {
    this.stream = stream;
    this.runtime = runtime;
    this.countMax = countMax;
    stream.on('readable', () => this.wake());
    for (const name of ['close', 'end'] as const) stream.on(name, () => this.fail(new Error('the stream ended')));
    stream.on('error', (error) => this.fail(error));
  }

  /** Up to the limit; none after `waitMs` without any, or when it was ended. @throws what the stream failed with */
  async next(waitMs: number): Promise<readonly KafkaMessage[]> {
    const batch = this.take();
    if (batch.length > 0 || this.isEnded) return batch;
    if (this.failure !== null) throw this.failure;
    await new Promise<void>((resolve) => {
      const cancel = Number.isFinite(waitMs) ? this.runtime.sched.after(waitMs, resolve) : () => undefined;
      this.wake = () => {
        cancel();
        resolve();
      };
    });
    return this.take();
  }

  /** Nobody is to wait any more. */
  end(): void {
    this.isEnded = true;
    this.wake();
  }

  private take(): KafkaMessage[] {
    const batch: KafkaMessage[] = [];
    while (batch.length < this.countMax && this.failure === null) {
      const message = this.stream.read();
      if (message === null) break;
      batch.push(message);
    }
    return batch;
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.wake();
  }
}

/**
 * Which messages are done, by topic and partition, and when that was last told to the group.
 */
import type { PluginContext } from '@shoal/agent-plugin-kit';
import { errorText, type KafkaConsumer, type KafkaMessage, type KafkaOffset } from '../../kafka/kafka-client.ts';

/** A client that does not know it says so to the broker. */
const EPOCH_UNKNOWN = -1;

export class OffsetLedger {
  private readonly consumer: KafkaConsumer;
  private readonly context: PluginContext;
  private readonly offsets = new Map<string, KafkaOffset>();
  private committedMs: number;

  constructor(consumer: KafkaConsumer, context: PluginContext) {
    this.consumer = consumer;
    this.context = context;
    this.committedMs = context.runtime.clock.monotonicMs();
  }

  /** The queue has it. */
  done({ topic, partition, offset }: KafkaMessage): void {
    this.offsets.set(`${topic}:${partition}`, { topic, partition, offset: offset + 1n, leaderEpoch: EPOCH_UNKNOWN });
  }

  /** Tells the group, unless it was told less than `intervalMs` ago. A failure costs nothing but messages that come again. */
  async commit(intervalMs: number): Promise<void> {
    const now = this.context.runtime.clock.monotonicMs();
    if (this.offsets.size === 0 || now - this.committedMs < intervalMs) return;
    this.committedMs = now;
    // A partition that now is another member's has an offset of its own there: it must not go back.
    const offsets = [...this.offsets.values()].filter((one) => this.isOurs(one));
    this.offsets.clear();
    if (offsets.length === 0) return;
    try {
      await this.consumer.commit({ offsets });
    } catch (error) {
      for (const one of offsets) {
        const key = `${one.topic}:${one.partition}`;
        if (!this.offsets.has(key)) this.offsets.set(key, one);
      }
      this.context.runtime.log.warn('kafka did not take offsets', {
        plugin: this.context.pluginId,
        error: errorText(error),
      });
    }
  }

  private isOurs({ topic, partition }: KafkaOffset): boolean {
    const own = this.consumer.assignments?.find((assignment) => assignment.topic === topic);
    return own?.partitions.includes(partition) ?? false;
  }
}

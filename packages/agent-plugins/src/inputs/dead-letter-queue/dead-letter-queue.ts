/**
 * `dead_letter_queue` as an input: reads what another pipeline could not deliver, with the reason beside it.
 *
 * The position is kept after the events were taken by the queue: after a crash some come again, none is passed over.
 */

import { type EventMap, type LogEvent, Timestamp } from '@shoal/agent-event';
import type { Input, PluginDefinition } from '@shoal/agent-plugin-kit';
import { type DeadLetterEntry, type DeadLetterPosition, DeadLetterReader } from '@shoal/agent-queue';
import { messageOf, ShoalError } from '@shoal/core';
import { type Cancel, DiskError, type Runtime } from '@shoal/runtime';

const ENTRIES_AT_ONCE = 125;
const LOOK_INTERVAL_MS = 500;

export const deadLetterInput: PluginDefinition = {
  kind: 'input',
  name: 'dead_letter_queue',
  version: '2.0.0',
  options: {
    path: { type: 'string', isRequired: true },
    pipeline_id: { type: 'string', default: 'main' },
    commit_offsets: { type: 'boolean', default: true },
    sincedb_path: { type: 'string' },
    start_timestamp: { type: 'string' },
    clean_consumed: { type: 'boolean', default: false },
  },
  create(options, context): Input {
    const { runtime } = context;
    const isKept = options.boolean('commit_offsets');
    const isCleaned = options.boolean('clean_consumed');
    if (isCleaned && !isKept) {
      const text = 'dead_letter_queue: [clean_consumed] needs [commit_offsets]: what is deleted cannot be read again';
      throw new ShoalError('illegal_argument_exception', 400, text);
    }
    const startMs = options.has('start_timestamp') ? startOf(options.string('start_timestamp')) : 0;
    const directory = `${options.string('path')}/${options.string('pipeline_id')}`;
    let cancel: Cancel = () => {};
    let running: Promise<void> = Promise.resolve();
    let isStopped = false;
    return {
      finished: null,
      start: async (sink) => {
        const kept = options.has('sincedb_path')
          ? options.string('sincedb_path')
          : `${await context.dataPath()}/position`;
        const position = isKept ? await readPosition(runtime, kept) : { segment: 0, offset: 0 };
        const reader = new DeadLetterReader(runtime.disk, directory, position);
        const readAll = async (): Promise<void> => {
          for (;;) {
            const entries = isStopped ? [] : await reader.next(ENTRIES_AT_ONCE);
            if (entries.length === 0) return;
            await sink.push(entries.filter((entry) => entry.entryTimeMs >= startMs).map(eventOf));
            await sink.confirmed?.();
            if (isKept) await writePosition(runtime, kept, reader.position);
            if (isCleaned) await reader.removeConsumed();
          }
        };
        const look = (): void => {
          running = readAll()
            .then(() => sink.troubled?.(null))
            .catch((error: unknown) => {
              const text = messageOf(error);
              if (isStopped) return;
              runtime.log.warn('dead letter queue not read', { directory, error: text });
              sink.troubled?.(`dead letter queue not read: ${text}`);
            })
            .finally(() => {
              if (!isStopped) cancel = runtime.sched.after(LOOK_INTERVAL_MS, look);
            });
        };
        look();
      },
      stop: async () => {
        isStopped = true;
        cancel();
        await running;
      },
    };
  },
};

function startOf(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Error(`dead_letter_queue: start_timestamp [${text}] is no ISO 8601 time`);
  return ms;
}

function eventOf({ event, entryTimeMs, pluginType, pluginId, reason }: DeadLetterEntry): LogEvent {
  const letter: EventMap = new Map();
  letter.set('entry_time', new Timestamp(entryTimeMs));
  letter.set('plugin_type', pluginType);
  letter.set('plugin_id', pluginId);
  letter.set('reason', reason);
  event.metadata.set('dead_letter_queue', letter);
  return event;
}

async function readPosition(runtime: Runtime, path: string): Promise<DeadLetterPosition> {
  try {
    const text = new TextDecoder().decode(await runtime.disk.readFile(path));
    const match = /^(\d{1,9}) (\d{1,15})\n$/.exec(text);
    return { segment: Number(match?.[1] ?? 0), offset: Number(match?.[2] ?? 0) };
  } catch (error) {
    if (error instanceof DiskError && error.kind === 'notFound') return { segment: 0, offset: 0 };
    throw error;
  }
}

async function writePosition(runtime: Runtime, path: string, position: DeadLetterPosition): Promise<void> {
  const file = await runtime.disk.open(`${path}.tmp`, 'create');
  try {
    await file.write(new TextEncoder().encode(`${position.segment} ${position.offset}\n`), 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await runtime.disk.rename(`${path}.tmp`, path);
}

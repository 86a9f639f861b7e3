/**
 * The generator input: the same lines again and again, to try a pipeline or to measure it.
 */
import { once } from 'node:events';
import type { LogEvent } from '@shoal/agent-event';
import {
  addHost,
  decodeUnit,
  type EventSink,
  type LoopControl,
  type PluginContext,
  type PluginDefinition,
  producingInput,
} from '@shoal/agent-plugin-kit';

/** Events handed over at once: few enough to stop soon, enough to be fast. */
const BATCH = 500;

export const generatorInput: PluginDefinition = {
  kind: 'input',
  name: 'generator',
  version: '3.1.0',
  options: {
    codec: { type: 'codec', default: 'plain' },
    count: { type: 'number', default: 0 },
    message: { type: 'string', default: 'Hello world!' },
    lines: { type: 'array' },
    threads: { type: 'number', default: 1 },
  },
  create(options, context) {
    const count = options.number('count');
    const codec = options.codec('codec');
    const threads = options.number('threads');
    return producingInput(context.runtime, { isEndless: count === 0 }, async (sink, control) => {
      const lines = options.has('lines') ? options.strings('lines') : [await messageOf(options.string('message'))];
      const units = lines.map((line) => Buffer.from(line, 'utf8'));
      const decode = (unit: Uint8Array): readonly LogEvent[] => decodeUnit(codec, unit);
      const thread = () => generate({ sink, control, context, count, units, decode });
      await Promise.all(Array.from({ length: Math.max(1, threads) }, thread));
    });
  },
};

interface Generation {
  readonly sink: EventSink;
  readonly control: LoopControl;
  readonly context: PluginContext;
  /** Rounds through the lines; 0 has no end. */
  readonly count: number;
  readonly units: readonly Uint8Array[];
  decode(unit: Uint8Array): readonly LogEvent[];
}

async function generate({ sink, control, context, count, units, decode }: Generation): Promise<void> {
  const path = context.ecs === 'disabled' ? null : ['event', 'sequence'];
  let batch: LogEvent[] = [];
  for (let sequence = 0; (count === 0 || sequence < count) && !control.isStopped; sequence++) {
    for (const unit of units) {
      for (const event of decode(unit)) {
        addHost(event, context);
        if (path === null) event.fields.set('sequence', sequence);
        else event.set({ text: '[event][sequence]', path, isMetadata: false }, sequence);
        batch.push(event);
      }
    }
    if (batch.length < BATCH) continue;
    await sink.push(batch);
    batch = [];
    // A queue that takes everything at once would let this loop starve everything else.
    await control.pause(0);
  }
  if (batch.length > 0) await sink.push(batch);
}

/** `stdin` takes the first line of standard input. */
async function messageOf(message: string): Promise<string> {
  if (message !== 'stdin') return message;
  const [chunk] = (await once(process.stdin, 'data')) as [Buffer];
  process.stdin.pause();
  return chunk.toString('utf8').split(/\r?\n/, 1)[0] ?? '';
}

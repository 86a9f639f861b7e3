/**
 * The pipe input: runs a shell command that goes on, and reads its lines. A command that ended is started again.
 */
import { spawn } from 'node:child_process';
import {
  addHost,
  type Codec,
  type EventSink,
  type LoopControl,
  OrderedPushes,
  type PluginContext,
  type PluginDefinition,
  producingInput,
  putMissing,
  streamDecoder,
} from '@shoal/agent-plugin-kit';

const RESTART_MS = 10_000;
/** A command that does not end when it is asked to is ended. */
const KILL_AFTER_MS = 5_000;

export const pipeInput: PluginDefinition = {
  kind: 'input',
  name: 'pipe',
  version: '3.1.0',
  options: {
    codec: { type: 'codec', default: 'plain' },
    command: { type: 'string', isRequired: true },
  },
  create(options, context) {
    const command = options.string('command');
    const codec = options.codec('codec');
    return producingInput(context.runtime, { isEndless: true }, async (sink, control) => {
      while (!control.isStopped) {
        const status = await run({ command, codec, context, sink, control });
        if (control.isStopped) return;
        context.runtime.log.info('a command ended and is started again', { plugin: context.pluginId, command, status });
        await control.pause(RESTART_MS);
      }
    });
  },
};

interface RunOptions {
  readonly command: string;
  readonly codec: Codec;
  readonly context: PluginContext;
  readonly sink: EventSink;
  readonly control: LoopControl;
}

/** Resolves with how the command ended, when all that it gave is in the queue. */
async function run({ command, codec, context, sink, control }: RunOptions): Promise<string> {
  // A group of its own, or what the shell started would live on when the shell is ended.
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const decoder = streamDecoder(codec);
  const hold = (isHeld: boolean): unknown => (isHeld ? child.stdout.pause() : child.stdout.resume());
  const pushes = new OrderedPushes(sink, context, hold);
  const named = (events: ReturnType<typeof decoder.decode>): typeof events => {
    for (const event of events) {
      addHost(event, context);
      putMissing(event, context.ecs === 'disabled' ? ['command'] : ['process', 'command_line'], command);
    }
    return events;
  };
  const forget = control.onStop(() => {
    endGroup(child.pid, 'SIGTERM');
    const cancel = context.runtime.sched.after(KILL_AFTER_MS, () => endGroup(child.pid, 'SIGKILL'));
    child.once('close', cancel);
  });
  child.stdout.on('data', (chunk: Buffer) => void pushes.offerMade(() => named(decoder.decode(chunk))));
  const status = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? String(code)));
  });
  forget();
  await pushes.offerMade(() => named(decoder.flush()));
  return status;
}

function endGroup(id: number | undefined, signal: NodeJS.Signals): void {
  if (id === undefined) return;
  try {
    process.kill(-id, signal);
  } catch {
    // It ended by itself meanwhile.
  }
}

/**
 * The exec input: runs a shell command again and again; its whole output is one unit for the codec.
 */
import { exec } from 'node:child_process';
import {
  addHost,
  decodeInTurns,
  InputTurns,
  type PluginDefinition,
  producingInput,
  putMetadata,
  putMissing,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { cronSchedule, everySchedule, runScheduled } from '../../schedule/schedule.ts';

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** Logstash says nanoseconds and counts a million a second: configurations are made for its numbers. */
const ELAPSED_PER_MS = 1_000;
/** Status of a shell that finds no such command. */
const NOT_FOUND = 127;

export const execInput: PluginDefinition = {
  kind: 'input',
  name: 'exec',
  version: '3.6.0',
  options: {
    codec: { type: 'codec', default: 'plain' },
    command: { type: 'string', isRequired: true },
    interval: { type: 'number' },
    schedule: { type: 'string' },
  },
  create(options, context) {
    const command = options.string('command');
    if (options.has('interval') === options.has('schedule'))
      throw new ShoalError('illegal_argument_exception', 400, 'exec needs either [interval] or [schedule]');
    const schedule = options.has('schedule')
      ? cronSchedule(options.string('schedule'))
      : everySchedule(options.number('interval') * 1000);
    const codec = options.codec('codec');
    const { clock } = context.runtime;
    const isLegacy = context.ecs === 'disabled';
    return producingInput(context.runtime, { isEndless: true }, (sink, control) =>
      runScheduled(schedule, clock, control, async () => {
        const startMs = clock.monotonicMs();
        const { output, status } = await run(command, (end) => control.onStop(end));
        const elapsedMs = clock.monotonicMs() - startMs;
        if (status === NOT_FOUND && output.length === 0)
          context.runtime.log.error('the command of exec was not found', { command, position: context.position });
        const events = await decodeInTurns(codec, output, new InputTurns(context));
        for (const event of events) {
          addHost(event, context);
          putMissing(event, isLegacy ? ['command'] : ['process', 'command_line'], command);
          putMetadata(
            event,
            isLegacy ? ['duration'] : ['input', 'exec', 'process', 'elapsed_time'],
            isLegacy ? elapsedMs / 1000 : Math.round(elapsedMs * ELAPSED_PER_MS),
          );
          if (isLegacy) putMetadata(event, ['exit_status'], status);
          else putMissing(event, ['process', 'exit_code'], status);
        }
        if (events.length > 0) await sink.push(events);
      }),
    );
  },
};

interface Ran {
  readonly output: Uint8Array;
  readonly status: number;
}

function run(command: string, onStop: (end: () => void) => () => void): Promise<Ran> {
  return new Promise((resolve) => {
    const child = exec(command, { encoding: 'buffer', maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout) => {
      forget();
      const code = error === null ? 0 : error.code;
      resolve({ output: stdout, status: typeof code === 'number' ? code : 1 });
    });
    const forget = onStop(() => void child.kill());
  });
}

/**
 * The heartbeat input: an event at every interval, to see that a pipeline lives.
 */
import { createEvent, type EventMap, Timestamp } from '@shoal/agent-event';
import {
  addHost,
  type EventSink,
  type LoopControl,
  type PluginDefinition,
  producingInput,
  putMissing,
} from '@shoal/agent-plugin-kit';

export const heartbeatInput: PluginDefinition = {
  kind: 'input',
  name: 'heartbeat',
  version: '3.1.1',
  options: {
    interval: { type: 'duration', default: 60 },
    count: { type: 'number', default: -1 },
    message: { type: 'string', default: 'ok' },
    sequence: { type: ['none', 'epoch', 'sequence'] },
    threads: { type: 'number', default: 1 },
  },
  create(options, context) {
    const count = options.number('count');
    const message = options.string('message');
    const isSpecial = message === 'epoch' || message === 'sequence';
    const kind = options.has('sequence') ? options.string('sequence') : isSpecial ? message : 'none';
    const beat = async (sink: EventSink, control: LoopControl): Promise<void> => {
      for (let sequence = 0; (count < 0 || sequence < count) && !control.isStopped; sequence++) {
        const nowMs = context.runtime.clock.wallMs();
        const fields: EventMap = new Map([['@timestamp', new Timestamp(nowMs)]]);
        const event = createEvent(fields);
        const clock = kind === 'epoch' ? Math.floor(nowMs / 1000) : kind === 'sequence' ? sequence : null;
        if (clock === null) fields.set('message', message);
        else if (context.ecs === 'disabled') fields.set('clock', clock);
        else putMissing(event, ['event', 'sequence'], clock);
        addHost(event, context);
        await sink.push([event]);
        if (count < 0 || sequence + 1 < count) await control.pause(options.milliseconds('interval'));
      }
    };
    // One heart for each thread that is asked for: each beats and counts for itself.
    const hearts = Math.max(1, options.number('threads'));
    return producingInput(context.runtime, { isEndless: count < 0 }, async (sink, control) => {
      await Promise.all(Array.from({ length: hearts }, () => beat(sink, control)));
    });
  },
};

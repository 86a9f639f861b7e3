/**
 * The stdin input: lines of standard input. Ends with it, and the pipeline with that.
 */
import {
  addHost,
  type EventSink,
  type Input,
  OrderedPushes,
  type PluginDefinition,
  streamDecoder,
} from '@shoal/agent-plugin-kit';

export const stdinInput: PluginDefinition = {
  kind: 'input',
  name: 'stdin',
  version: '3.4.0',
  needsMainThread: true,
  options: { codec: { type: 'codec', default: 'line' } },
  create(options, context): Input {
    const decoder = streamDecoder(options.codec('codec'));
    const stream = process.stdin;
    let end: () => void = () => undefined;
    let pushes: OrderedPushes | null = null;
    const finished = new Promise<void>((resolve) => (end = resolve));
    const take = async (decode: () => ReturnType<typeof decoder.decode>): Promise<void> => {
      await pushes?.offerMade(() => {
        const events = decode();
        for (const event of events) addHost(event, context, 'hostname');
        return events;
      });
    };
    const onData = (chunk: Buffer): void => void take(() => decoder.decode(chunk));
    const onEnd = (): void => void take(() => decoder.flush()).then(end);
    return {
      finished,
      async start(sink: EventSink) {
        pushes = new OrderedPushes(sink, context, (isHeld) => (isHeld ? stream.pause() : stream.resume()));
        stream.on('data', onData).once('end', onEnd).once('error', onEnd);
      },
      async stop() {
        stream.off('data', onData).off('end', onEnd);
        stream.pause();
        await pushes?.settled();
        end();
      },
    };
  },
};

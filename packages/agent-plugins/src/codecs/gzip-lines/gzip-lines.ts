/**
 * The gzip_lines codec: one event for each line of a text that arrives compressed. A line keeps its line end, as upstream
 * has it.
 */
import { createEvent } from '@shoal/agent-event';
import { charsetNamed, type PluginDefinition } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { GzipDecoder } from '../../gzip/gzip-decoder.ts';

export const gzipLinesCodec: PluginDefinition = {
  kind: 'codec',
  name: 'gzip_lines',
  version: '3.0.4',
  options: { charset: { type: 'string', default: 'UTF-8' } },
  create(options, context) {
    const charset = charsetNamed(options.string('charset'));
    const eventsOf = (lines: readonly Buffer[]) =>
      lines.map((line) => createEvent(new Map([['message', charset.decode(line)]])));
    return {
      name: 'gzip_lines',
      decoder: () => new GzipDecoder(eventsOf, context),
      encode() {
        throw new ShoalError('illegal_argument_exception', 400, 'the codec [gzip_lines] only reads');
      },
    };
  },
};

/**
 * The cloudfront codec: access logs of Amazon CloudFront as they lie in a bucket, compressed. The two lines at their head say
 * which version of the format they have, and which fields a line: every event has both beside its line.
 */
import { createEvent, type EventValue } from '@shoal/agent-event';
import { charsetNamed, type PluginDefinition } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { GzipDecoder } from '../../gzip/gzip-decoder.ts';

const HEAD_LINES = 2;

export const cloudfrontCodec: PluginDefinition = {
  kind: 'codec',
  name: 'cloudfront',
  version: '3.0.3',
  options: { charset: { type: 'string', default: 'UTF-8' } },
  create(options, context) {
    const charset = charsetNamed(options.string('charset'));
    const eventsOf = (lines: readonly Buffer[]) => {
      const [version, fields] = lines.slice(0, HEAD_LINES).map((line) => charset.decode(line));
      const head: readonly (readonly [string, EventValue])[] = [
        ['cloudfront_version', said('#Version: ', version)],
        ['cloudfront_fields', said('#Fields: ', fields)],
      ];
      return lines
        .slice(HEAD_LINES)
        .map((line) => createEvent(new Map<string, EventValue>([['message', charset.decode(line)], ...head])));
    };
    return {
      name: 'cloudfront',
      decoder: () => new GzipDecoder(eventsOf, context),
      encode() {
        throw new ShoalError('illegal_argument_exception', 400, 'the codec [cloudfront] only reads');
      },
    };
  },
};

/** null for a line that does not begin with the word, or says nothing behind it. */
function said(word: string, line = ''): string | null {
  const text = line.startsWith(word) ? line.slice(word.length).trim() : '';
  return text === '' ? null : text;
}

/**
 * Contents of an object as units for a codec: lines, of which codecs that see the end of a line themselves get it too.
 */

import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Codec, DelimiterSplitter } from '@shoal/agent-plugin-kit';

const NEWLINE = Buffer.from('\n');
const RETURN = 13;
/** Codecs whose unit is one line, whatever ends it. */
const LINE_CODECS: readonly string[] = ['json', 'csv', 'multiline'];

/**
 * Batches of units, as many as a piece of the file has.
 *
 * A line of a plain file keeps its end for the codec `plain`, and so does the message; a line of a compressed one never had
 * it. Both are as Logstash has it.
 */
export async function* objectLines(file: Readable, isGzip: boolean, codec: Codec): AsyncGenerator<Uint8Array[]> {
  const isLine = codec.needsUnits === true || LINE_CODECS.includes(codec.name);
  const keepsEnd = !isLine && !(isGzip && codec.name === 'plain');
  const splitter = new DelimiterSplitter(NEWLINE);
  const source = isGzip ? pipeline(file, createGunzip(), () => undefined) : file;
  const unit = (line: Uint8Array): Uint8Array => {
    const text = isGzip && line[line.length - 1] === RETURN ? line.subarray(0, -1) : line;
    return keepsEnd ? Buffer.concat([text, NEWLINE]) : text;
  };
  for await (const chunk of source) yield splitter.push(chunk).map(unit);
  const rest = splitter.flush();
  if (rest !== null) yield [keepsEnd && isGzip ? unit(rest) : rest];
}

/**
 * The codecs that come with the agent.
 */
import type { PluginDefinition } from '../../plugin/plugin-definition.ts';
import { csvCodec } from './csv.ts';
import { dotsCodec } from './dots.ts';
import { jsonCodec } from './json.ts';
import { jsonLinesCodec } from './json-lines.ts';
import { lineCodec } from './line.ts';
import { msgpackCodec } from './msgpack.ts';
import { multilineCodec } from './multiline.ts';
import { plainCodec } from './plain.ts';
import { rubydebugCodec } from './rubydebug.ts';

export const codecPlugins: readonly PluginDefinition[] = [
  plainCodec,
  lineCodec,
  jsonCodec,
  jsonLinesCodec,
  multilineCodec,
  rubydebugCodec,
  dotsCodec,
  csvCodec,
  msgpackCodec,
];

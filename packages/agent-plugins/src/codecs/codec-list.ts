/**
 * The codecs that come with the agent.
 */
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { avroCodec } from './avro/avro.ts';
import { cefCodec } from './cef/cef.ts';
import { cloudfrontCodec } from './cloudfront/cloudfront.ts';
import { cloudtrailCodec } from './cloudtrail/cloudtrail.ts';
import { collectdCodec } from './collectd/collectd.ts';
import { csvCodec } from './csv/csv.ts';
import { dotsCodec } from './dots/dots.ts';
import { ednCodec } from './edn/edn.ts';
import { ednLinesCodec } from './edn-lines/edn-lines.ts';
import { esBulkCodec } from './es-bulk/es-bulk.ts';
import { fluentCodec } from './fluent/fluent.ts';
import { graphiteCodec } from './graphite/graphite.ts';
import { gzipLinesCodec } from './gzip-lines/gzip-lines.ts';
import { jsonCodec } from './json/json.ts';
import { jsonLinesCodec } from './json-lines/json-lines.ts';
import { lineCodec } from './line/line.ts';
import { msgpackCodec } from './msgpack/msgpack.ts';
import { multilineCodec } from './multiline/multiline.ts';
import { netflowCodec } from './netflow/netflow.ts';
import { plainCodec } from './plain/plain.ts';
import { rubydebugCodec } from './rubydebug/rubydebug.ts';

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
  cefCodec,
  esBulkCodec,
  fluentCodec,
  gzipLinesCodec,
  netflowCodec,
  avroCodec,
  graphiteCodec,
  collectdCodec,
  cloudtrailCodec,
  cloudfrontCodec,
  ednCodec,
  ednLinesCodec,
];

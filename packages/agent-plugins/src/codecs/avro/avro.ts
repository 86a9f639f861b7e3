/**
 * The avro codec: one datum a unit, by a schema from a file; as base64 or as it is. Files of Avro with their own schema are
 * not read.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createEvent, type FieldReference, type LogEvent } from '@shoal/agent-event';
import {
  type Codec,
  type Decoder,
  keepOriginal,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  refusedOptions,
  targetedEvent,
} from '@shoal/agent-plugin-kit';
import { isShoalError, messageOf, ShoalError } from '@shoal/core';
import { readAvro } from './avro-reader.ts';
import { type AvroType, parseAvroSchema } from './avro-schema.ts';
import { writeAvro } from './avro-writer.ts';

const FAILURE = '_avroparsefailure';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Options for schemas of a server, which are read from files here. */
const REMOTE =
  'username password proxy ssl_enabled ssl_certificate ssl_key ssl_verification_mode ssl_certificate_authorities ' +
  'ssl_cipher_suites ssl_supported_protocols ssl_keystore_path ssl_keystore_password ssl_keystore_type ' +
  'ssl_truststore_path ssl_truststore_password ssl_truststore_type';

export const avroCodec: PluginDefinition = {
  kind: 'codec',
  name: 'avro',
  version: '3.4.1',
  options: {
    schema_uri: { type: 'string', isRequired: true },
    encoding: { type: ['base64', 'binary'], default: 'base64' },
    tag_on_failure: { type: 'boolean', default: false },
    target: { type: 'fieldReference' },
    ...refusedOptions(REMOTE.split(' '), 'schemas are read from files only; remove it'),
  },
  create: (options, context) => new AvroCodec(options, context),
};

class AvroCodec implements Codec {
  readonly name = 'avro';
  readonly needsUnits = true;
  private readonly context: PluginContext;
  private readonly schema: AvroType;
  private readonly isBase64: boolean;
  private readonly tagsFailures: boolean;
  private readonly target: FieldReference | null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.context = context;
    this.schema = parseAvroSchema(schemaText(options.string('schema_uri')));
    this.isBase64 = options.string('encoding') === 'base64';
    this.tagsFailures = options.boolean('tag_on_failure');
    this.target = options.has('target') ? options.reference('target') : null;
  }

  decoder(): Decoder {
    return { decode: (bytes) => (bytes.length === 0 ? [] : this.decode(bytes)), flush: () => [] };
  }

  private decode(bytes: Uint8Array): readonly LogEvent[] {
    try {
      const value = readAvro(this.datum(bytes), this.schema);
      if (!(value instanceof Map) && this.target === null)
        throw new ShoalError('illegal_argument_exception', 400, 'an Avro datum that is no record needs [target]');
      const event = targetedEvent(value, this.target);
      if (this.context.ecs !== 'disabled') keepOriginal(event, Buffer.from(bytes).toString('utf8'));
      return [event];
    } catch (error) {
      if (!isShoalError(error)) throw error;
      this.context.metrics.increment('failures');
      this.context.runtime.log.error('cannot read Avro', { plugin: this.context.pluginId, error: error.message });
      if (!this.tagsFailures) return [];
      const event = createEvent(new Map([['message', Buffer.from(bytes).toString('utf8')]]));
      event.tag(FAILURE);
      return [event];
    }
  }

  /** What is no base64 is taken as it is, also where base64 is expected. */
  private datum(bytes: Uint8Array): Uint8Array {
    if (!this.isBase64) return bytes;
    const text = Buffer.from(bytes).toString('latin1').trimEnd();
    return text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, 'base64') : bytes;
  }

  encode(event: LogEvent): Uint8Array {
    const datum = writeAvro(event.fields, this.schema);
    return this.isBase64 ? Buffer.from(Buffer.from(datum).toString('base64')) : datum;
  }
}

function schemaText(uri: string): string {
  if (/^https?:/i.test(uri))
    throw new ShoalError(
      'illegal_argument_exception',
      400,
      `[schema_uri => ${uri}] is not fetched: save the schema to a file and name that`,
    );
  const path = uri.startsWith('file://') ? fileURLToPath(uri) : uri.replace(/^file:/, '');
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ShoalError('illegal_argument_exception', 400, `the Avro schema cannot be read: ${messageOf(error)}`);
  }
}

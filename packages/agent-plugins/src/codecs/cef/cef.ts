/**
 * The cef codec: the Common Event Format of ArcSight, both ways. What is no CEF becomes a message with a tag.
 */
import {
  createEvent,
  type EventValue,
  type FieldReference,
  jsonText,
  type LogEvent,
  parseFieldReference,
  printValue,
  type Template,
} from '@shoal/agent-event';
import {
  type Codec,
  type Decoder,
  DelimiterSplitter,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  refusedOptions,
} from '@shoal/agent-plugin-kit';
import { isShoalError, ShoalError } from '@shoal/core';
import { type CefNames, cefNames } from './cef-fields.ts';
import { extensionKey, extensionText, headerText, readCef } from './cef-text.ts';
import { type CefTimeRules, cefTimeRules, readCefTime } from './cef-time.ts';

const FAILURE = '_cefparsefailure';
const TIMEZONE_FIELD = '[event][timezone]';
/** Parts of the header that are written, in their order, with what stands there when the option comes out empty. */
const HEADER_OPTIONS = [
  ['vendor', 'Elasticsearch'],
  ['product', 'Logstash'],
  ['version', '1.0'],
  ['signature', 'Logstash'],
  ['name', 'Logstash'],
] as const;
const SEVERITY = '6';

export const cefCodec: PluginDefinition = {
  kind: 'codec',
  name: 'cef',
  version: '6.2.8',
  options: {
    ...Object.fromEntries(HEADER_OPTIONS.map(([name, text]) => [name, { type: 'template', default: text }])),
    severity: { type: 'template', default: SEVERITY },
    fields: { type: 'array', default: [] },
    reverse_mapping: { type: 'boolean', default: false },
    delimiter: { type: 'string' },
    default_timezone: { type: 'string' },
    locale: { type: 'string' },
    raw_data_field: { type: 'fieldReference' },
    device: { type: ['observer', 'host'], default: 'observer' },
    ...refusedOptions(['sev'], 'use [severity]'),
    ...refusedOptions(['deprecated_v1_fields'], 'fields have only their newer names; remove it'),
  },
  create: (options, context) => new CefCodec(options, context),
};

class CefCodec implements Codec {
  readonly name = 'cef';
  /** Without a delimiter of its own, whoever feeds it cuts the lines. */
  readonly needsUnits: boolean;
  private readonly context: PluginContext;
  private readonly names: CefNames;
  private readonly times: CefTimeRules;
  private readonly rawField: FieldReference | null;
  private readonly delimiter: string;
  private readonly header: readonly { readonly template: Template; readonly fallback: string }[];
  private readonly severity: Template;
  private readonly fields: readonly { readonly reference: FieldReference; readonly key: string }[];
  private readonly references = new Map<string, FieldReference>();

  constructor(options: PluginOptions, context: PluginContext) {
    this.context = context;
    this.names = cefNames({
      ecs: context.ecs,
      device: options.string('device') === 'host' ? 'host' : 'observer',
      usesShortKeys: options.boolean('reverse_mapping'),
    });
    const text = (name: string): string | null => (options.has(name) ? options.string(name) : null);
    this.times = cefTimeRules(text('locale'), text('default_timezone'));
    this.rawField = options.has('raw_data_field') ? options.reference('raw_data_field') : null;
    this.delimiter = (text('delimiter') ?? '').replaceAll('\\r', '\r').replaceAll('\\n', '\n');
    this.needsUnits = this.delimiter === '';
    this.header = HEADER_OPTIONS.map(([name, fallback]) => ({ template: options.template(name), fallback }));
    this.severity = options.template('severity');
    this.fields = options.strings('fields').map((field) => ({
      reference: parseFieldReference(field),
      key: extensionKey(this.names.keyOf.get(field) ?? field),
    }));
  }

  decoder(): Decoder {
    if (this.delimiter === '') {
      return { decode: (bytes) => (bytes.length === 0 ? [] : [this.decodeLine(bytes)]), flush: () => [] };
    }
    const splitter = new DelimiterSplitter(Buffer.from(this.delimiter));
    return {
      decode: (bytes) => splitter.push(bytes).map((line) => this.decodeLine(line)),
      flush: () => {
        const rest = splitter.flush();
        return rest === null ? [] : [this.decodeLine(rest)];
      },
    };
  }

  private decodeLine(bytes: Uint8Array): LogEvent {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const text = whole.startsWith('"') ? whole.slice(1, -1) : whole;
    try {
      if (whole.includes('\ufffd') && !isUtf8(bytes)) throw noCef('it is not UTF-8');
      return this.eventOf(text, whole);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      const { runtime, pluginId } = this.context;
      runtime.log.error('cannot read a line of CEF', { plugin: pluginId, error: error.message });
      const event = createEvent(new Map([['message', text]]));
      event.tag(FAILURE);
      return event;
    }
  }

  private eventOf(text: string, raw: string): LogEvent {
    const line = text.replace(/\r\n$|[\r\n]$/, '');
    if (line.includes('\n')) throw noCef('it holds a line end: use [delimiter] to cut it into lines');
    const { header, extensions } = readCef(line);
    const event = createEvent();
    if (this.rawField !== null) event.set(this.rawField, raw);
    for (const [i, field] of this.names.header.entries()) this.put(event, field, header[i] ?? '');
    this.putVersion(event, header[0] ?? '');
    const fields = new Map(extensions.map(([key, value]) => [this.fieldOf(key), value]));
    for (const name of this.names.times) {
      const value = fields.get(name);
      if (value !== undefined) this.put(event, name, this.timeOf(value, fields.get(TIMEZONE_FIELD) ?? null));
      fields.delete(name);
    }
    for (const [field, value] of fields) this.put(event, field, value);
    return event;
  }

  /** What stands before the version is the header of the syslog message that carried it. */
  private putVersion(event: LogEvent, text: string): void {
    const blank = text.lastIndexOf(' ');
    if (blank >= 0) this.put(event, this.names.syslog, text.slice(0, blank));
    const version = text.slice(blank + 1);
    this.put(event, this.names.header[0] ?? '', version.startsWith('CEF:') ? version.slice(4) : version);
  }

  private timeOf(value: string, deviceZone: string | null): EventValue {
    if (value.trim() === '') return null;
    return readCefTime(value, deviceZone, this.times, this.context.runtime.clock.wallMs());
  }

  /** `name[0]` is no reference: it stands for the first item below the name. */
  private fieldOf(key: string): string {
    const field = this.names.fieldOf.get(key) ?? key;
    const indexed = field.startsWith('[') ? null : /^([^[\]]+)(\[\d+\])$/.exec(field);
    return indexed === null ? field : `[${indexed[1]}]${indexed[2]}`;
  }

  private put(event: LogEvent, field: string, value: EventValue): void {
    let reference = this.references.get(field);
    if (reference === undefined) {
      reference = parseFieldReference(field);
      // Keys come from the sender: whoever sends ever new ones gets no memory for them.
      if (this.references.size < REFERENCES_MAX) this.references.set(field, reference);
    }
    event.set(reference, value);
  }

  encode(event: LogEvent): Uint8Array {
    const header = this.header.map(({ template, fallback }) => headerText(template.render(event)) || fallback);
    const extensions = this.fields.flatMap(({ reference, key }) => {
      const value = event.get(reference);
      return value === undefined || value === null ? [] : [`${key}=${valueText(value)}`];
    });
    const head = ['CEF:0', ...header, severityText(this.severity.render(event))].join('|');
    return Buffer.from(`${head}|${extensions.join(' ')}${this.delimiter}`, 'utf8');
  }
}

const REFERENCES_MAX = 1_000;
const strict = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    // The only thing that a fatal decoder throws for.
    return false;
  }
}

function valueText(value: EventValue): string {
  return extensionText(Array.isArray(value) || value instanceof Map ? jsonText(value) : printValue(value));
}

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A whole number from 0 to 10; what is none is the default. */
function severityText(text: string): string {
  const digits = headerText(text).trim();
  const value = NUMBER.test(digits) ? Number(digits) : Number.NaN;
  return Number.isInteger(value) && value >= 0 && value <= 10 ? String(Number.parseInt(digits, 10)) : SEVERITY;
}

function noCef(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `this is no CEF: ${why}`);
}

/**
 * The netflow codec: flow records of routers, NetFlow 5 and 9 and IPFIX, one event each.
 *
 * From version 9 on a packet means nothing without templates that came before, in a datagram of their own: they are kept by
 * sender. Until they are there its records cannot be read and are dropped.
 */
import { join } from 'node:path';
import {
  createEvent,
  type EventMap,
  type EventValue,
  type FieldReference,
  type LogEvent,
  Timestamp,
} from '@shoal/agent-event';
import type {
  Codec,
  Decoder,
  PluginContext,
  PluginDefinition,
  PluginOptions,
  StreamPeer,
} from '@shoal/agent-plugin-kit';
import { isShoalError, ShoalError } from '@shoal/core';
import { withIpfixDefinitions, withNetflowDefinitions } from './field-definitions.ts';
import {
  broken,
  DATA_SETS_FROM,
  type FieldSpecifier,
  flowRecords,
  flowSets,
  IPFIX_OPTIONS,
  IPFIX_TEMPLATES,
  ipfixTemplates,
  netflowTemplates,
  type TemplateRecord,
} from './flow-packet.ts';
import { switchedTime, timesOfIpfix } from './flow-times.ts';
import { type FieldDefinition, type FieldTable, IPFIX_FIELDS } from './ipfix-fields.ts';
import { NETFLOW_FIELDS, SCOPES } from './netflow-fields.ts';
import { readNetflow5 } from './netflow5.ts';
import { type TemplateField, TemplateStore } from './template-store.ts';

/** Senders and templates that the log names as unknown; further ones are only counted. */
const NAMED_MAX = 100;

export const netflowCodec: PluginDefinition = {
  kind: 'codec',
  name: 'netflow',
  version: '4.3.2',
  options: {
    cache_ttl: { type: 'number', default: 4000 },
    cache_save_path: { type: 'path' },
    target: { type: 'fieldReference', default: 'netflow' },
    include_flowset_id: { type: 'boolean', default: false },
    versions: { type: 'array', default: [5, 9, 10] },
    netflow_definitions: { type: 'path' },
    ipfix_definitions: { type: 'path' },
  },
  create: (options, context) => new NetflowCodec(options, context),
};

/** What one packet says of all its records. */
interface PacketHead {
  readonly version: number;
  readonly sequence: number;
  readonly unixSeconds: number;
  /** Milliseconds since the exporter started; 0 in IPFIX, which has none. */
  readonly uptimeMs: number;
  /** Start of the keys of its templates. */
  readonly source: string;
}

/** What stands before a template's number in its key: files of earlier versions have nothing there. */
const DATA_MARK = '';
/** The same for templates of options of IPFIX, which are taken back apart from the others. */
const OPTIONS_MARK = 'options ';

class NetflowCodec implements Codec {
  readonly name = 'netflow';
  readonly needsUnits = true;
  private readonly context: PluginContext;
  private readonly versions: readonly string[];
  private readonly target: FieldReference;
  private readonly includesSetId: boolean;
  private readonly netflowFields: ReadonlyMap<number, FieldDefinition>;
  private readonly ipfixFields: FieldTable;
  private readonly netflowTemplates: TemplateStore;
  private readonly ipfixTemplates: TemplateStore;
  private readonly named = new Set<string>();

  constructor(options: PluginOptions, context: PluginContext) {
    this.context = context;
    this.versions = options.strings('versions');
    this.target = options.reference('target');
    this.includesSetId = options.boolean('include_flowset_id');
    this.netflowFields = options.has('netflow_definitions')
      ? withNetflowDefinitions(NETFLOW_FIELDS, options.string('netflow_definitions'))
      : NETFLOW_FIELDS;
    this.ipfixFields = options.has('ipfix_definitions')
      ? withIpfixDefinitions(IPFIX_FIELDS, options.string('ipfix_definitions'))
      : IPFIX_FIELDS;
    const store = (file: string): TemplateStore => {
      const path = options.has('cache_save_path') ? join(options.string('cache_save_path'), file) : null;
      return new TemplateStore(context.runtime, options.number('cache_ttl') * 1000, path);
    };
    this.netflowTemplates = store('netflow_templates.cache');
    this.ipfixTemplates = store('ipfix_templates.cache');
  }

  decoder(peer?: StreamPeer): Decoder {
    return { decode: (bytes) => this.packet(bytes, peer), flush: () => [] };
  }

  encode(): Uint8Array {
    throw new ShoalError('illegal_argument_exception', 400, 'the codec [netflow] only reads');
  }

  private packet(data: Uint8Array, peer: StreamPeer | undefined): readonly LogEvent[] {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    try {
      if (bytes.length < 2) throw broken('it ends within its head');
      const version = bytes.readUInt16BE(0);
      if (!this.versions.includes(String(version))) {
        this.note(`version ${version}`, 'a flow packet is of a version that is not taken', { version });
        return [];
      }
      if (version === 5) return readNetflow5(bytes).map(({ timestamp, fields }) => this.event(timestamp, fields));
      if (version === 9) return this.netflow9(bytes, peer);
      if (version === 10) return this.ipfix(bytes, peer);
      throw broken(`there is no version ${version}`);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      this.context.metrics.increment('invalid_packets');
      this.note(`packet ${peer?.host}`, 'a datagram is no flow packet', {
        error: error.message,
        host: peer?.host ?? '',
      });
      return [];
    }
  }

  private netflow9(bytes: Buffer, peer: StreamPeer | undefined): LogEvent[] {
    if (bytes.length < 20) throw broken('it ends within its head');
    const head: PacketHead = {
      version: 9,
      uptimeMs: bytes.readUInt32BE(4),
      unixSeconds: bytes.readUInt32BE(8),
      sequence: bytes.readUInt32BE(12),
      source: `${peer?.host ?? ''}|${peer?.port ?? ''}|${bytes.readUInt32BE(16)}`,
    };
    return flowSets(bytes.subarray(20)).flatMap(({ id, body }) => {
      if (id >= DATA_SETS_FROM) return this.records(this.netflowTemplates, head, id, body);
      if (id > 1) throw broken(`there is no set ${id}`);
      for (const template of netflowTemplates(body, id === 1)) this.keepNetflow(head, template);
      return [];
    });
  }

  private ipfix(bytes: Buffer, peer: StreamPeer | undefined): LogEvent[] {
    const length = bytes.length < 16 ? 0 : bytes.readUInt16BE(2);
    if (length < 16 || length > bytes.length) throw broken('it ends before it should');
    const head: PacketHead = {
      version: 10,
      uptimeMs: 0,
      unixSeconds: bytes.readUInt32BE(4),
      sequence: bytes.readUInt32BE(8),
      source: `${peer?.host ?? ''}|${bytes.readUInt32BE(12)}`,
    };
    return flowSets(bytes.subarray(16, length)).flatMap(({ id, body }) => {
      if (id >= DATA_SETS_FROM) return this.records(this.ipfixTemplates, head, id, body);
      if (id !== IPFIX_TEMPLATES && id !== IPFIX_OPTIONS) throw broken(`there is no set ${id}`);
      for (const template of ipfixTemplates(body, id)) this.keepIpfix(head, template, id);
      return [];
    });
  }

  private keepNetflow({ source }: PacketHead, { id, scopes, fields }: TemplateRecord): void {
    const named = (specifier: FieldSpecifier, definition: FieldDefinition | undefined) =>
      this.templateField(specifier, definition, `${source}|${id}`);
    this.netflowTemplates.set(
      `${source}|${DATA_MARK}${id}`,
      [
        ...scopes.map((scope) => named(scope, SCOPES.get(scope.id))),
        ...fields.map((field) => named(field, this.netflowFields.get(field.id))),
      ].filter(({ length }) => length > 0),
    );
  }

  private keepIpfix({ source }: PacketHead, { id, scopes, fields }: TemplateRecord, setId: number): void {
    if (id === setId) {
      const isOptions = (key: string): boolean => key.startsWith(`${source}|${OPTIONS_MARK}`);
      this.ipfixTemplates.deleteWhere(
        (key) => key.startsWith(`${source}|`) && isOptions(key) === (setId === IPFIX_OPTIONS),
      );
      return;
    }
    // A number stands for one template, of either kind.
    for (const mark of [DATA_MARK, OPTIONS_MARK]) this.ipfixTemplates.delete(`${source}|${mark}${id}`);
    const all = [...scopes, ...fields];
    if (all.length === 0) return;
    const key = `${source}|${setId === IPFIX_OPTIONS ? OPTIONS_MARK : DATA_MARK}${id}`;
    this.ipfixTemplates.set(
      key,
      all.map((field) => this.templateField(field, this.ipfixFields.get(field.enterprise)?.get(field.id), key)),
    );
  }

  /** A field that nobody knows is passed over; the others of its record are still worth having. */
  private templateField(
    { id, enterprise, length }: FieldSpecifier,
    definition: FieldDefinition | undefined,
    template: string,
  ): TemplateField {
    if (definition !== undefined) return { ...definition, length };
    this.note(`field ${enterprise} ${id}`, 'a template has a field that is not known', {
      template,
      enterprise,
      field: id,
    });
    return { name: '', kind: 'skip', length };
  }

  private records(store: TemplateStore, head: PacketHead, id: number, body: Buffer): LogEvent[] {
    const template = store.get(`${head.source}|${DATA_MARK}${id}`) ?? store.get(`${head.source}|${OPTIONS_MARK}${id}`);
    if (template === null) {
      this.context.metrics.increment('missing_templates');
      this.note(`template ${head.source}|${id}`, 'flows cannot be read before their template has come', {
        template: id,
        source: head.source,
      });
      return [];
    }
    return flowRecords(body, template).map((record) => this.recordEvent(head, id, record));
  }

  private recordEvent(head: PacketHead, setId: number, record: EventMap): LogEvent {
    const isIpfix = head.version === 10;
    const fields = new Map<string, EventValue>([['version', head.version]]);
    if (!isIpfix) fields.set('flow_seq_num', head.sequence);
    if (!isIpfix || this.includesSetId) fields.set('flowset_id', setId);
    for (const [name, value] of record)
      fields.set(name, isIpfix ? timesOfIpfix(name, value) : switchedTime(name, value, head));
    return this.event(new Timestamp(head.unixSeconds * 1000), fields);
  }

  private event(timestamp: Timestamp, fields: EventMap): LogEvent {
    const event = createEvent();
    event.timestamp = timestamp;
    event.set(this.target, fields);
    return event;
  }

  /** Once for each subject: what comes in by UDP may come in by the million. */
  private note(subject: string, message: string, fields: Readonly<Record<string, string | number>>): void {
    if (this.named.has(subject) || this.named.size >= NAMED_MAX) return;
    this.named.add(subject);
    this.context.runtime.log.warn(message, { plugin: this.context.pluginId, ...fields });
  }
}

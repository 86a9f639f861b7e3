/**
 * One event as one item of a bulk request: which action on which document, as the options say for this event.
 */

import {
  type EventValue,
  eventToJsonText,
  jsonText,
  type LogEvent,
  parseEventJson,
  parseFieldReference,
  printValue,
  type Template,
  toEventValue,
} from '@shoal/agent-event';
import { optionError, type PluginOptions } from '@shoal/agent-plugin-kit';
import { isShoalError } from '@shoal/core';
import { type DataStream, type StreamDocument, streamDocument } from './data-stream.ts';

const ACTIONS: readonly string[] = ['index', 'create', 'update', 'delete'];
/** Options whose text goes into the action line of a document, or beside it. */
const DOCUMENT_OPTIONS = ['document_id', 'routing', 'pipeline', 'version', 'upsert', 'parent'] as const;
const INGEST_DOCUMENT = parseFieldReference('[@metadata][_ingest_document]');

/** What the bulk API is sent for an event. */
export interface BulkItem {
  readonly event: LogEvent;
  readonly action: string;
  readonly index: string;
  /** Action line, with its line end. */
  readonly head: string;
  /** Line behind it: an event as JSON, or a text without its line end; null: there is none. */
  readonly document: LogEvent | string | null;
}

/** The event can be no item; it is dead-lettered or dropped. */
export interface RefusedItem {
  readonly event: LogEvent;
  readonly reason: string;
}

export class BulkItems {
  private readonly options: PluginOptions;
  private readonly templates = new Map<string, Template>();
  private readonly index: Template;
  private readonly dataStream: DataStream | null;
  /** Action of all items when nothing but the index depends on the event; null otherwise. */
  private readonly plainAction: string | null;
  private lastIndex: string | null = null;
  private lastLine = '';

  constructor(options: PluginOptions, index: Template, dataStream: DataStream | null) {
    this.options = options;
    this.index = index;
    this.dataStream = dataStream;
    for (const name of ['action', ...DOCUMENT_OPTIONS])
      if (options.has(name)) this.templates.set(name, options.template(name));
    this.plainAction = plainActionOf(options, dataStream);
  }

  of(event: LogEvent): BulkItem | RefusedItem {
    return this.plain(event) ?? this.full(event);
  }

  /** The item of an event that only chooses its index; null for others. Says the same as `full`, for a fraction of the work. */
  private plain(event: LogEvent): BulkItem | null {
    const action = this.plainAction;
    if (action === null || event.get(INGEST_DOCUMENT) !== undefined) return null;
    const isStream = this.dataStream !== null;
    const { index, document } = isStream ? this.placeOf(event) : { index: this.index.render(event), document: event };
    if (index !== this.lastIndex) {
      if (index.includes('%{')) return null;
      this.lastIndex = index;
      this.lastLine = actionLine(action, new Map([['_index', index]]));
    }
    return { event, action, index, head: this.lastLine, document };
  }

  /** The item of any event. */
  full(event: LogEvent): BulkItem | RefusedItem {
    const action = this.dataStream === null ? (this.rendered('action', event) ?? 'index') : 'create';
    if (!ACTIONS.includes(action)) return { event, reason: `[${action}] is no action of the bulk API` };
    const { index, document } = this.placeOf(event);
    if (index.includes('%{') && this.options.boolean('dlq_on_failed_indexname_interpolation'))
      return { event, reason: `the index name [${index}] has a placeholder that the event does not fill` };
    const meta = this.metadataOf(event, action, index);
    if ((action === 'update' || action === 'delete') && meta.get('_id') === undefined)
      return { event, reason: `the action [${action}] needs a [document_id]` };
    const head = actionLine(action, meta);
    if (action === 'delete') return { event, action, index, head, document: null };
    if (action === 'update') {
      const upsert = this.upsertOf(event);
      if (upsert === null) return { event, reason: 'its [upsert] is no JSON' };
      return { event, action, index, head, document: this.updateBody(this.joinedToParent(document), upsert) };
    }
    return { event, action, index, head, document: this.joinedToParent(document) };
  }

  /** The value of the join field is the name of the relation; the parent is written beside it. Other outputs see the event as it came. */
  private joinedToParent(event: LogEvent): LogEvent {
    const parent = this.rendered('parent', event);
    if (parent === undefined) return event;
    const field = this.options.reference('join_field');
    const name = event.get(field);
    if (name === undefined) return event;
    const joined = event.clone();
    joined.set(field, toEventValue({ name, parent }));
    return joined;
  }

  private rendered(name: string, event: LogEvent): string | undefined {
    const text = this.templates.get(name)?.render(event);
    return text === '' ? undefined : text;
  }

  /** Index or data stream, and the document for it. */
  private placeOf(event: LogEvent): StreamDocument {
    const given = ingestDocument(event)?.get('index');
    if (given !== undefined) return { index: printValue(given), document: event };
    if (this.dataStream !== null) return streamDocument(event, this.dataStream);
    return { index: this.index.render(event), document: event };
  }

  private metadataOf(event: LogEvent, action: string, index: string): Map<string, EventValue> {
    const meta = new Map<string, EventValue>([['_index', index]]);
    const given = ingestDocument(event);
    const put = (key: string, option: string, ingestName: string): void => {
      const stated = given?.get(ingestName);
      const value = stated === undefined || stated === null ? this.rendered(option, event) : printValue(stated);
      if (value !== undefined) meta.set(key, value);
    };
    put('_id', 'document_id', 'id');
    put('routing', 'routing', 'routing');
    const parent = this.rendered('parent', event);
    // A child lies in the shard of its parent.
    if (parent !== undefined) meta.set('routing', parent);
    if (action === 'index' || action === 'create') put('pipeline', 'pipeline', 'pipeline');
    put('version', 'version', 'version');
    if (this.options.has('version_type')) meta.set('version_type', this.options.string('version_type'));
    if (action === 'update') meta.set('retry_on_conflict', this.options.number('retry_on_conflict'));
    return meta;
  }

  /** JSON in one line, whatever lines it has in the configuration; undefined: there is none; null: it is no JSON. */
  private upsertOf(event: LogEvent): string | null | undefined {
    const text = this.rendered('upsert', event);
    if (text === undefined) return undefined;
    try {
      return jsonText(parseEventJson(text));
    } catch (error) {
      if (isShoalError(error)) return null;
      throw error;
    }
  }

  private updateBody(event: LogEvent, upsert: string | undefined): string {
    const { options } = this;
    if (!options.has('script')) {
      const asUpsert = options.boolean('doc_as_upsert') ? ',"doc_as_upsert":true' : '';
      const upsertPart = upsert === undefined ? '' : `,"upsert":${upsert}`;
      return `{"doc":${eventToJsonText(event)}${asUpsert}${upsertPart}}`;
    }
    const isStored = options.string('script_type') === 'indexed';
    const script = new Map<string, EventValue>([
      [isStored ? 'id' : 'source', options.string('script')],
      ['params', new Map([[options.string('script_var_name'), event.fields]])],
    ]);
    if (!isStored) script.set('lang', options.string('script_lang'));
    const isScripted = options.boolean('scripted_upsert');
    const whole = options.boolean('doc_as_upsert')
      ? eventToJsonText(event)
      : (upsert ?? (isScripted ? '{}' : undefined));
    return `{"script":${jsonText(script)}${isScripted ? ',"scripted_upsert":true' : ''}${whole === undefined ? '' : `,"upsert":${whole}`}}`;
  }
}

function plainActionOf(options: PluginOptions, dataStream: DataStream | null): string | null {
  const action = options.template('action');
  const isPlain =
    (dataStream !== null || (action.isConstant && (action.text === 'index' || action.text === 'create'))) &&
    ![...DOCUMENT_OPTIONS, 'join_field', 'version_type'].some((name) => options.has(name));
  if (!isPlain) return null;
  return dataStream === null ? action.text : 'create';
}

function actionLine(action: string, meta: Map<string, EventValue>): string {
  return `${jsonText(new Map<string, EventValue>([[action, meta]]))}\n`;
}

/** What an earlier stage decided about the document. */
function ingestDocument(event: LogEvent): Map<string, EventValue> | undefined {
  const value = event.get(INGEST_DOCUMENT);
  return value instanceof Map ? value : undefined;
}

/** @throws ShoalError for combinations that no event could use */
export function checkActions(options: PluginOptions): void {
  const action = options.template('action');
  const isUpdate = action.text === 'update';
  const isExternal = options.has('version_type') && options.string('version_type').startsWith('external');
  if (action.isConstant && !ACTIONS.includes(action.text))
    throw optionError(`[action => ${action.text}] must be one of ${ACTIONS.join(', ')}, or name a field: %{field}`);
  if (isUpdate && !options.has('document_id')) throw optionError('[action => update] needs a [document_id]');
  if (isExternal && !options.has('version')) throw optionError('a [version_type] that is external needs a [version]');
  if (isExternal && (isUpdate || action.text === 'create'))
    throw optionError(`[action => ${action.text}] takes no [version_type] that is external`);
  if (options.boolean('doc_as_upsert') && options.boolean('scripted_upsert'))
    throw optionError('[doc_as_upsert] and [scripted_upsert] exclude each other');
  if (options.has('parent') && !options.has('join_field'))
    throw optionError('[parent] needs a [join_field]: types with parents are gone');
  if (options.boolean('scripted_upsert') && !options.has('script'))
    throw optionError('[scripted_upsert] needs a [script]');
}

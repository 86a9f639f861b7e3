/**
 * One line of the changes of a database of CouchDB as an event: the document below `doc`, and in the metadata what an
 * elasticsearch output needs to do the same. Pure.
 */
import {
  createEvent,
  type EventMap,
  type EventValue,
  jsonText,
  type LogEvent,
  parseEventJson,
} from '@shoal/agent-event';
import { isShoalError } from '@shoal/core';

export interface ChangeOptions {
  readonly keepsId: boolean;
  readonly keepsRevision: boolean;
  readonly keepsAttachments: boolean;
}

export interface Change {
  readonly event: LogEvent;
  /** Where the change stands, as the next request names it. */
  readonly sequence: string;
}

/** null for a line that is no change of a document: the last line of an answer, or one that cannot be read. */
export function changeOf(line: string, options: ChangeOptions): Change | null {
  const change = objectOf(line);
  const doc = change?.get('doc');
  const sequence = change?.get('seq') ?? null;
  if (!(doc instanceof Map) || sequence === null) return null;
  const isDeleted = doc.get('_deleted') === true;
  const event = createEvent(isDeleted ? new Map() : new Map([['doc', documentOf(doc, options)]]));
  event.metadata.set('_id', doc.get('_id') ?? null);
  event.metadata.set('action', isDeleted ? 'delete' : 'update');
  event.metadata.set('seq', sequence);
  return { event, sequence: typeof sequence === 'string' ? sequence : jsonText(sequence) };
}

function objectOf(line: string): EventMap | null {
  try {
    const value = parseEventJson(line);
    return value instanceof Map ? value : null;
  } catch (error) {
    if (!isShoalError(error)) throw error;
    return null;
  }
}

function documentOf(doc: EventMap, options: ChangeOptions): EventValue {
  const kept: EventMap = new Map(doc);
  if (!options.keepsId) kept.delete('_id');
  if (!options.keepsRevision) kept.delete('_rev');
  if (!options.keepsAttachments) kept.delete('_attachments');
  return kept;
}

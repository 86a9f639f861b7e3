/**
 * Answers of the document APIs in Elasticsearch's shape.
 */

import type { ClusterState } from '@shoal/cluster-state';
import type { BulkItemOutcome, DocumentOutcome } from '@shoal/coordinator';
import { changedError, RawJson, renderErrorBody, type ShoalError } from '@shoal/core';
import type { SourceFilter } from '@shoal/query';
import { parseMapping } from '@shoal/schema';
import { type DoneWord, type FetchedHit, filterSourceBytes, namingVectors, storedFieldsOf } from '@shoal/shard-api';
import { SINGLE_TYPE } from '../request/single-type.ts';

type DoneItem = Extract<BulkItemOutcome, { kind: 'done' }>;
type FailedItem = Extract<BulkItemOutcome, { kind: 'failed' }>;
type Answer = Readonly<Record<string, unknown>>;

const STATUS_CREATED = 201;

/** HTTP status of one write. */
export function statusOf(outcome: BulkItemOutcome): number {
  return outcome.kind === 'failed' ? outcome.error.status : statusOfWord(outcome.done.result);
}

export function statusOfWord(result: DoneWord): number {
  if (result === 'created') return STATUS_CREATED;
  return result === 'not_found' ? 404 : 200;
}

/** Answer of a single write; also the item of a bulk, without its status. */
export function renderWrite(outcome: DoneItem, withType: boolean): Answer {
  const { done } = outcome;
  return {
    _index: outcome.index,
    _type: withType ? SINGLE_TYPE : undefined,
    _id: outcome.id,
    _version: done.version,
    result: done.result,
    forced_refresh: outcome.forcedRefresh ? true : undefined,
    _shards: outcome.shards,
    // What no primary was asked for has neither.
    _seq_no: done.primaryTerm === 0 ? undefined : done.seqNo,
    _primary_term: done.primaryTerm === 0 ? undefined : done.primaryTerm,
    failure_store: outcome.failureStore ?? undefined,
    get: gotten(outcome),
  };
}

/** Error of a single write, with what the failure store had to do with it. */
export function errorOfWrite({ error, failureStore }: FailedItem): ShoalError {
  if (failureStore === null) return error;
  return changedError(error, {
    // The error itself is its cause, which the failure store is no part of.
    rootCauses: error.rootCauses.length > 0 ? error.rootCauses : [error],
    details: { ...error.details, failure_store: failureStore },
  });
}

/** What an update tells of the document: its source when that was asked for, and that a script left none to be made. */
function gotten(outcome: DoneItem): Answer | undefined {
  const { action, done } = outcome;
  if (action === 'update' && done.primaryTerm === 0) return { found: false };
  return done.source === null ? undefined : renderUpdatedSource(outcome, done.source);
}

function renderUpdatedSource(outcome: DoneItem, source: Uint8Array): Answer {
  const { seqNo, primaryTerm } = outcome.done;
  return { _seq_no: seqNo, _primary_term: primaryTerm, found: true, _source: new RawJson(source) };
}

/** Parts of a document that a request wants. */
export interface DocumentView {
  /** null: the whole source. */
  readonly filter: SourceFilter | null;
  readonly storedFields: readonly string[];
  /** Shows the mapping type, as version 7 does. */
  readonly withType: boolean;
}

type AnsweredDocument = Extract<DocumentOutcome, { kind: 'answered' }>;

/** `_doc/{id}` and one entry of `_mget`. */
export function renderDocument(state: ClusterState, found: AnsweredDocument, view: DocumentView): Answer {
  const { index, id, document } = found;
  const _type = view.withType ? SINGLE_TYPE : undefined;
  if (document === null) return { _index: index, _type, _id: id, found: false };
  const source = sourceOf(document, filterOfIndex(state, index, view.filter));
  // The routing is one of the stored fields, and none of them is looked at.
  const isBare = view.storedFields.length === 0 && view.filter?.enabled === false;
  const mapping = view.storedFields.length === 0 ? undefined : state.metadata.indices.get(index)?.mapping;
  const fields = mapping === undefined ? null : storedFieldsOf(parseMapping(mapping), document, view.storedFields);
  return {
    _index: index,
    _type,
    _id: id,
    _version: document.version,
    _seq_no: document.seqNo,
    _primary_term: document.primaryTerm,
    _routing: isBare ? undefined : (document.routing ?? undefined),
    found: true,
    _source: source === null ? undefined : new RawJson(source),
    fields: fields ?? undefined,
  };
}

export function renderMultiGetEntry(state: ClusterState, outcome: DocumentOutcome, view: DocumentView): Answer {
  if (outcome.kind === 'answered') return renderDocument(state, outcome, view);
  const _type = view.withType ? SINGLE_TYPE : undefined;
  return { _index: outcome.index, _type, _id: outcome.id, error: renderErrorBody(outcome.error).error };
}

/** The filter with the names of what it leaves out in this index; null for the whole source. */
export function filterOfIndex(state: ClusterState, index: string, filter: SourceFilter | null): SourceFilter | null {
  if (filter?.excludesVectors !== true) return filter;
  return namingVectors(filter, parseMapping(state.metadata.indices.get(index)?.mapping));
}

/** The wanted part of a document; null when none is wanted. */
export function sourceOf(document: FetchedHit, filter: SourceFilter | null): Uint8Array | null {
  if (document.source === null || filter?.enabled === false) return null;
  return filter === null ? document.source : filterSourceBytes(document.source, filter);
}

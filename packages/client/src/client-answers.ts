/**
 * From the JSON that the REST API answers to the typed answers of `ShoalClient`, checked field by field.
 */
import { ANY_TOKENS, type ItemReader, messageOf, parseJson, ShoalError, ValueReader } from '@shoal/core';
import type { ClientResponse } from '@shoal/protocol';
import { errorOfBody } from './error-of-body.ts';
import type {
  BulkAnswer,
  BulkItem,
  CopyCounts,
  CountAnswer,
  GetAnswer,
  HealthAnswer,
  SearchAnswer,
  SearchHit,
  ShardCounts,
  WriteAnswer,
} from './shoal-client.ts';

const COUNT_MAX = Number.MAX_SAFE_INTEGER;
/** Items or hits of one answer; its bytes are bounded by the frame. */
const ITEMS_MAX = 1_000_000;
const SEQ_NO_MIN = -2;

/** A reader over the body; throws what the body says when it is an error. */
export function readBody(response: ClientResponse): ValueReader {
  let value: unknown;
  try {
    value = parseJson(response.body, ANY_TOKENS);
  } catch (error) {
    const reason = messageOf(error);
    throw new ShoalError('malformed_message_exception', 500, `the answer is no JSON: ${reason}`);
  }
  const reader = ValueReader.of(value, 'answer');
  if (reader.has('error')) throw errorOfBody(reader, response.status);
  return reader;
}

export function readWriteAnswer(r: ValueReader): WriteAnswer {
  return {
    index: r.string('_index'),
    id: r.string('_id'),
    version: r.integer('_version', -1, COUNT_MAX),
    result: r.oneOf('result', ['created', 'updated', 'deleted', 'not_found', 'noop']),
    seqNo: r.integer('_seq_no', SEQ_NO_MIN, COUNT_MAX),
    primaryTerm: r.integer('_primary_term', 0, COUNT_MAX),
    shards: readCopies(r.object('_shards')),
  };
}

export function readGetAnswer(r: ValueReader): GetAnswer {
  const at = { index: r.string('_index'), id: r.string('_id') };
  if (!r.boolean('found')) return { found: false, ...at };
  return {
    found: true,
    ...at,
    version: r.integer('_version', -1, COUNT_MAX),
    seqNo: r.integer('_seq_no', SEQ_NO_MIN, COUNT_MAX),
    primaryTerm: r.integer('_primary_term', 0, COUNT_MAX),
    source: readDocument(r.raw('_source'), '_source'),
  };
}

export function readBulkAnswer(r: ValueReader): BulkAnswer {
  return {
    tookMs: r.integer('took', 0, COUNT_MAX),
    hasErrors: r.boolean('errors'),
    items: r.list('items', readItem, ITEMS_MAX),
  };
}

export function readCountAnswer(r: ValueReader): CountAnswer {
  return { count: r.integer('count', 0, COUNT_MAX), shards: readShards(r.object('_shards')) };
}

export function readSearchAnswer(r: ValueReader): SearchAnswer {
  const hits = r.object('hits');
  const total = hits.optionalObject('total');
  return {
    tookMs: r.integer('took', 0, COUNT_MAX),
    timedOut: r.boolean('timed_out'),
    shards: readShards(r.object('_shards')),
    total:
      total === null
        ? null
        : { value: total.integer('value', 0, COUNT_MAX), relation: total.oneOf('relation', ['eq', 'gte']) },
    maxScore: hits.optionalNumber('max_score'),
    hits: hits.list('hits', readHit, ITEMS_MAX),
  };
}

export function readHealthAnswer(r: ValueReader): HealthAnswer {
  return {
    clusterName: r.string('cluster_name'),
    status: r.oneOf('status', ['green', 'yellow', 'red']),
    timedOut: r.boolean('timed_out'),
    numberOfNodes: r.integer('number_of_nodes', 0, COUNT_MAX),
    numberOfDataNodes: r.integer('number_of_data_nodes', 0, COUNT_MAX),
    activeShards: r.integer('active_shards', 0, COUNT_MAX),
    unassignedShards: r.integer('unassigned_shards', 0, COUNT_MAX),
  };
}

/** A document, which may be any JSON object. */
const readDocument: ItemReader<Readonly<Record<string, unknown>>> = (value, field) => {
  ValueReader.of(value, field);
  return value as Readonly<Record<string, unknown>>; // Checked: a map, parsed from JSON.
};

const asAnything: ItemReader<unknown> = (value) => value;

const readHit: ItemReader<SearchHit> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    index: r.string('_index'),
    id: r.string('_id'),
    score: r.optionalNumber('_score'),
    source: r.optional('_source', readDocument),
    sort: r.has('sort') ? r.list('sort', asAnything, ITEMS_MAX) : [],
  };
};

const readItem: ItemReader<BulkItem> = (value, field) => {
  const outer = ValueReader.of(value, field);
  const kind = outer.fields()[0] ?? '';
  const r = outer.object(kind);
  const error = r.optionalObject('error');
  return {
    kind,
    index: r.string('_index'),
    id: r.optionalString('_id'),
    status: r.integer('status', 200, 599),
    error: error === null ? null : { type: error.string('type'), reason: error.optionalString('reason') },
  };
};

function readCopies(r: ValueReader): CopyCounts {
  return {
    total: r.integer('total', 0, COUNT_MAX),
    successful: r.integer('successful', 0, COUNT_MAX),
    failed: r.integer('failed', 0, COUNT_MAX),
  };
}

function readShards(r: ValueReader): ShardCounts {
  return { ...readCopies(r), skipped: r.integer('skipped', 0, COUNT_MAX) };
}

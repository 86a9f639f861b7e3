/** Suggest phase: coordinator → data node, before the query phase of a search with suggestions. Channel `reg`. */

import { type ItemReader, unreachable, ValueReader } from '@shoal/core';
import type { NamedContexts, ShardSuggestions, SuggestEntry, SuggestOption } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { readShardTarget, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';
import { type PackedShardQuery, readShardQuery, writeShardQuery } from './query-phase.ts';

export interface SuggestPhaseRequest {
  readonly target: ShardTarget;
  /** A search with its suggestions. */
  readonly query: PackedShardQuery;
}

export interface SuggestPhaseResponse {
  readonly suggestions: ShardSuggestions;
}

/** Suggestions, entries, options, contexts or values of one list. */
const ITEMS_MAX = 1_000_000;
const POSITION_MAX = 0x7fff_ffff;
const KINDS = ['term', 'phrase', 'completion'] as const;

export const SUGGEST_PHASE: ActionCodec<SuggestPhaseRequest, SuggestPhaseResponse> = {
  name: 'indices:data/read/search[phase/suggest]',
  writeRequest: ({ target, query }) => ({
    message: { target: writeShardTarget(target), query: writeShardQuery(query) },
  }),
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    return { target: readShardTarget(r.raw('target'), 'target'), query: readShardQuery(r.object('query')) };
  },
  writeResponse: ({ suggestions }) => ({ message: { suggestions } }),
  readResponse: (body) => ({ suggestions: ValueReader.of(body.message).list('suggestions', readEntries, ITEMS_MAX) }),
};

const readEntries: ItemReader<readonly SuggestEntry[]> = (value, path) =>
  ValueReader.listOf(value, path, readEntry, ITEMS_MAX);

const readEntry: ItemReader<SuggestEntry> = (value, path) => {
  const r = ValueReader.of(value, path);
  return {
    text: r.string('text'),
    offset: r.integer('offset', 0, POSITION_MAX),
    length: r.integer('length', 0, POSITION_MAX),
    cutoff: r.optionalNumber('cutoff'),
    options: r.list('options', readOption, ITEMS_MAX),
  };
};

const readOption: ItemReader<SuggestOption> = (value, path) => {
  const r = ValueReader.of(value, path);
  const kind = r.oneOf('kind', KINDS);
  const shared = { text: r.string('text'), score: r.number('score') };
  switch (kind) {
    case 'term':
      return { kind, ...shared, freq: r.integer('freq', 0, Number.MAX_SAFE_INTEGER) };
    case 'phrase':
      return {
        kind,
        ...shared,
        highlighted: r.optionalString('highlighted'),
        isCollateMatch: r.optional('isCollateMatch', ValueReader.asBoolean),
      };
    case 'completion': {
      const document = r.object('document');
      return {
        kind,
        ...shared,
        document: {
          ord: document.integer('ord', 0, Number.MAX_SAFE_INTEGER),
          id: document.string('id'),
          routing: document.optionalString('routing'),
          source: document.optional('source', ValueReader.asBytes),
        },
        contexts: r.list('contexts', readContexts, ITEMS_MAX),
      };
    }
    default:
      return unreachable(kind);
  }
};

const readContexts: ItemReader<NamedContexts> = (value, path) => {
  const r = ValueReader.of(value, path);
  return { name: r.string('name'), values: r.list('values', ValueReader.asString, ITEMS_MAX) };
};

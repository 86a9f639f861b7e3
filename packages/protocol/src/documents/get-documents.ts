/** Documents of one shard by id: coordinator → data node. Serves get, mget, `_source` and exists. Channel `reg`. */

import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { FetchedHit, GetRequest } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { SectionReader } from '../sections/section-reader.ts';
import { SectionWriter } from '../sections/section-writer.ts';
import { HITS_MAX, readHits, writeHits } from './fetched-hits.ts';
import { readShardTarget, type ShardTarget, writeShardTarget } from './shard-target.ts';

export interface GetDocumentsRequest {
  readonly target: ShardTarget;
  /** Refresh the shard first. */
  readonly refresh: boolean;
  readonly gets: readonly GetRequest[];
}

export interface GetDocumentsResponse {
  /** Document of each get, in order; null when there is none. `source` is whole: the coordinator filters it. */
  readonly documents: readonly (FetchedHit | null)[];
}

const readGet: ItemReader<GetRequest> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { id: r.string('id'), realtime: r.boolean('realtime') };
};

export const GET_DOCUMENTS: ActionCodec<GetDocumentsRequest, GetDocumentsResponse> = {
  name: 'indices:data/read/mget[shard][s]',
  writeRequest: ({ target, refresh, gets }) => {
    assert(gets.length <= HITS_MAX, `${gets.length} documents asked of [${target.index}][${target.shard}]`);
    const message = {
      target: writeShardTarget(target),
      refresh,
      gets: gets.map((get) => ({ id: get.id, realtime: get.realtime })),
    };
    return { message };
  },
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    return {
      target: readShardTarget(r.raw('target'), 'target'),
      refresh: r.boolean('refresh'),
      gets: r.list('gets', readGet, HITS_MAX),
    };
  },
  writeResponse: (response) => {
    const sections = new SectionWriter();
    const message = { documents: writeHits(response.documents, sections) };
    return { message, sections: sections.sections };
  },
  readResponse: (body) => {
    const sections = new SectionReader(body.sections);
    const documents = readHits(ValueReader.of(body.message).object('documents'), sections);
    sections.end();
    return { documents };
  },
};

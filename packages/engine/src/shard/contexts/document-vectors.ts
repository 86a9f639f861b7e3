/**
 * Term vectors of a document of the shard, or of one that it does not have.
 */
import { versionConflict } from '@shoal/core';
import type { ShardId, TermVectors, TermVectorsRequest } from '@shoal/shard-api';
import { type DocumentSources, getDocument } from '../writing/get-document.ts';
import type { ShardReaders } from './shard-readers.ts';

/** Document whose source was not kept. */
const NO_SOURCE = new TextEncoder().encode('{}');

export interface DocumentVectorsParts extends DocumentSources {
  readonly id: ShardId;
  readonly readers: ShardReaders;
  /** Rejects when the shard was closed. */
  readonly refresh: () => Promise<void>;
}

export class DocumentVectors {
  private readonly parts: DocumentVectorsParts;

  constructor(parts: DocumentVectorsParts) {
    this.parts = parts;
  }

  /** null when there is no such document. @throws version_conflict_engine_exception when it has another version */
  async of(request: TermVectorsRequest): Promise<TermVectors | null> {
    const { document } = request;
    const { id: shard, readers, refresh } = this.parts;
    if (document.kind === 'artificial')
      return { version: 0, vectors: await readers.termVectors(document.source, request) };
    const found = getDocument(this.parts, document);
    if (found === null) return null;
    const { version, seqNo, source } = found;
    if (document.version !== null && document.version !== version) {
      const provided = `current version [${version}] is different than the one provided [${document.version}]`;
      const at = { index: shard.index, indexUuid: shard.indexUuid, shard: shard.number };
      throw versionConflict(`[${document.id}]: version conflict, ${provided}`, at);
    }
    // The statistics count the document: searches must see what was found.
    const isVisible = getDocument(this.parts, { ...document, realtime: false })?.seqNo === seqNo;
    if (!isVisible) await refresh();
    return { version, vectors: await readers.termVectors(source ?? NO_SOURCE, request) };
  }
}

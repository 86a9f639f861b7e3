/**
 * Blocks of the stored documents of one segment, unpacked for a merge that takes the documents over one by one.
 */
import { assert } from '@shoal/core';
import { DocumentBlock, unpackBlock } from '../../format/stored/stored-block.ts';
import type { StoredDocuments } from '../../format/stored/stored-documents.ts';

interface OpenBlock {
  readonly first: number;
  readonly end: number;
  readonly documents: DocumentBlock;
}

export class StoredBlocks {
  private readonly from: StoredDocuments;
  private readonly keepsAll: boolean;
  private readonly kept = new Map<number, OpenBlock>();
  private current: OpenBlock | null = null;

  /** @param keepsAll documents are asked for in any order, so that no block is unpacked twice; else the last one alone is kept */
  constructor(from: StoredDocuments, keepsAll: boolean) {
    this.from = from;
    this.keepsAll = keepsAll;
  }

  /** Bytes of a document. A view: valid until the next call. */
  document(doc: number): Uint8Array {
    const { current } = this;
    const block = current !== null && doc >= current.first && doc < current.end ? current : this.open(doc);
    this.current = block;
    return block.documents.document(doc - block.first);
  }

  private open(doc: number): OpenBlock {
    const { from } = this;
    const block = this.blockOf(doc);
    const kept = this.kept.get(block);
    if (kept !== undefined) return kept;
    const [first, end] = [from.firstDoc(block), from.firstDoc(block + 1)];
    assert(first <= doc && doc < end, `document ${doc} in a block of ${first} to ${end}`);
    const opened = { first, end, documents: new DocumentBlock(unpackBlock(from.block(block)), end - first) };
    if (this.keepsAll) this.kept.set(block, opened);
    return opened;
  }

  private blockOf(doc: number): number {
    let low = 0;
    let high = this.from.blockCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.from.firstDoc(middle) <= doc) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

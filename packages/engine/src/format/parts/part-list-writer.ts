/**
 * Writes the parts of one field, and their list for the directory.
 */
import { assert, ByteSink } from '@shoal/core';
import type { ContainerWriter } from '../container/container-writer.ts';
import { PartSink } from '../container/part-sink.ts';
import { writeSectionRef } from '../container/section-ref.ts';
import { PART_CODECS, type PartContents, type PartKind } from './part-registry.ts';

/** Numbers of one byte in the list: parts of a field, sections of a part, versions. */
const BYTE_MAX = 0xff;
const LIST_BYTES_EXPECTED = 256;

export class PartListWriter {
  private readonly container: ContainerWriter;
  private readonly entries = new ByteSink(LIST_BYTES_EXPECTED);
  private readonly kinds = new Set<PartKind>();

  constructor(container: ContainerWriter) {
    this.container = container;
  }

  /** Writes a part; each kind at most once, terms before what needs them. Yields every millisecond or so. */
  *write<Kind extends PartKind>(kind: Kind, content: PartContents[Kind]): Generator<void, void> {
    assert(!this.kinds.has(kind), `a field has two parts of kind ${kind}`);
    this.kinds.add(kind);
    const codec = PART_CODECS[kind];
    const { pageBytes } = this.container;
    const sink = new PartSink(this.container, codec.pageBytes?.(pageBytes, codec.version) ?? pageBytes);
    yield* codec.write(content, sink);
    assert(sink.refs.length > 0 || sink.header.length > 0, `part ${kind} has neither sections nor a header`);
    assert(sink.refs.length <= BYTE_MAX, `part ${kind} has ${sink.refs.length} sections`);
    const { entries } = this;
    entries.text(kind);
    entries.u8(codec.version);
    entries.u8(sink.refs.length);
    for (const ref of sink.refs) writeSectionRef(entries, ref);
    entries.blob(sink.header.written());
  }

  /** Writes the list of all parts into the directory of the segment. */
  finish(directory: ByteSink): void {
    directory.u8(this.kinds.size);
    directory.raw(this.entries.written());
  }
}

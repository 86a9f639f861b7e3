/**
 * Sink of one part of a field: its sections go into the container at once, its header is collected for the directory.
 */
import { assert, ByteSink } from '@shoal/core';
import type { ContainerWriter, SectionContent } from './container-writer.ts';
import type { SectionRef } from './section-ref.ts';

const HEADER_BYTES_EXPECTED = 64;

export class PartSink {
  /** What the reader of the part must know beside its sections. */
  readonly header: ByteSink = new ByteSink(HEADER_BYTES_EXPECTED);
  /** Sections that were written, in their order. */
  readonly refs: SectionRef[] = [];
  /** Bytes a page of the sections. */
  readonly pageBytes: number;
  private readonly container: ContainerWriter;

  constructor(container: ContainerWriter, pageBytes: number = container.pageBytes) {
    this.container = container;
    this.pageBytes = pageBytes;
  }

  section(content: SectionContent): void {
    const ref = this.container.section(content, this.pageBytes);
    assert(ref.length === content.byteLength, `${content.byteLength} bytes became a section of ${ref.length}`);
    this.refs.push(ref);
  }

  /** One section of these pieces, one behind the other. Yields after each megabyte. */
  *sectionInSteps(pieces: Iterable<Uint8Array>): Generator<void, void> {
    this.refs.push(yield* this.container.sectionInSteps(pieces, this.pageBytes));
  }
}

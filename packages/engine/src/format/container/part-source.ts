/**
 * Source of one part of a field: its header, and its sections in the order in which they were written.
 *
 * A part is read twice: when its segment is opened, for the references to its sections, and whenever the sections were loaded,
 * for what they mean. Format version 5 lists the sections of a part before its header; version 4 had each reference inside the
 * header, where the section was needed.
 */
import { assert, ByteSource, DamagedBytes } from '@shoal/core';
import type { ContainerReader } from './container-reader.ts';
import { readSectionRef, type SectionRef } from './section-ref.ts';

export interface PartSource {
  readonly header: ByteSource;
  /** Reference to the next section. */
  section(): SectionRef;
  /** The same part from its start, with the content of its sections. */
  loaded(sections: readonly Uint8Array[]): LoadedPart;
}

/** A part whose sections are in memory. */
export interface LoadedPart {
  readonly header: ByteSource;
  /** Content of the next section. */
  section(): Uint8Array;
}

/** Part as format version 5 and later list it. */
export class ListedPart implements PartSource {
  readonly header: ByteSource;
  private readonly bytes: Uint8Array;
  private readonly refs: readonly SectionRef[];
  private taken = 0;

  constructor(refs: readonly SectionRef[], header: Uint8Array) {
    this.refs = refs;
    this.bytes = header;
    this.header = new ByteSource(header);
  }

  section(): SectionRef {
    const ref = this.refs[this.taken++];
    if (ref === undefined) throw new DamagedBytes(`a part lists only ${this.refs.length} sections`);
    return ref;
  }

  loaded(sections: readonly Uint8Array[]): LoadedPart {
    return loadedPart(new ByteSource(this.bytes), sections, () => {});
  }

  /** Throws when the reader of the part left some of it aside: it was written by another one. */
  finish(): void {
    const { at, bytes } = this.header;
    if (this.taken !== this.refs.length || at !== bytes.length)
      throw new DamagedBytes(
        `a part has ${this.refs.length} sections and ${bytes.length} bytes, of which ${this.taken} and ${at} were read`,
      );
  }
}

/** Part inside the directory of format version 4. */
export class InterleavedPart implements PartSource {
  private readonly from: ContainerReader;
  private readonly start: number;

  /** `from` stands at the start of the part. */
  constructor(from: ContainerReader) {
    this.from = from;
    this.start = from.directory.at;
  }

  get header(): ByteSource {
    return this.from.directory;
  }

  section(): SectionRef {
    return this.from.section();
  }

  loaded(sections: readonly Uint8Array[]): LoadedPart {
    const header = new ByteSource(this.from.directory.bytes, this.start);
    return loadedPart(header, sections, () => readSectionRef(header, Number.POSITIVE_INFINITY));
  }
}

function loadedPart(header: ByteSource, sections: readonly Uint8Array[], skip: () => void): LoadedPart {
  let next = 0;
  return {
    header,
    section: () => {
      skip();
      const bytes = sections[next++];
      assert(bytes !== undefined, `section ${next} of a part is read, ${sections.length} were loaded`);
      return bytes;
    },
  };
}

/**
 * Reads the list of a field's parts from the directory of a segment.
 */
import { DamagedBytes, ShoalError } from '@shoal/core';
import type { ContainerReader } from '../container/container-reader.ts';
import { ListedPart, type PartSource } from '../container/part-source.ts';
import { FIELD_BITS_VERSION } from '../container/section-ref.ts';
import type { SegmentSections } from '../container/segment-sections.ts';
import { readPartsByBits } from './format-4-parts.ts';
import { isPartKind, PART_CODECS, type PartKind, type PartViews } from './part-registry.ts';
import { SegmentField } from './segment-field.ts';

/** A segment that is being opened. */
export interface OpeningSegment {
  readonly from: ContainerReader;
  readonly sections: SegmentSections;
  readonly docCount: number;
}

/** Takes the parts of the field `name` out of the directory. */
export function readFieldParts(segment: OpeningSegment, name: string): SegmentField {
  const parts = new PartReader(segment);
  if (segment.from.version <= FIELD_BITS_VERSION) readPartsByBits(segment.from, (kind, part) => parts.read(kind, part));
  else readPartList(segment.from, name, parts);
  return new SegmentField(parts.views);
}

function readPartList(from: ContainerReader, field: string, parts: PartReader): void {
  const { directory } = from;
  const count = directory.u8();
  for (let i = 0; i < count; i++) {
    const kind = directory.text();
    const version = directory.u8();
    const { path } = from.bytes;
    if (!isPartKind(kind)) throw unknownPart(path, field, `[${kind}], which this one does not know`);
    const codec = PART_CODECS[kind];
    const known = codec.version;
    if (version > known)
      throw unknownPart(path, field, `[${kind}] of version [${version}], this one reads up to [${known}]`);
    const pageBytes = codec.pageBytes?.(from.pageBytes, version) ?? from.pageBytes;
    const refs = Array.from({ length: directory.u8() }, () => from.section(pageBytes));
    const part = new ListedPart(refs, directory.blob());
    parts.read(kind, part);
    part.finish();
  }
}

/** A part that only a newer program can have written: checksums hold what an older one wrote. */
function unknownPart(path: string, field: string, why: string): ShoalError {
  const reason = `segment file [${path}] was written by a newer program: field [${field}] has a part ${why}`;
  return new ShoalError('index_format_too_new_exception', 500, reason, { metadata: { path } });
}

class PartReader {
  readonly views: { -readonly [Kind in PartKind]?: PartViews[Kind] } = {};
  private readonly segment: OpeningSegment;

  constructor(segment: OpeningSegment) {
    this.segment = segment;
  }

  read<Kind extends PartKind>(kind: Kind, part: PartSource): void {
    const { sections, docCount } = this.segment;
    if (this.views[kind] !== undefined) throw new DamagedBytes(`two parts of kind ${kind}`);
    const codec = PART_CODECS[kind];
    const view = codec.read(part, { sections, terms: this.views.terms ?? null });
    codec.verify(view, docCount);
    this.views[kind] = view;
  }
}

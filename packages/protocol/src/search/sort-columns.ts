/**
 * Sort keys of a shard's hits on the wire: the kinds in the message, the values as raw sections, never objects.
 */

import { type ItemReader, ValueReader } from '@shoal/core';
import { SHOWN_BYTES, type ShownBytes, type SortColumn } from '@shoal/shard-api';
import { malformedSection, type SectionReader } from '../sections/section-reader.ts';
import type { SectionWriter } from '../sections/section-writer.ts';

/** Sort keys that one search may name. */
const SORT_KEYS_MAX = 64;
const KINDS = ['score', 'integer', 'bigint', 'unsigned', 'double', 'string'] as const;

export function writeColumns(columns: readonly SortColumn[], sections: SectionWriter): readonly unknown[] {
  return columns.map((column) => {
    if (column.kind !== 'string') {
      sections.add(column.values);
      return { kind: column.kind };
    }
    sections.add(column.offsets);
    sections.add(column.bytes);
    sections.add(column.missing);
    return { kind: column.kind, shown: column.shown };
  });
}

/** `count` entries in each column. */
export function readColumns(
  r: ValueReader,
  field: string,
  sections: SectionReader,
  count: number,
): readonly SortColumn[] {
  return r.list(field, readHead, SORT_KEYS_MAX).map((head) => readColumn(head, sections, count));
}

interface ColumnHead {
  readonly kind: SortColumn['kind'];
  /** Only columns of bytes have it. */
  readonly shown: ShownBytes;
}

const readHead: ItemReader<ColumnHead> = (value, path) => {
  const r = ValueReader.of(value, path);
  const kind = r.oneOf('kind', KINDS);
  return { kind, shown: kind === 'string' ? r.oneOf('shown', SHOWN_BYTES) : 'text' };
};

function readColumn({ kind, shown }: ColumnHead, sections: SectionReader, count: number): SortColumn {
  switch (kind) {
    case 'score':
      return { kind, values: sections.float32(kind, count) };
    case 'integer':
    case 'double':
      return { kind, values: sections.float64(kind, count) };
    case 'bigint':
      return { kind, values: sections.bigint64(kind, count) };
    case 'unsigned':
      return { kind, values: sections.bigUint64(kind, count) };
    case 'string':
      return readStrings(shown, sections, count);
  }
}

function readStrings(shown: ShownBytes, sections: SectionReader, count: number): SortColumn {
  const offsets = sections.uint32('string.offsets', count + 1);
  const bytes = sections.bytes('string.bytes');
  const missing = sections.flags('string.missing', count);
  let previous = 0;
  for (const offset of offsets) {
    if (offset < previous || offset > bytes.byteLength) {
      throw malformedSection('string.offsets', `goes from ${previous} to ${offset} of ${bytes.byteLength} bytes`);
    }
    previous = offset;
  }
  return { kind: 'string', shown, offsets, bytes, missing };
}

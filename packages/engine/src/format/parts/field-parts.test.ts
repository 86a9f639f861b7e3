import { ByteSink, DamagedBytes } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { chunksOf } from '../columns/number-chunks.ts';
import { ContainerReader } from '../container/container-reader.ts';
import { ContainerWriter } from '../container/container-writer.ts';
import { writeSectionRef } from '../container/section-ref.ts';
import { SegmentBytes } from '../container/segment-bytes.ts';
import { SegmentSections } from '../container/segment-sections.ts';
import { PartListWriter } from './part-list-writer.ts';
import { readFieldParts } from './read-field-parts.ts';

const norms = Uint8Array.of(3, 1, 4, 1, 5);
const prices = {
  kind: 'double',
  counts: new Uint32Array(5).fill(1),
  values: chunksOf(Float64Array.of(1, 2, 3, 4, 5)),
} as const;

function run(steps: Generator<void, void>): void {
  for (const _ of steps);
}

/** Opens the parts of a field in a segment of `docCount` documents, whose list `write` makes. */
function opened(docCount: number, write: (container: ContainerWriter, directory: ByteSink) => void) {
  const container = new ContainerWriter(1_000);
  const directory = new ByteSink();
  write(container, directory);
  container.finish(directory.written());
  const bytes = SegmentBytes.ofMemory('_0.seg', PLAIN_MEMORY.place(container.bytes.written()));
  const from = new ContainerReader(bytes);
  const field = readFieldParts({ from, sections: new SegmentSections(bytes, null), docCount }, 'price');
  from.finish();
  return field;
}

/** An entry of the list as a program with that codec would write it. */
function entry(kind: string, version: number) {
  return (container: ContainerWriter, directory: ByteSink): void => {
    directory.u8(1);
    directory.text(kind);
    directory.u8(version);
    directory.u8(1);
    writeSectionRef(directory, container.section(norms));
    directory.blob(new Uint8Array(0));
  };
}

describe('the parts of a field', () => {
  test('are read as they were written, whichever there are', () => {
    const field = opened(5, (container, directory) => {
      const parts = new PartListWriter(container);
      run(parts.write('numbers', prices));
      run(parts.write('norms', norms));
      parts.finish(directory);
    });
    expect([field.terms, field.ordinals]).toEqual([null, null]);
    expect(Array.from(field.norms ?? [])).toEqual(Array.from(norms));
    expect(Array.from({ length: 5 }, (_, doc) => field.numbers?.value(doc))).toEqual([1, 2, 3, 4, 5]);
  });

  test('of an unknown kind are refused with its name', () => {
    expect(() => opened(5, entry('vectors', 1))).toThrow(
      expect.objectContaining({
        type: 'index_format_too_new_exception',
        message:
          'segment file [_0.seg] was written by a newer program: field [price] has a part [vectors], which this one does not know',
      }),
    );
  });

  test('of a newer version are refused with the kind and both versions', () => {
    expect(() => opened(5, entry('norms', 3))).toThrow(
      expect.objectContaining({
        type: 'index_format_too_new_exception',
        message:
          'segment file [_0.seg] was written by a newer program: field [price] has a part [norms] of version [3], this one reads up to [2]',
      }),
    );
  });

  test('that do not fit the documents of the segment are damage', () => {
    expect(opened(5, entry('norms', 1)).norms).toHaveLength(5);
    expect(() => opened(6, entry('norms', 1))).toThrow(DamagedBytes);
    const write = (container: ContainerWriter, directory: ByteSink): void => {
      const parts = new PartListWriter(container);
      run(parts.write('numbers', prices));
      parts.finish(directory);
    };
    expect(() => opened(6, write)).toThrow(new DamagedBytes('5 values or bytes for 6 documents with one each'));
  });

  test('are written once each', () => {
    const parts = new PartListWriter(new ContainerWriter(1_000));
    run(parts.write('norms', norms));
    expect(() => run(parts.write('norms', norms))).toThrow('a field has two parts of kind norms');
  });
});

/**
 * Text fields whose values by document a search needs: they are made before it runs, as what takes long is.
 */
import { runSteps, StepMeter, type Steps } from '@shoal/core';
import type { FieldMapping } from '@shoal/schema';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from './compile-context.ts';
import type { DocsMaker } from './prepared-docs.ts';

const NO_DOCS: DocsMaker = () => null;

/** Makes the values of a field with `fielddata` before the search runs; nothing for other fields. */
export function wantFielddata(
  { searcher, fielddata, prepared }: Pick<CompileContext, 'searcher' | 'fielddata' | 'prepared'>,
  { path, fielddata: filter }: FieldMapping,
): void {
  if (filter === null) return;
  const owner = fielddata ?? null;
  const load = function* ({ segment }: SegmentView): Steps<DocsMaker> {
    yield* segment.loadFielddata(path, { filter, owner }, new StepMeter());
    return NO_DOCS;
  };
  if (prepared !== undefined) prepared.add(load, () => false);
  else for (const view of searcher.views) runSteps(load(view));
}

/**
 * Collector of `children` and `parent`.
 */
import type { JoinAggregation } from '@shoal/aggregations';
import { joinFieldOf, parentIdField, parentKind } from '@shoal/schema';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { type JoinedDocs, JoinedDocsCollector } from './joined-docs-collector.ts';

export const join: CollectorKind<JoinAggregation> = {
  ignoresQuery: () => false,
  handsOnOthers: true,
  innerContext: (compile) => ({ ...compile, nestedPath: '' }),
  collector: ({ compile }, request, children) =>
    new JoinedDocsCollector(compile.searcher.views, joinedDocs(compile, request), children),
};

/** null where the index does not join such documents: another index may. */
function joinedDocs({ mapping }: CompileContext, { type, childType }: JoinAggregation): JoinedDocs | null {
  const field = joinFieldOf(mapping);
  const parent = field && parentKind(field, childType);
  const ids = field && parent !== null ? parentIdField(field, parent) : null;
  if (field === null || parent === null || ids === null) return null;
  const [from, to] = type === 'children' ? [parent, childType] : [childType, parent];
  return { kinds: field.path, ids: ids.path, from, to };
}

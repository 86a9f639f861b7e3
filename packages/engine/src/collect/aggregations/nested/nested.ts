/**
 * Collectors of the documents inside others, or around them.
 */
import type { NestedAggregation } from '@shoal/aggregations';
import { illegalArgument, ShoalError } from '@shoal/core';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { InnerDocsCollector } from './inner-docs-collector.ts';
import { OuterDocsCollector } from './outer-docs-collector.ts';

export const nested: CollectorKind<NestedAggregation> = {
  ignoresQuery: () => false,
  innerContext: (compile, { path }) => ({ ...compile, nestedPath: path ?? '' }),
  collector: ({ compile }, request, children) => {
    const around = compile.nestedPath ?? '';
    checkPath(compile, request, around);
    const path = request.path ?? '';
    return request.type === 'nested'
      ? new InnerDocsCollector(path, around, children)
      : new OuterDocsCollector(path, children);
  },
};

function checkPath({ mapping }: CompileContext, { type, name, path }: NestedAggregation, around: string): void {
  if (type === 'reverse_nested' && around === '') {
    throw illegalArgument(`Reverse nested aggregation [${name}] can only be used inside a [nested] aggregation`);
  }
  const object = path === null ? null : mapping.objects.get(path);
  // A path that is no object has no documents here; another index may have some.
  if (!object || object.nested) return;
  throw new ShoalError('aggregation_execution_exception', 400, `[${type}] nested path [${path}] is not nested`);
}

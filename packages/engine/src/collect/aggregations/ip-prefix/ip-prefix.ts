/**
 * Collector of `ip_prefix`.
 */
import type { IpPrefixAggregation } from '@shoal/aggregations';
import { illegalArgument } from '@shoal/core';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { resolveSource } from '../values/field-values.ts';
import { IpPrefixCollector } from './ip-prefix-collector.ts';

export const ipPrefix: CollectorKind<IpPrefixAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, request, children) => {
    const { mapping } = compile;
    const field = mapping.field(request.source.field);
    const { source } = request;
    // Values that stand for none are addresses, where nothing else is known of the field.
    const valueType = source.valueType ?? (field === null ? 'ip' : null);
    const resolved = resolveSource(compile, { ...source, valueType });
    if (resolved.kind !== 'ip') {
      const type = resolved.kind ?? 'unknown';
      throw illegalArgument(`Field [${resolved.field}] of type [${type}] is not supported for aggregation [ip_prefix]`);
    }
    return new IpPrefixCollector(resolved, request, { children, isTop });
  },
};

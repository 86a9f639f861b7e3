/**
 * Allocation filters: `{index,cluster}.routing.allocation.{include,exclude,require}.ATTRIBUTE: value,other*`.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { simpleMatch } from '@shoal/core';
import type { ClusterSettings } from '../../reading/cluster-settings.ts';

const KINDS = ['require', 'include', 'exclude'] as const;
export type FilterKind = (typeof KINDS)[number];

export interface AllocationFilter {
  readonly kind: FilterKind;
  /** `_name`, `_ip`, `_host`, `_id` or the name of a node attribute. */
  readonly attribute: string;
  readonly values: readonly string[];
}

/** @param prefix `index.routing.allocation` or `cluster.routing.allocation` */
export function readFilters(settings: ClusterSettings, prefix: string): readonly AllocationFilter[] {
  const filters: AllocationFilter[] = [];
  for (const kind of KINDS) {
    const start = `${prefix}.${kind}.`;
    for (const [key, text] of Object.entries(settings)) {
      if (!key.startsWith(start)) continue;
      const values = text
        .split(',')
        .map((value) => value.trim())
        .filter((value) => value !== '');
      if (values.length > 0) filters.push({ kind, attribute: key.slice(start.length), values });
    }
  }
  return filters;
}

/** The first filter that this node does not pass; null when it passes all. */
export function failedFilter(filters: readonly AllocationFilter[], node: DiscoveryNode): AllocationFilter | null {
  for (const filter of filters) {
    const texts = attributeTexts(filter.attribute, node);
    const matches = (pattern: string): boolean => texts.some((text) => simpleMatch(pattern, text));
    const passes =
      filter.kind === 'require'
        ? filter.values.every(matches)
        : filter.kind === 'include'
          ? filter.values.some(matches)
          : !filter.values.some(matches);
    if (!passes) return filter;
  }
  return null;
}

export function renderFilter(filter: AllocationFilter): string {
  return `${filter.attribute}:"${filter.values.join(' OR ')}"`;
}

function attributeTexts(attribute: string, node: DiscoveryNode): readonly string[] {
  switch (attribute) {
    case '_name':
      return [node.name];
    case '_id':
      return [node.id];
    case '_ip':
    case '_host':
    case '_publish_ip':
    case '_host_ip':
      return [node.address.host];
    default: {
      const value = node.attributes[attribute];
      return value === undefined ? [] : [value];
    }
  }
}

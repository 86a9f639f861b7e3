/**
 * The breaker `parent` as settings have it, and as a thread of the node reads it.
 */
import type { ParentLimit } from '@shoal/engine';
import type { Machine } from '@shoal/runtime';

export interface ParentBreakerSettings {
  /** `indices.breaker.total.limit`. */
  readonly limitBytes: number;
  /** `indices.breaker.total.use_real_memory`: what the process really holds, and not what its breakers count. */
  readonly usesRealMemory: boolean;
}

/** Limit of the process. Without resident bytes (unknown, or not wanted) what the breakers count is held against it. */
export function parentLimit(machine: Machine, { limitBytes, usesRealMemory }: ParentBreakerSettings): ParentLimit {
  return { limitBytes, residentBytes: (usesRealMemory ? machine.residentBytes : null) ?? null };
}

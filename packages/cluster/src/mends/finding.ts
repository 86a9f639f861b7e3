/**
 * A finding: one cause for which the cluster is not green, or a node is not in it, in one sentence, with its effect and what mends it.
 */
import type { HealthStatus } from '../reading/cluster-health.ts';
import type { Mend } from './mend.ts';

export interface Finding {
  /** Name of the cause, for programs: `allocation_disabled`. */
  readonly cause: string;
  /** What the cluster is for it; `green`: worth knowing, and nothing is missing. */
  readonly status: HealthStatus;
  /** Indices that suffer, in the order of names; empty: the cluster as a whole, or a node. */
  readonly indices: readonly string[];
  /** Copies that suffer. */
  readonly copies: number;
  /** One sentence without a full stop. */
  readonly reason: string;
  /** What comes of it, one sentence without a full stop. */
  readonly effect: string;
  /** Best first: each of them mends it. */
  readonly mends: readonly Mend[];
}

/** What a cause says of one copy; findings join those of copies that suffer from the same. */
export interface Explanation {
  readonly reason: string;
  readonly mends: readonly Mend[];
}

/** Names listed at most; the others are counted. */
const NAMES_SHOWN = 5;

/** `[a]`, `[a] and [b]`, `[a], [b] and [c]`, with the rest of a long list as a number. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `[${name}]`);
  if (names.length > NAMES_SHOWN) shown.push(`${names.length - NAMES_SHOWN} more`);
  const last = shown.pop() ?? 'none';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

/** `1 node`, `2 nodes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

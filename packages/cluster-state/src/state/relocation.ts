/**
 * A copy on the move is two entries of its shard: the source, which is RELOCATING and serves until the target has everything,
 * and the target, INITIALIZING under an allocation id of its own. Each names the node of the other.
 *
 * The target is no copy more: it takes the place of its source. Whoever counts copies leaves it out.
 */
import type { ShardRouting } from './cluster-state.ts';

/** True for the entry that takes the place of a RELOCATING copy of its shard. */
export function isRelocationTarget({ state, relocatingNodeId }: ShardRouting): boolean {
  return state === 'INITIALIZING' && relocatingNodeId !== null;
}

/** Copies of a shard as its index asks for them: what is on the move counts once, as its source. */
export function withoutTargets(copies: readonly ShardRouting[]): readonly ShardRouting[] {
  return copies.some(isRelocationTarget) ? copies.filter((copy) => !isRelocationTarget(copy)) : copies;
}

/** Target of a copy on the move; null: the copy is not on the move. */
export function targetOf(source: ShardRouting, copies: readonly ShardRouting[]): ShardRouting | null {
  if (source.state !== 'RELOCATING') return null;
  return copies.find((copy) => isRelocationTarget(copy) && copy.nodeId === source.relocatingNodeId) ?? null;
}

/** Copy whose place a target takes; null: the copy is no target. */
export function sourceOf(target: ShardRouting, copies: readonly ShardRouting[]): ShardRouting | null {
  if (!isRelocationTarget(target)) return null;
  return copies.find((copy) => copy.state === 'RELOCATING' && copy.nodeId === target.relocatingNodeId) ?? null;
}

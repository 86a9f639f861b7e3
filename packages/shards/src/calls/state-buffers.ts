/**
 * Memory of what guests of a search collected, which threads hand on without copying it.
 */
import type { PartStates } from '@shoal/engine';

type State = PartStates['states'][number];

/** Each once. */
export function buffersOf(found: readonly PartStates[]): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const add = ({ arrays, children }: State): void => {
    for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer) buffers.add(buffer);
    children.forEach(add);
  };
  for (const { states } of found) states.forEach(add);
  return [...buffers];
}

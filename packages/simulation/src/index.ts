export type { DiskFaults, SavedDisk } from './disk-image.ts';
export { FreePorts } from './free-ports.ts';
export { isLinearizable, type RegisterCall } from './linearizability.ts';
export type { NetworkFaults } from './network-state.ts';
export { type SeededRandom, seededRandom } from './seeded-random.ts';
export type { SimulatedNode } from './simulated-node.ts';
export { createWorld, type SimulatedWorld, type WorldOptions } from './simulated-world.ts';
export type { WorkTimes } from './work-times.ts';

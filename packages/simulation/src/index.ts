export { type SeededRandom, seededRandom } from './seeded-random.ts';
export type { DiskFaults } from './simulated-disk.ts';
export type { NetworkFaults } from './simulated-network.ts';
export { createWorld, type SimulatedNode, type SimulatedWorld, type WorldOptions } from './simulated-world.ts';

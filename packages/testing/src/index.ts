export type { InProcessFetchInit } from './in-process-fetch.ts';
export type { ShoalClock, ShoalNode } from './shoal-node.ts';
export { type StartOptions, startShoal, type Visibility } from './start-shoal.ts';

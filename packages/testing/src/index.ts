export type { InProcessFetchInit } from './in-process-fetch.ts';
export type { LoadResult, LoadSource } from './load/load.ts';
export type { LoadedDocument, LoadOptions } from './load/load-entries.ts';
export type { ShoalClock, ShoalNode, Snapshot } from './shoal-node.ts';
export { type StartOptions, startShoal, type Visibility } from './start-shoal.ts';

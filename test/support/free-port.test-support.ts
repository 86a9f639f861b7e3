/** Ports of processes that the tests of this folder start. */
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { drawFreePorts } from '@shoal/simulation';

const runtime = createNodeRuntime({ log: createRecordingLog() });

/** A port that nobody listens on, and that no other test process of this run draws. */
export async function freePort(): Promise<number> {
  const [port] = await drawFreePorts(runtime, 1, Number(process.env.VITEST_POOL_ID));
  return port ?? 0;
}

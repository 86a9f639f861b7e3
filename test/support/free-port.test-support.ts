/** Ports of processes that the tests of this folder start. */
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { FreePorts } from '@shoal/simulation';

const ports = new FreePorts(createNodeRuntime({ log: createRecordingLog() }), Number(process.env.VITEST_POOL_ID));

/** A port that nobody listens on, and that no other test of this run draws. */
export function freePort(): Promise<number> {
  return ports.draw();
}

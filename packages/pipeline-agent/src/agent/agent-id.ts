/**
 * Ids of an agent and its pipelines: random, in the form with dashes that monitoring tools know. That of the agent is in its
 * data folder and survives restarts.
 */
import { randomUuid } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';

/** Reads the agent's id; makes and writes one where there is none. */
export async function readOrMakeId(runtime: Runtime, dataPath: string): Promise<string> {
  const path = `${dataPath}/uuid`;
  if (await runtime.disk.exists(path)) {
    const text = new TextDecoder().decode(await runtime.disk.readFile(path)).trim();
    if (text !== '') return text;
  }
  const id = dashedUuid(runtime.random.bytes(16));
  const file = await runtime.disk.open(path, 'create');
  await file.write(new TextEncoder().encode(`${id}\n`), 0);
  await file.sync();
  await file.close();
  return id;
}

/** UUID of version 4 with dashes. */
export function dashedUuid(random: Uint8Array): string {
  const hex = Buffer.from(randomUuid(random), 'base64url').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

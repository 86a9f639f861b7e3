/**
 * Which seeds a simulation runs, and the seed in every failure's message.
 */

/** `SEED=n`: that one alone. `SHOAL_SIM_SEEDS=n`: the first n instead of `count`. */
export function seedsToRun(count: number): number[] {
  const one = process.env.SEED;
  if (one !== undefined) return [Number(one)];
  const wanted = process.env.SHOAL_SIM_SEEDS;
  return Array.from({ length: wanted === undefined ? count : Number(wanted) }, (_, index) => index + 1);
}

export function underSeed<T>(seed: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw named(seed, error);
  }
}

/** The same for a run that takes several turns. */
export async function settleUnderSeed<T>(seed: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw named(seed, error);
  }
}

function named(seed: number, error: unknown): unknown {
  if (error instanceof Error) error.message = `SEED=${seed}: ${error.message}`;
  return error;
}

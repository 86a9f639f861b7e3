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
    if (error instanceof Error) error.message = `SEED=${seed}: ${error.message}`;
    throw error;
  }
}

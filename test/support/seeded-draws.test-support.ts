/**
 * Vitest set-up: every property test draws from one seed, so that two runs of the same commit test the same inputs.
 *
 * `SHOAL_TEST_SEED=N` repeats a run; `scripts/test.mjs` draws one for `SHOAL_TEST_SEED=random` and prints it.
 */
import fc from 'fast-check';

const SEED_OF_EVERY_RUN = 1_611_961;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SHOAL_TEST_SEED ?? SEED_OF_EVERY_RUN) });
